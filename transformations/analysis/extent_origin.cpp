#include "transformations/analysis/extent_origin.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "transformations/analysis/constants.hpp"
#include "transformations/analysis/integers.hpp"
#include "transformations/analysis/named_axes.hpp"
#include "transformations/analysis/views.hpp"

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

// An extent that the op takes from a vector of extents.
Origin above_computed(const Output& vector, std::size_t place) {
    const auto element = shape_element(vector, place);
    if (!element || element->number) return {};
    return ExtentOrigin{element->tensor, element->axis};
}

Origin above_top_k(const ops::TopK& node, std::size_t axis) {
    if (!node.input(0).shape().has_rank()) return {};
    if (named_axis(node) == axis) return above_computed(node.input(1), 0);
    return ExtentOrigin{node.input(0), axis};
}

// An axis that the Reshape didn't put together with another, or the one that is open.
Origin above_reshape(const ops::Reshape& node, std::size_t axis) {
    if (const auto counts = merged_axis_counts(node); counts && (*counts)[axis] == 1) {
        const auto start =
            std::accumulate(counts->begin(), std::next(counts->begin(), axis), std::size_t{0});
        return ExtentOrigin{node.input(0), start};
    }
    // A 0 in the pattern is an extent of 0 only there.
    if (const Origin computed = above_computed(node.input(1), axis);
        computed && !node.special_zero()) {
        return computed;
    }
    const auto before = one_open(node.input(0).shape());
    const auto after = one_open(node.output_shape(0));
    if (!before || !after || before->others != after->others || after->axis != axis) return {};
    return ExtentOrigin{node.input(0), before->axis};
}

bool is_one(const Output& input, std::size_t axis) {
    return axis == IndependentAxis::kWhole || input.shape()[axis] == Dimension(1);
}

// Whether a Slice takes all from the last element to the first. Exporters write the least 32-bit
// integer, or the one after it, for what lies before the first one.
bool turns_round(const ops::SliceRequest& request) {
    constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int32_t>::min() + 1;
    return request.start == -1 && request.step == -1 && request.stop && *request.stop <= kBeforeAll;
}

// An axis that the Slice takes whole.
Origin above_slice(const ops::Slice& node, std::size_t axis) {
    if (!node.input(0).shape().has_rank()) return {};
    const auto requests = ops::slice_requests(context_of(node));
    if (!requests || requests->size() <= axis) return {};
    const bool is_whole = ops::takes_all((*requests)[axis]) || turns_round((*requests)[axis]);
    return is_whole ? Origin(ExtentOrigin{node.input(0), axis}) : Origin();
}

// Broadcasting both ways keeps an extent of the data that isn't 1.
bool has_extent_of_target(const ops::Broadcast& node, std::size_t axis) {
    if (node.mode() != ops::BroadcastMode::bidirectional) return true;
    const PartialShape& data = node.input(0).shape();
    const PartialShape& result = node.output_shape(0);
    if (!data.has_rank() || !result.has_rank()) return false;
    const std::size_t from_end = result.rank() - axis;
    return from_end > data.rank() || data[data.rank() - from_end] == Dimension(1);
}

// Goes up from output to input for a number of steps in all, however many ways there are.
class OriginWalk {
public:
    ExtentOrigin find(ExtentOrigin at) {
        const auto start = std::make_tuple(&at.source.node(), at.source.index(), at.axis);
        if (const auto known = known_.find(start); known != known_.end()) return known->second;
        while (left_-- > 0) {
            const auto next = above(at);
            if (!next || !next->source.shape().has_rank()) break;
            at = *next;
        }
        known_.emplace(start, at);
        return at;
    }

private:
    Origin above(const ExtentOrigin& at);
    Origin above_rows(const Node& node, const IndependentAxis& rows);
    Origin above_broadcast(const Node& node, const IndependentAxis& rows);

    int left_ = kMaxSteps;
    std::map<std::tuple<const Node*, std::size_t, std::size_t>, ExtentOrigin> known_;
};

