// Converts operators of sequences, and of optional values: what they hold is known while the model
// is read, or rows of one tensor, so that only tensors stay.
#include "frontend/onnx/context/sequence.hpp"

#include <algorithm>
#include <numeric>

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/unsqueeze.hpp"
#include "core/ops/movement/variadic_split.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using Tensors = std::vector<Output>;

constexpr std::int64_t kMaxTensors = 100'000;

std::vector<Output> made(NodeContext& context, Tensors tensors) {
    return {context.make<Sequence>("", std::move(tensors))};
}

std::vector<Output> construct(NodeContext& context) {
    Tensors tensors = context.all_inputs(1);
    for (const Output& tensor : tensors) {
        const ElementType type = tensor.element_type();
        if (type == tensors[0].element_type()) continue;
        throw ModelError("the tensors are " + std::string(to_string(tensors[0].element_type())) +
                         " and " + std::string(to_string(type)) + "; expected one element type");
    }
    return made(context, std::move(tensors));
}

std::vector<Output> empty(NodeContext& context) {
    context.attributes().skip("dtype");  // tensors that are inserted have it
    return made(context, {});
}

// The place that the integer means among `count`, counted from the end if it is negative.
std::size_t place_of(std::int64_t position, std::size_t count) {
    const auto size = static_cast<std::int64_t>(count);
    const std::int64_t place = position < 0 ? position + size : position;
    if (place >= 0 && place < size) return static_cast<std::size_t>(place);
    throw ModelError("the position is " + std::to_string(position) + "; expected one in [" +
                     std::to_string(-size) + ", " + std::to_string(size) + ")");
}

std::optional<std::int64_t> known_position(const Output& position) {
    const auto known = NodeContext::known_ints(position);
    return known && known->size() == 1 ? std::optional((*known)[0]) : std::nullopt;
}

std::int64_t position_of(NodeContext& context, std::size_t index) {
    if (const auto known = known_position(context.input(index))) return *known;
    throw UnsupportedError("the position in the sequence is known only at run time");
}

bool all_have_one_shape(const Tensors& tensors) {
    for (const Output& tensor : tensors) {
        if (!tensor.shape().is_static() || tensor.shape() != tensors[0].shape()) return false;
    }
    return !tensors.empty();
}

// The tensor [n, ...] of a sequence that is its rows; empty for others.
Output rows_of(NodeContext& context) {
    const Output value = context.any_input(0);
    const auto* rows = as_op<Rows>(value.node());
    return rows != nullptr ? rows->input(0) : Output();
}

Output make_row(NodeContext& context, const std::string& role, const Output& tensor) {
    return context.make<ops::Unsqueeze>(role, tensor, make_ints(context, role + "/axis", {0}));
}

std::vector<Output> at(NodeContext& context) {
    if (const Output rows = rows_of(context)) {
        return {context.make<ops::Gather>("", rows, context.input(1),
                                          make_int_scalar(context, "axis", 0))};
    }
    const Tensors tensors = context.sequence(0);
    const Output position = context.input(1);
    if (const auto known = known_position(position)) {
        return {tensors[place_of(*known, tensors.size())]};
    }
    if (!all_have_one_shape(tensors)) {
        throw UnsupportedError(
            "the position in the sequence is known only at run time; then all tensors must have "
            "one known shape");
    }
    const Output axis = make_int_scalar(context, "axis", 0);
    Tensors rows;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        rows.push_back(context.make<ops::Unsqueeze>("row_" + std::to_string(i), tensors[i], axis));
    }
    const Output joined = make_concat(context, "rows", std::move(rows), 0);
    return {context.make<ops::Gather>("", joined, position, axis)};
}

