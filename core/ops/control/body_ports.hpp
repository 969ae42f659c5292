// How the ports of an op and those of its body belong together: OpenVINO's descriptions, as data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/infer_context.hpp"

namespace rondo::ops {

/// A tensor cut along an axis into parts, one an iteration. A negative start or end counts from the
/// end of the axis (-1 is its last element), and both belong to the range. The first part begins at
/// `start`; a negative stride walks downwards.
struct PartRange {
    std::int64_t axis = 0;
    std::int64_t start = 0;
    std::int64_t stride = 1;
    std::int64_t part_size = 1;
    std::int64_t end = -1;
    friend bool operator==(const PartRange&, const PartRange&) = default;

    bool is_reversed() const { return stride < 0; }
};

/// What a parameter of the body gets: the whole input, or a part of it in each iteration; from the
/// second iteration on the value that result `back_edge` had in the one before.
struct BodyInput {
    std::size_t input = 0;      ///< of the op
    std::size_t parameter = 0;  ///< of the body
    std::optional<PartRange> slice = {};
    std::optional<std::size_t> back_edge = {};
    friend bool operator==(const BodyInput&, const BodyInput&) = default;
};

/// What an output of the op is: a result of the last iteration, or those of all iterations joined.
struct BodyOutput {
    std::size_t output = 0;  ///< of the op
    std::size_t result = 0;  ///< of the body
    std::optional<PartRange> concat = {};
    friend bool operator==(const BodyOutput&, const BodyOutput&) = default;
};

struct BodyPorts {
    std::vector<BodyInput> inputs;
    std::vector<BodyOutput> outputs;
    friend bool operator==(const BodyPorts&, const BodyPorts&) = default;
};

/// "(0 -> 1 each [axis=1, start=0, stride=1, part_size=1, end=-1], 1 -> 0 back 2; 0 -> 0, 1 -> 1
/// joined [...])": inputs, then outputs.
std::string to_text(const BodyPorts& ports);

/// Throws ModelError through `context` where a port isn't there, a parameter is fed twice or not at
/// all (except `free_parameter`), or the outputs are not 0, 1, 2 ... once each.
void check_ports(const InferContext& context, const BodyPorts& ports, const Graph& body,
                 std::optional<std::size_t> free_parameter = {});

/// Where the parts of an axis of a known extent lie.
struct PartPlan {
    std::size_t axis = 0;
    std::size_t parts = 0;
    std::size_t part_size = 0;
    std::int64_t first = 0;  ///< the lowest element of the first part
    std::int64_t step = 0;   ///< from a part to the next one
};

/// Throws ModelError through `context` naming `what` for an axis that isn't there, or an extent
/// that doesn't divide into parts; UnsupportedError where parts overlap or leave gaps.
PartPlan plan_parts(const InferContext& context, const PartRange& range, const PartialShape& shape,
                    std::string_view what);

}  // namespace rondo::ops
