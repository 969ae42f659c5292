#include "transformations/common/extent_origin.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/movement/unsqueeze.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/common/axis_groups.hpp"
#include "transformations/common/axis_order.hpp"
#include "transformations/common/views.hpp"

namespace rondo::passes {
namespace {

constexpr int kMaxSteps = 256;
constexpr std::int64_t kMaxExtent = std::int64_t{1} << 31;

using Origin = std::optional<ExtentOrigin>;

bool contains(const std::vector<std::size_t>& values, std::size_t value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

Origin above_transpose(const ops::Transpose& node, std::size_t axis) {
    const auto order = order_of(node);
    if (!order) return {};
    return ExtentOrigin{node.input(0), (*order)[axis]};
}

Origin above_squeeze(const Node& node, std::size_t axis) {
    const auto removed = view_axes(node);
    if (!removed) return {};
    for (const std::size_t gone : *removed) axis += gone <= axis ? 1 : 0;  // they are sorted
    return ExtentOrigin{node.input(0), axis};
}

Origin above_unsqueeze(const Node& node, std::size_t axis) {
    const auto inserted = view_axes(node);
    if (!inserted || contains(*inserted, axis)) return {};
    const auto before =
        std::count_if(inserted->begin(), inserted->end(), [&](std::size_t i) { return i < axis; });
    return ExtentOrigin{node.input(0), axis - static_cast<std::size_t>(before)};
}

// The only open axis and the product of the other extents, if that is the same at run time.
struct OneOpen {
    std::size_t axis = 0;
    std::int64_t others = 1;
};

std::optional<OneOpen> one_open(const PartialShape& shape) {
    const auto pattern = pattern_for(shape);
    if (!pattern || shape.is_static()) return {};
    OneOpen result;
    for (std::size_t i = 0; i < pattern->size(); ++i) {
        if ((*pattern)[i] == -1) {
            result.axis = i;
        } else if ((*pattern)[i] > kMaxExtent || result.others > kMaxExtent) {
            return {};  // rather than overflow
        } else {
            result.others *= (*pattern)[i];
        }
    }
    return result;
}

// An axis that the Reshape didn't put together with another, or the one that is open.
Origin above_reshape(const ops::Reshape& node, std::size_t axis) {
    if (const auto counts = merged_axis_counts(node); counts && (*counts)[axis] == 1) {
        const auto start =
            std::accumulate(counts->begin(), std::next(counts->begin(), axis), std::size_t{0});
        return ExtentOrigin{node.input(0), start};
    }
    const auto before = one_open(node.input(0).shape());
    const auto after = one_open(node.output_shape(0));
    if (!before || !after || before->others != after->others || after->axis != axis) return {};
    return ExtentOrigin{node.input(0), before->axis};
}

// An input's extent is the output's where those of all other inputs are certainly 1.
Origin above_elementwise(const Node& node, std::size_t axis) {
    const std::size_t rank = node.output_shape(0).rank();
    const auto is_one = [&](const Output& input) {
        const PartialShape& shape = input.shape();
        if (!shape.has_rank()) return false;
        const std::size_t missing = rank - shape.rank();
        return axis < missing || shape[axis - missing] == Dimension(1);
    };
    const auto& inputs = node.inputs();
    const auto ones = std::count_if(inputs.begin(), inputs.end(), is_one);
    for (const auto& input : inputs) {
        const PartialShape& shape = input.shape();
        const bool others_are_one =
            ones - (is_one(input) ? 1 : 0) + 1 == static_cast<std::ptrdiff_t>(inputs.size());
        if (!shape.has_rank() || !others_are_one) continue;
        const std::size_t missing = rank - shape.rank();
        if (axis >= missing) return ExtentOrigin{input, axis - missing};
    }
    return {};
}

// Y [N,D,T,H], Ho and Co [N,D,H] of X [N,T,I]; cells alike, without T.
Origin above_recurrent(const ops::RecurrentOp& node, std::size_t output, std::size_t axis) {
    const Output& x = node.input(node.x_port());
    if (axis == 0) return ExtentOrigin{x, 0};
    if (node.is_sequence() && output == 0 && axis == 2) return ExtentOrigin{x, 1};
    return {};
}

Origin above(const ExtentOrigin& at) {
    const Node& node = at.source.node();
    if (const auto* op = as_op<ops::Transpose>(node)) return above_transpose(*op, at.axis);
    if (as_op<ops::Squeeze>(node)) return above_squeeze(node, at.axis);
    if (as_op<ops::Unsqueeze>(node)) return above_unsqueeze(node, at.axis);
    if (const auto* op = as_op<ops::Reshape>(node)) return above_reshape(*op, at.axis);
    if (node.traits().elementwise) return above_elementwise(node, at.axis);
    if (const auto* op = as_op<ops::RecurrentOp>(node)) {
        return above_recurrent(*op, at.source.index(), at.axis);
    }
    return {};
}

}  // namespace

ExtentOrigin origin_of_extent(const Output& output, std::size_t axis) {
    ExtentOrigin at{output, axis};
    for (int step = 0; step < kMaxSteps; ++step) {
        const auto next = above(at);
        if (!next || !next->source.shape().has_rank()) break;
        at = *next;
    }
    return at;
}

}  // namespace rondo::passes
