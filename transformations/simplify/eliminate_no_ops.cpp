#include "transformations/simplify/passes.hpp"

#include <algorithm>
#include <cmath>

#include "core/extents/extent_origin.hpp"
#include "core/extents/integers.hpp"
#include "core/graph/constants.hpp"
#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/support/limits.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

// With open extents: each is copied from its own place, or a number that the data has anyway.
bool keeps_each_extent(const ops::Reshape& reshape) {
    const PartialShape& data = reshape.input(0).shape();
    const auto pattern = constant_ints(reshape.input(1));
    if (!data.has_rank() || !pattern || pattern->size() != data.rank()) return false;
    std::size_t open = 0;
    for (std::size_t i = 0; i < pattern->size(); ++i) {
        const bool copied = (*pattern)[i] == 0 && reshape.special_zero();
        if (copied || ((*pattern)[i] >= 0 && data[i] == Dimension((*pattern)[i]))) continue;
        // A -1 is the remaining extent, unless 0 elements leave it undetermined.
        if ((*pattern)[i] != -1 || ++open > 1) return false;
    }
    return open == 0 || same_extents(data, reshape.output_shape(0));
}

bool is_same_view(const Node& node) {
    if (!node.traits().view || !node.input(0).shape().has_rank()) return false;
    if (always_fits(node) && same_extents(node.input(0).shape(), node.output_shape(0))) return true;
    const auto* reshape = as_op<ops::Reshape>(node);
    return reshape != nullptr && keeps_each_extent(*reshape);
}

// An extent of the target that is 1, where the other mode takes it, or always that of the data.
bool repeats_nothing(const ops::Broadcast& node, std::size_t axis, const ShapeElement& target) {
    const Output& data = node.input(0);
    const bool is_one = target.number == 1 && node.mode() == ops::BroadcastMode::bidirectional;
    return is_one || is_extent(target, data, axis);
}

// A target that comes with the run may not fit, which is an error then.
bool is_same_broadcast(const Node& node) {
    const auto* broadcast = as_op<ops::Broadcast>(node);
    if (broadcast == nullptr) return false;
    const PartialShape& data = node.input(0).shape();
    const bool is_same = data.is_static() && data == node.output_shape(0);
    if (is_same && constant_ints(node.input(1))) return true;
    const bool keeps_axes = broadcast->mode() != ops::BroadcastMode::explicit_axes;
    const auto target =
        keeps_axes && data.has_rank() ? shape_elements(node.input(1)) : std::nullopt;
    if (!target || target->size() != data.rank()) return false;
    for (std::size_t axis = 0; axis < data.rank(); ++axis) {
        if (!repeats_nothing(*broadcast, axis, (*target)[axis])) return false;
    }
    return true;
}

bool takes_all(const ops::SliceRequest& request, const Dimension& extent) {
    if (!request.start || !request.stop || !request.step) return false;
    if (!extent.is_static()) {
        // No tensor has more elements, so a slice that stops there stops at the end.
        return *request.start == 0 && *request.step == 1 &&
               *request.stop >= std::min(extent.max(), static_cast<std::int64_t>(kMaxElements));
    }
    const auto range = ops::resolve(request, extent.length());
    return range.length == extent.length() && range.start == 0 && range.step == 1;
}

bool is_whole_slice(const ops::Slice& slice) {
    const PartialShape& data = slice.input(0).shape();
    if (!data.has_rank()) return false;
    const auto requests = ops::slice_requests(context_of(slice));
    if (!requests) return false;
    for (std::size_t i = 0; i < requests->size(); ++i) {
        if (!takes_all((*requests)[i], data[i])) return false;
    }
    return true;
}

bool is_whole_strided_slice(const ops::StridedSlice& slice) {
    const PartialShape& data = slice.input(0).shape();
    if (!data.has_rank()) return false;
    const auto parts = ops::strided_slice_parts(context_of(slice), slice.masks());
    if (!parts || parts->size() > data.rank()) return false;
    for (std::size_t i = 0; i < parts->size(); ++i) {
        const auto& part = (*parts)[i];
        if (part.kind != ops::StridedSlicePart::Kind::cut) return false;
        if (!takes_all(part.request, data[i])) return false;
    }
    return true;
}

// The neutral number itself. Returns nothing if the op has none.
std::optional<double> neutral_number(const ops::Binary& node) {
    switch (node.info().neutral) {
        case ops::RightNeutral::nothing: break;
        case ops::RightNeutral::zero: return 0.0;
        case ops::RightNeutral::negative_zero: return is_floating(node.output_type(0)) ? -0.0 : 0.0;
        case ops::RightNeutral::one: return 1.0;
    }
    return {};
}

bool is_neutral(const ops::Binary& node, std::size_t number) {
    const auto neutral = neutral_number(node);
    const auto value = constant_scalar(node.input(number));
    const PartialShape& x = node.input(1 - number).shape();
    return neutral && value && *neutral == *value &&
           std::signbit(*neutral) == std::signbit(*value) && x.has_rank() &&
           node.input(number).shape().rank() <= x.rank();
}

Output same_by_arithmetic(const Node& node) {
    const auto* binary = as_op<ops::Binary>(node);
    if (binary == nullptr) return {};
    if (is_neutral(*binary, 1)) return node.input(0);
    return binary->info().commutes && is_neutral(*binary, 0) ? node.input(1) : Output();
}

bool hands_on_first_input(const Node& node) {
    if (const auto order = order_of(node)) return is_identity(*order);
    if (as_op<ops::Convert>(node)) {
        const ElementType type = node.output_type(0);
        return type != ElementType::dynamic && type == node.input(0).element_type();
    }
    if (as_op<ops::Concat>(node)) return node.input_count() == 1;
    if (node.traits().cuts) {  // a VariadicSplit checks the lengths
        const bool has_lengths = node.input_count() > 2;
        return node.output_count() == 1 && (!has_lengths || node.input(0).shape().is_static());
    }
    if (const auto* op = as_op<ops::Slice>(node)) return is_whole_slice(*op);
    if (const auto* op = as_op<ops::StridedSlice>(node)) return is_whole_strided_slice(*op);
    return is_same_view(node) || is_same_broadcast(node);
}

void eliminate(Node& node, Rewriter& rewriter) {
    if (node.input_count() == 0) return;
    const Output same = hands_on_first_input(node) ? node.input(0) : same_by_arithmetic(node);
    if (!same || !rewriter.can_replace(node.output(0), same)) return;
    rewriter.replace(node.output(0), same);
}

}  // namespace

bool eliminate_no_ops(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const auto& node) { eliminate(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