// At the end of a sequence whose length isn't known.
std::vector<Output> append(NodeContext& context, const Output& value) {
    if (context.has_input(2)) {
        throw UnsupportedError(
            "a position is given, but the sequence's number of tensors comes with the run");
    }
    if (const auto* rows = as_op<Rows>(value.node())) {
        const Output row = make_row(context, "row", context.input(1));
        return {make_node<Rows>(make_concat(context, "rows", {rows->input(0), row}, 0))};
    }
    const auto& growing = static_cast<const Growing&>(value.node());
    if (growing.slot() == Growing::kForeign || growing.input_count() > 0) {
        throw UnsupportedError(
            "a loop adds more than one tensor to a sequence in an iteration, or not in each one");
    }
    return {make_node<Growing>(growing.slot(), context.input(1))};
}

std::vector<Output> insert(NodeContext& context) {
    const Output value = context.any_input(0);
    const bool is_open = as_op<Rows>(value.node()) || as_op<Growing>(value.node());
    if (is_open) return append(context, value);
    Tensors tensors = context.sequence(0);
    const Output tensor = context.input(1);
    std::size_t place = tensors.size();
    if (context.has_input(2)) {
        const std::int64_t position = position_of(context, 2);
        const bool is_behind = position == static_cast<std::int64_t>(tensors.size());
        place = is_behind ? tensors.size() : place_of(position, tensors.size());
    }
    tensors.insert(tensors.begin() + static_cast<std::ptrdiff_t>(place), tensor);
    return made(context, std::move(tensors));
}

std::vector<Output> erase(NodeContext& context) {
    if (const Output rows = rows_of(context); rows && !context.has_input(1)) {
        const auto ends = [&](const char* role, std::int64_t value) {
            return make_ints(context, role, {value});
        };
        return {make_node<Rows>(context.make<ops::Slice>(
            "rows", rows, ends("from", 0), ends("to", -1), ends("step", 1), ends("axis", 0)))};
    }
    Tensors tensors = context.sequence(0);
    const std::int64_t position = context.has_input(1) ? position_of(context, 1) : -1;
    const std::size_t place = place_of(position, tensors.size());
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(place));
    return made(context, std::move(tensors));
}

std::vector<Output> length(NodeContext& context) {
    if (const Output rows = rows_of(context)) {
        const Output shape = make_shape_of(context, "shape", rows);
        return {context.make<ops::Gather>("", shape, make_int_scalar(context, "index", 0),
                                          make_int_scalar(context, "axis", 0))};
    }
    const auto count = static_cast<std::int64_t>(context.sequence(0).size());
    return {make_int_scalar(context, "", count)};
}

// Axes `at` and the next one of x become one; the extents come with the run.
Output joined_open(NodeContext& context, const Output& x, std::size_t at) {
    const Output shape = make_shape_of(context, "shape", x);
    std::vector<Output> extents;
    for (std::size_t i = 0; i < x.shape().rank(); ++i) {
        extents.push_back(make_element(context, "extent", shape, static_cast<std::int64_t>(i)));
    }
    extents[at] = context.make<ops::Binary>("joined", ops::BinaryFunction::multiply, extents[at],
                                            extents[at + 1]);
    extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    return context.make<ops::Reshape>("", x, make_concat(context, "joined_shape", extents, 0),
                                      false);
}

// Rows [n, d0, ..., dk] joined along an axis of their own, or along a new one.
Output joined_rows(NodeContext& context, const Output& rows, std::int64_t axis, bool is_new) {
    if (!rows.shape().has_rank()) throw UnsupportedError("the rank of the tensors isn't known");
    const std::size_t rank = rows.shape().rank() - 1;
    const InferContext place(context.name(), "ConcatFromSequence", {});
    const std::size_t at = normalize_axis(place, axis, is_new ? rank + 1 : rank);
    std::vector<std::int64_t> order(rank + 1);
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + 1,
                order.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    if (is_new) return make_transpose(context, "", rows, order);
    const Output moved = make_transpose(context, "moved", rows, order);
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
    return make_reshape(context, "", moved, pattern);
}

