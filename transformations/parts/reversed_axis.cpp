#include "transformations/parts/reversed_axis.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reverse_sequence.hpp"
#include "core/ops/movement/slice.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/shapes/extent_value.hpp"

namespace rondo::passes {
namespace {

// Exporters write the least 32-bit integer, or the one after it, for what lies before the first
// element.
constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int32_t>::min() + 1;

bool turns_round(const ops::SliceRequest& request, const Dimension& extent) {
    if (!request.start || !request.stop || request.step != -1) return false;
    if (!extent.is_static()) return *request.start == -1 && *request.stop <= kBeforeAll;
    const auto range = ops::resolve(request, extent.length());
    return range.length == extent.length() && range.length > 1;
}

std::optional<std::size_t> reversed_by(const ops::Slice& slice) {
    const PartialShape& shape = slice.input(0).shape();
    const auto requests = ops::slice_requests(context_of(slice));
    if (!requests || requests->size() > shape.rank()) return {};
    std::optional<std::size_t> found;
    for (std::size_t axis = 0; axis < requests->size(); ++axis) {
        if (ops::takes_all((*requests)[axis])) continue;
        if (found || !turns_round((*requests)[axis], shape[axis])) return {};
        found = axis;
    }
    return found;
}

bool all_are(const std::vector<std::int64_t>& lengths, const Dimension& extent) {
    return extent.is_static() &&
           std::all_of(lengths.begin(), lengths.end(),
                       [&](std::int64_t length) { return length == extent.length(); });
}

// Each row must be turned round as a whole.
std::optional<std::size_t> reversed_by(const ops::ReverseSequence& node) {
    const Output& data = node.input(0);
    const auto axis = normalized_axes({node.seq_axis()}, data.shape().rank());
    if (!axis) return {};
    if (const auto known = constant_ints(node.input(1))) {
        if (!all_are(*known, data.shape()[axis->front()])) return {};
        return axis->front();
    }
    Output length = node.input(1);
    while (length.node().traits().view || as_op<ops::Broadcast>(length.node()) != nullptr) {
        length = length.node().input(0);
    }
    if (!is_extent(length, data, axis->front())) return {};
    return axis->front();
}

// All indices, from the last one to the first.
std::optional<std::size_t> reversed_by(const ops::Gather& node) {
    const PartialShape& shape = node.input(0).shape();
    const auto indices = constant_ints(node.input(1));
    const auto number = constant_ints(node.input(2));
    const auto axis = number ? normalized_axes(*number, shape.rank()) : std::nullopt;
    if (node.batch_dims() != 0 || !indices || !axis || axis->size() != 1) return {};
    const Dimension& extent = shape[axis->front()];
    if (node.input(1).shape().rank() != 1 || !extent.is_static() || indices->size() < 2 ||
        extent != Dimension(static_cast<std::int64_t>(indices->size()))) {
        return {};
    }
    for (std::size_t i = 0; i < indices->size(); ++i) {
        const std::int64_t from_end = -1 - static_cast<std::int64_t>(i);
        const std::int64_t index = (*indices)[i];
        if (index != from_end && index != from_end + extent.length()) return {};
    }
    return axis->front();
}

}  // namespace

std::optional<std::size_t> reversed_axis(const Node& node) {
    if (node.input_count() == 0 || !node.input(0).shape().has_rank()) return {};
    if (const auto* slice = as_op<ops::Slice>(node)) return reversed_by(*slice);
    if (const auto* reversal = as_op<ops::ReverseSequence>(node)) return reversed_by(*reversal);
    if (const auto* gather = as_op<ops::Gather>(node)) return reversed_by(*gather);
    return {};
}

NodePtr make_reversal(Rewriter& rewriter, const Output& data, std::size_t axis,
                      const std::string& name) {
    const auto ints = [&](const char* role, std::int64_t value) {
        return rewriter.make_ints(name + role, {value});
    };
    return rewriter.make<ops::Slice>(name, data, ints("/start", -1), ints("/stop", kBeforeAll - 1),
                                     ints("/step", -1),
                                     ints("/axis", static_cast<std::int64_t>(axis)));
}

}  // namespace rondo::passes
