#include "transformations/common/extent_origin.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/reverse_sequence.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/common/axis_groups.hpp"
#include "transformations/common/views.hpp"

namespace rondo::passes {
namespace {

constexpr int kMaxSteps = 256;
constexpr std::int64_t kMaxExtent = std::int64_t{1} << 31;

using Origin = std::optional<ExtentOrigin>;

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

bool is_one(const Output& input, std::size_t axis) {
    return axis == IndependentAxis::kWhole || input.shape()[axis] == Dimension(1);
}

// An extent along independent rows is that of the inputs' rows. Where the op broadcasts, an input's
// extent is certain only if those of all other inputs are 1.
Origin above_rows(const Node& node, const IndependentAxis& rows) {
    std::size_t others = 0;
    for (std::size_t i = 0; i < rows.inputs.size(); ++i) {
        others += is_one(node.input(i), rows.inputs[i]) ? 0 : 1;
    }
    for (std::size_t i = 0; i < rows.inputs.size(); ++i) {
        const Output& input = node.input(i);
        const std::size_t axis = rows.inputs[i];
        if (axis == IndependentAxis::kWhole) continue;
        const bool is_certain = others - (is_one(input, axis) ? 0 : 1) == 0;
        if (!rows.broadcasts || is_certain) return ExtentOrigin{input, axis};
    }
    return {};
}

bool all_ranks_are_known(const Node& node) {
    return std::all_of(node.inputs().begin(), node.inputs().end(),
                       [](const Output& input) { return input.shape().has_rank(); });
}

Origin above(const ExtentOrigin& at) {
    const Node& node = at.source.node();
    if (const auto* op = as_op<ops::Reshape>(node)) return above_reshape(*op, at.axis);
    if (const auto* op = as_op<ops::RecurrentOp>(node)) {
        // The time steps of Y [N,D,T,H] are those of X [N,T,I], though each depends on the others.
        const bool is_time = op->is_sequence() && at.source.index() == 0 && at.axis == 2;
        if (is_time) return ExtentOrigin{op->input(op->x_port()), 1};
    }
    if (as_op<ops::ReverseSequence>(node) != nullptr) return ExtentOrigin{node.input(0), at.axis};
    if (!all_ranks_are_known(node)) return {};
    const auto rows = node.independent_axis(at.source.index(), at.axis);
    return rows ? above_rows(node, *rows) : Origin();
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