bool all_ranks_are_known(const Node& node) {
    return std::all_of(node.inputs().begin(), node.inputs().end(),
                       [](const Output& input) { return input.shape().has_rank(); });
}

// An extent along independent rows is that of the inputs' rows.
Origin OriginWalk::above_rows(const Node& node, const IndependentAxis& rows) {
    if (rows.broadcasts) return above_broadcast(node, rows);
    for (std::size_t i = 0; i < rows.inputs.size(); ++i) {
        if (rows.inputs[i] != IndependentAxis::kWhole) {
            return ExtentOrigin{node.input(i), rows.inputs[i]};
        }
    }
    return {};
}

// Where the op broadcasts, an input's extent is certain only if those of all other inputs are 1, or
// come from the same place.
Origin OriginWalk::above_broadcast(const Node& node, const IndependentAxis& rows) {
    std::vector<ExtentOrigin> wide;
    for (std::size_t i = 0; i < rows.inputs.size(); ++i) {
        if (!is_one(node.input(i), rows.inputs[i])) wide.push_back({node.input(i), rows.inputs[i]});
    }
    if (wide.size() == 1) return wide.front();
    Origin common;
    for (const ExtentOrigin& input : wide) {
        const ExtentOrigin origin = find(input);
        if (common && !(*common == origin)) return {};
        common = origin;
    }
    return common;
}

Origin OriginWalk::above(const ExtentOrigin& at) {
    const Node& node = at.source.node();
    if (const auto* op = as_op<ops::Reshape>(node)) return above_reshape(*op, at.axis);
    if (const auto* op = as_op<ops::RecurrentOp>(node)) {
        // The time steps of Y [N,D,T,H] are those of X [N,T,I], though each depends on the others.
        const bool is_time = op->is_sequence() && at.source.index() == 0 && at.axis == 2;
        if (is_time) return ExtentOrigin{op->input(op->x_port()), 1};
    }
    if (const auto* op = as_op<ops::Broadcast>(node)) {
        if (const Origin computed = above_computed(op->input(1), at.axis);
            computed && has_extent_of_target(*op, at.axis)) {
            return computed;
        }
    }
    const bool keeps_shape = as_op<ops::ReverseSequence>(node) != nullptr ||
                             as_op<ops::ScatterElementsUpdate>(node) != nullptr;
    if (keeps_shape) return ExtentOrigin{node.input(0), at.axis};
    if (const auto* op = as_op<ops::TopK>(node)) return above_top_k(*op, at.axis);
    if (const auto* op = as_op<ops::Slice>(node)) {
        if (const Origin whole = above_slice(*op, at.axis)) return whole;
    }
    if (!all_ranks_are_known(node)) return {};
    const auto rows = node.independent_axis(at.source.index(), at.axis);
    return rows ? above_rows(node, *rows) : Origin();
}

}  // namespace

ExtentOrigin origin_of_extent(const Output& output, std::size_t axis) {
    return OriginWalk().find({output, axis});
}

ExtentSum extent_of(const Output& tensor, std::size_t axis) {
    if (tensor.shape()[axis].is_static()) return tensor.shape()[axis].length();
    const ExtentOrigin origin = origin_of_extent(tensor, axis);
    return ExtentSum::of(origin.source, origin.axis);
}

ExtentSum with_origins(const ExtentSum& sum) {
    ExtentSum result;
    for (const ExtentSum::Term& term : sum.terms()) {
        std::optional<ExtentSum> product = ExtentSum(term.factor);
        for (const Symbol& symbol : term.symbols) {
            const ExtentSum factor =
                symbol.is_variable() ? ExtentSum(symbol) : extent_of(symbol.tensor, symbol.axis);
            product = product ? product->times(factor) : std::nullopt;
        }
        const auto next = product ? result.plus(*product) : std::nullopt;
        if (!next) return sum;
        result = *next;
    }
    return result;
}

}  // namespace rondo::passes