std::vector<Output> concat(NodeContext& context) {
    const auto axis = context.attributes().find_int("axis");
    if (!axis) throw ModelError("attribute 'axis' is missing");
    const bool is_new = context.attributes().flag("new_axis", false);
    if (const Output rows = rows_of(context)) {
        return {joined_rows(context, rows, *axis, is_new)};
    }
    Tensors tensors = context.sequence(0);
    if (tensors.empty()) throw UnsupportedError("the sequence is empty");
    if (is_new) {
        const Output place = make_int_scalar(context, "axis", *axis);
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            tensors[i] =
                context.make<ops::Unsqueeze>("part_" + std::to_string(i), tensors[i], place);
        }
    }
    return {make_concat(context, "", std::move(tensors), *axis)};
}

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

std::vector<std::int64_t> lengths_of(NodeContext& context, const Output& data, std::int64_t axis) {
    const Output split = context.optional_input(1);
    if (!split) return chunks_of(known_extent(context, data, axis), 1);
    const auto known = NodeContext::known_ints(split);
    if (!known) throw UnsupportedError("split is known only at run time");
    if (split.shape().rank() > 0) return *known;
    return chunks_of(known_extent(context, data, axis), known->at(0));
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
    Output rows = at == 0 ? data : make_transpose(context, "rows", data, order);
    if (keeps_axis) {
        const Output kept = make_ints(context, "kept/axis", {static_cast<std::int64_t>(at) + 1});
        rows = context.make<ops::Unsqueeze>("kept", rows, kept);
    }
    return make_node<Rows>(rows);
}

std::vector<Output> split(NodeContext& context) {
    const Output data = context.input(0);
    const std::int64_t axis = context.attributes().find_int("axis").value_or(0);
    const bool keeps_axis = context.attributes().flag("keepdims", true) || context.has_input(1);
    if (is_open_split(context, data, axis)) {
        return {split_into_rows(context, data, axis, keeps_axis)};
    }
    const auto lengths = lengths_of(context, data, axis);
    if (lengths.empty()) return made(context, {});
    const Output place = make_int_scalar(context, "axis", axis);
    const auto node = context.make<ops::VariadicSplit>("parts", data, place,
                                                       make_ints(context, "lengths", lengths));
    Tensors parts = outputs_of(node);
    if (!keeps_axis) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            parts[i] = context.make<ops::Squeeze>("part_" + std::to_string(i), parts[i], place);
        }
    }
    return made(context, std::move(parts));
}

std::vector<Output> optional(NodeContext& context) {
    context.attributes().skip("type");  // the value has it
    if (!context.has_input(0)) return {context.make<EmptyOptional>("")};
    return {context.any_input(0)};
}

bool has_element(NodeContext& context) {
    return context.has_input(0) && !as_op<EmptyOptional>(context.any_input(0).node());
}

std::vector<Output> optional_has_element(NodeContext& context) {
    return {make_filled(context, "", ElementType::boolean, {}, has_element(context) ? 1 : 0)};
}

std::vector<Output> optional_get_element(NodeContext& context) {
    if (!has_element(context)) throw ModelError("the optional value has no element");
    return {context.any_input(0)};
}

// keep-sorted
constexpr OpEntry kEntries[] = {
    {"", "ConcatFromSequence", 11, concat},
    {"", "Optional", 15, optional},
    {"", "OptionalGetElement", 15, optional_get_element},
    {"", "OptionalHasElement", 15, optional_has_element},
    {"", "SequenceAt", 11, at},
    {"", "SequenceConstruct", 11, construct},
    {"", "SequenceEmpty", 11, empty},
    {"", "SequenceErase", 11, erase},
    {"", "SequenceInsert", 11, insert},
    {"", "SequenceLength", 11, length},
    {"", "SplitToSequence", 11, split},
};

}  // namespace

std::span<const OpEntry> sequence_converters() { return kEntries; }

}  // namespace rondo::onnx
