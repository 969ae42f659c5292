#include "frontend/onnx/ops/control/joined.hpp"

#include <algorithm>
#include <numeric>

#include "core/graph/infer_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Axes `at` and the next one of x become one; the extents come with the run.
Output joined_open(NodeContext& context, const Output& x, std::size_t at) {
    const Output shape = context.shape_of(x);
    std::vector<Output> extents;
    for (std::size_t i = 0; i < x.shape().rank(); ++i) {
        extents.push_back(context.gather(shape, context.ints({static_cast<std::int64_t>(i)}), 0));
    }
    extents[at] = context.multiply(extents[at], extents[at + 1]);
    extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    return context.reshape_to(x, context.concat(extents, 0));
}

bool have_same_extents(const Output& a, const Output& b, std::size_t axis) {
    for (std::size_t i = 0; i < a.shape().rank(); ++i) {
        const Dimension& extent = a.shape()[i];
        if (i != axis && !(extent.is_static() && extent == b.shape()[i])) return false;
    }
    return true;
}

// The part; if it has no element along the axis, with the other extents of `like`.
Output adapted(NodeContext& context, const Output& part, const Output& like, std::size_t axis) {
    Tensor others(ElementType::boolean, {part.shape().rank()});
    std::fill_n(others.data<bool>(), others.size(), true);
    others.data<bool>()[axis] = false;
    const Output own = context.shape_of(part);
    const Output count = context.gather(own, context.ints({static_cast<std::int64_t>(axis)}), 0);
    const Output is_empty = context.equal(count, context.ints({0}));
    const Output taken = context.both(is_empty, context.constant(others));
    return context.reshape_to(part, context.select(taken, context.shape_of(like), own));
}

Dimension extent_of(const Output& part, std::int64_t axis) {
    const InferContext place("", "join", {});
    return part.shape()[normalize_axis(place, axis, part.shape().rank())];
}

// The same if the part may be empty and other extents aren't known to be those of `like`.
Output fitted(NodeContext& context, const Output& part, const Output& like, std::int64_t axis) {
    if (!part.shape().has_rank() || !like.shape().has_rank()) return part;
    if (part.shape().rank() != like.shape().rank()) return part;
    const InferContext place(context.name(), "join", {});
    const std::size_t at = normalize_axis(place, axis, part.shape().rank());
    if (part.shape()[at].min() > 0 || have_same_extents(part, like, at)) return part;
    return adapted(context, part, like, at);
}

}  // namespace

Output joined(NodeContext& context, std::span<const Output> tensors, const SequenceForm& form) {
    if (tensors.empty()) throw UnsupportedError("it is an empty sequence");
    std::vector<Output> parts(tensors.begin(), tensors.end());
    for (Output& part : parts) {
        if (!form.is_stack) break;
        part = context.unsqueeze(part, {0});
    }
    for (const Output& part : parts) check_extents(parts[0].shape(), part.shape(), form.axis);
    return parts.size() == 1 ? parts[0] : context.concat(std::move(parts), form.axis);
}

Output joined(NodeContext& context, const Sequence& sequence, const SequenceForm& form) {
    if (sequence.is_list()) return joined(context, sequence.inputs(), form);
    const SequenceForm& own = sequence.form();
    if (own.is_stack && !form.is_stack) {
        return join_rows(context, joined(context, sequence), form.axis, false);
    }
    if (own.is_stack != form.is_stack || own.axis != form.axis) return stacked(context, sequence);
    Output whole = sequence.whole();
    // The whole alone may be an empty one that doesn't know the extents of the tensors.
    for (const bool in_front : {true, false}) {
        const auto added = in_front ? sequence.front() : sequence.back();
        if (added.empty()) continue;
        const Output part = joined(context, added, form);
        check_extents(whole.shape(), part.shape(), form.axis);
        std::vector<Output> parts{fitted(context, whole, part, form.axis), part};
        if (in_front) std::swap(parts[0], parts[1]);
        whole = context.concat(std::move(parts), form.axis);
    }
    return whole;
}

std::optional<std::int64_t> joined_extent(std::span<const Output> tensors,
                                          const SequenceForm& form) {
    if (form.is_stack) return std::ssize(tensors);
    std::int64_t sum = 0;
    for (const Output& tensor : tensors) {
        if (!tensor.shape().has_rank()) return {};
        const Dimension extent = extent_of(tensor, form.axis);
        if (!extent.is_static()) return {};
        sum += extent.length();
    }
    return sum;
}

Output joined(NodeContext& context, const Sequence& sequence) {
    const SequenceForm& form = sequence.form();
    if (form.list && !sequence.whole().shape().has_rank()) throw ListIsRead{form.list};
    return joined(context, sequence, form);
}

Output stacked(NodeContext& context, const Sequence& sequence) {
    const SequenceForm& form = sequence.form();
    if (form.is_stack) return joined(context, sequence);
    if (form.list) throw ListIsRead{form.list, true};
    throw UnsupportedError(
        "the tensors of the sequence may have different shapes; then they can only be joined");
}

Output make_empty(NodeContext& context, const Output& like, std::int64_t axis) {
    const InferContext place(context.name(), "Loop", {});
    Shape shape;
    for (const Dimension& extent : like.shape().dimensions()) {
        shape.push_back(extent.is_static() ? static_cast<std::size_t>(extent.length()) : 0);
    }
    shape[normalize_axis(place, axis, shape.size())] = 0;
    return context.constant(filled_tensor(like.element_type(), shape, 0));
}

Output join_parts(NodeContext& context, const std::vector<Output>& parts, std::int64_t axis) {
    Output whole = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) {
        check_extents(whole.shape(), parts[i].shape(), axis);
        whole = fitted(context, whole, parts[i], axis);
        const Output part = fitted(context, parts[i], whole, axis);
        whole = context.concat({whole, part}, axis);
    }
    return whole;
}

Output with_rank(NodeContext& context, const Output& tensor, std::size_t rank) {
    std::vector<std::int64_t> all(rank);
    std::iota(all.begin(), all.end(), 0);
    return context.reshape_to(tensor,
                              context.gather(context.shape_of(tensor), context.ints(all), 0));
}

Output join_rows(NodeContext& context, const Output& rows, std::int64_t axis, bool is_new) {
    if (!rows.shape().has_rank()) throw UnsupportedError("the rank of the tensors isn't known");
    const std::size_t rank = rows.shape().rank() - 1;
    const InferContext place(context.name(), "ConcatFromSequence", {});
    const std::size_t at = normalize_axis(place, axis, is_new ? rank + 1 : rank);
    std::vector<std::int64_t> order(rank + 1);
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + 1,
                order.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    if (is_new) return context.transpose(rows, order);
    const Output moved = context.transpose(rows, order);
    // [.., n, d, ..]: both become one.
    std::vector<std::int64_t> pattern(at, 0);
    pattern.push_back(-1);
    const PartialShape& shape = moved.shape();
    const auto behind = shape.dimensions().begin() + static_cast<std::ptrdiff_t>(at) + 2;
    const bool is_known = std::all_of(behind, shape.dimensions().end(), [](const Dimension& one) {
        return one.is_static() && one.length() > 0;
    });
    if (!is_known) return joined_open(context, moved, at);
    for (auto extent = behind; extent != shape.dimensions().end(); ++extent) {
        pattern.push_back(extent->length());
    }
    return context.reshape(moved, pattern);
}

}  // namespace rondo::onnx
