// Converts SplitToSequence.
#include <algorithm>
#include <numeric>

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using Tensors = std::vector<Output>;

constexpr std::int64_t kMaxTensors = 100'000;

Dimension extent_of(const NodeContext& context, const Output& data, std::int64_t axis) {
    if (!data.shape().has_rank()) return {};
    const InferContext place(context.name(), "SplitToSequence", {});
    return data.shape()[normalize_axis(place, axis, data.shape().rank())];
}

std::int64_t known_extent(const NodeContext& context, const Output& data, std::int64_t axis) {
    const Dimension extent = extent_of(context, data, axis);
    if (!extent.is_static()) {
        throw UnsupportedError("how many tensors the sequence has is known only at run time");
    }
    return extent.length();
}

// Chunks of one length; the last may be smaller.
std::vector<std::int64_t> chunks_of(std::int64_t extent, std::int64_t chunk) {
    if (chunk < 1) {
        throw ModelError("split is " + std::to_string(chunk) + "; expected 1 or more");
    }
    const std::int64_t count = extent / chunk + (extent % chunk == 0 ? 0 : 1);
    if (count > kMaxTensors) {
        throw UnsupportedError("the sequence has " + std::to_string(count) +
                               " tensors; Rondo reads " + std::to_string(kMaxTensors));
    }
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(count), chunk);
    if (extent % chunk != 0) lengths.back() = extent % chunk;
    return lengths;
}

// The extents of the parts, of which the number is known; empty if there is no part.
Output lengths_of(NodeContext& context, const Output& data, std::int64_t axis) {
    const auto made = [&](const std::vector<std::int64_t>& lengths) {
        return lengths.empty() ? Output() : context.ints(lengths);
    };
    const Output split = context.optional_input(1);
    if (!split) return made(chunks_of(known_extent(context, data, axis), 1));
    const PartialShape& shape = split.shape();
    const bool is_list = shape.is_static() && shape.rank() == 1;
    if (const auto known = NodeContext::known_ints(split)) {
        return made(is_list ? *known : chunks_of(known_extent(context, data, axis), known->at(0)));
    }
    if (!is_list || shape[0].length() == 0) {
        throw UnsupportedError(
            "split is known only at run time, and so is the number of tensors in the sequence");
    }
    if (split.element_type() == ElementType::i64) return split;
    return context.make<ops::Convert>("lengths", split, ElementType::i64);
}

// Whether each tensor has one element of the axis, whose extent comes with the run.
bool is_open_split(NodeContext& context, const Output& data, std::int64_t axis) {
    if (!data.shape().has_rank() || extent_of(context, data, axis).is_static()) return false;
    if (!context.has_input(1)) return true;
    const Output split = context.input(1);
    const auto known = NodeContext::known_ints(split);
    return known && split.shape().rank() == 0 && known->at(0) == 1;
}

Output split_into_rows(NodeContext& context, const Output& data, std::int64_t axis,
                       bool keeps_axis) {
    const InferContext place(context.name(), "SplitToSequence", {});
    const std::size_t at = normalize_axis(place, axis, data.shape().rank());
    std::vector<std::int64_t> order(data.shape().rank());
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(at),
                order.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    Output rows = at == 0 ? data : context.transpose(data, order);
    if (keeps_axis) {
        const Output kept = context.ints({static_cast<std::int64_t>(at) + 1});
        rows = context.make<ops::Unsqueeze>("kept", rows, kept);
    }
    return make_joined(rows, {});
}

// keepdims has no meaning beside a split, except for one of 1, as which PyTorch writes unbind.
bool keeps_axis_of(NodeContext& context) {
    if (context.attributes().flag("keepdims", true)) return true;
    if (!context.has_input(1)) return false;
    const Output split = context.input(1);
    const auto known = NodeContext::known_ints(split);
    return !known || split.shape().rank() != 0 || known->at(0) != 1;
}

}  // namespace

std::vector<Output> convert_split_to_sequence(NodeContext& context) {
    const Output data = context.input(0);
    const std::int64_t axis = context.attributes().find_int("axis").value_or(0);
    const bool keeps_axis = keeps_axis_of(context);
    if (is_open_split(context, data, axis)) {
        return {split_into_rows(context, data, axis, keeps_axis)};
    }
    const Output lengths = lengths_of(context, data, axis);
    SequenceForm form;
    form.type = data.element_type();
    if (!lengths) return {make_node<Sequence>(Tensors(), form)};
    const Output place = context.integer(axis);
    const auto node = context.make<ops::VariadicSplit>("parts", data, place, lengths);
    Tensors parts = outputs_of(node);
    if (!keeps_axis) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            parts[i] = context.make<ops::Squeeze>("part_" + std::to_string(i), parts[i], place);
        }
    }
    return {make_node<Sequence>(std::move(parts))};
}

}  // namespace rondo::onnx
