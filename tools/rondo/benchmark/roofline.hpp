// How near each node comes to what the machine can do at most: its multiply-adds and its memory.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rondo/infer_request.hpp"
#include "rondo/model.hpp"

namespace rondo::tool {

/// What a node does in one inference.
struct NodeWork {
    double flops = 0;  ///< of products, a multiply-add counts as two; 0 for other ops
    double bytes = 0;  ///< that it reads and writes at least
};

/// Nothing for nodes of open shapes, for those with bodies, and if the work depends on values.
std::optional<NodeWork> work_of(const NodeInfo& node, const std::vector<NodeInfo>& nodes);

/// What the machine can do in a microsecond.
struct MachineLimits {
    double flops = 0;
    double bytes = 0;   ///< read from `level`
    std::string level;  ///< "l2", "l3" or "memory"
    int threads = 1;
};

/// Measures for about half a second. `device` is the CPU's description, which names its vector
/// instructions; `bytes` are those that an inference touches, which say where they lie.
MachineLimits measure_limits(const std::string& device, int threads, double bytes);

/// Node's name -> the least time that it could take, divided by the time that it took.
using LimitShares = std::map<std::string, double>;

/// The shares of the nodes that ran for a microsecond or longer and whose work is known.
LimitShares limit_shares(const std::vector<ProfilingInfo>& rows, const std::vector<NodeInfo>& nodes,
                         const MachineLimits& limits);

/// The bytes that all nodes touch.
double total_bytes(const std::vector<NodeInfo>& nodes);

/// "140 GFLOP/s, 22 GB/s from l3, one thread".
std::string to_text(const MachineLimits& limits);

}  // namespace rondo::tool
