// Which constants nothing reads any more, since all of their readers have packed them.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "core/ops/source/constant.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

class PackedReads {
public:
    using Constants = std::vector<std::shared_ptr<ops::Constant>>;

    /// Notes that these inputs are packed. Returns the large constants that no other input reads:
    /// directly, or through ops which only say how weights are stored.
    Constants add(const std::vector<ReadPort>& ports);

private:
    bool are_all_packed(const Node& source) const;
    void add(const ReadPort& port, Constants& unread);

    std::set<ReadPort> packed_;
};

}  // namespace rondo::cpu
