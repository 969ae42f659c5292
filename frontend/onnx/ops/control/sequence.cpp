// Converts operators of sequences, and of optional values: what they hold is known while the model
// is read, or rows of one tensor, so that only tensors stay.
#include "frontend/onnx/context/sequence.hpp"

#include <limits>

#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "frontend/onnx/ops/control/rows.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using Tensors = std::vector<Output>;

std::vector<Output> made(NodeContext& context, Tensors tensors) {
    return {context.make<Sequence>("", std::move(tensors))};
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

// The body is to be read again with more of the list than it has now.
[[noreturn]] void need_more(const LoopListPtr& list, bool is_last_enough = false) {
    if (list) throw ListIsRead{list, is_last_enough};
    throw UnsupportedError(
        "the tensors of the sequence may have different shapes; then they can only be joined");
}

// The tensor [n, ...] of a sequence that is its rows; empty for lists of known length.
Output rows_of(NodeContext& context) {
    const Output value = context.any_input(0);
    if (const auto* list = as_op<Growing>(value.node())) need_more(list->list());
    if (const auto* joined = as_op<Joined>(value.node())) need_more(joined->list());
    const auto* rows = as_op<Rows>(value.node());
    return rows != nullptr ? rows->input(0) : Output();
}

// Among what the body has added, or the last one before.
Output added_at(const Growing& list, const Output& position) {
    const AddedCounts& counts = list.counts();
    const auto place = known_position(position);
    if (!place) need_more(list.list());
    const auto size = static_cast<std::int64_t>(list.input_count());
    const auto back = static_cast<std::int64_t>(counts.back);
    if (*place >= 0) {
        if (*place >= static_cast<std::int64_t>(counts.front)) need_more(list.list());
        return list.input(counts.last + static_cast<std::size_t>(*place));
    }
    if (*place >= -back) return list.input(static_cast<std::size_t>(size + *place));
    if (*place < -back - 1) need_more(list.list());
    if (counts.last == 0) need_more(list.list(), true);
    return list.input(0);
}

std::vector<Output> grow(NodeContext& context, const Growing& list, bool in_front) {
    Output tensor = context.input(1);
    const auto rank = list.list()->declared_rank;
    if (rank && !tensor.shape().has_rank()) tensor = with_rank(context, "ranked", tensor, *rank);
    note_added(*list.list(), tensor.element_type(), tensor.shape());
    AddedCounts counts = list.counts();
    Tensors tensors = list.inputs();
    const std::size_t place = in_front ? counts.last : tensors.size();
    tensors.insert(tensors.begin() + static_cast<std::ptrdiff_t>(place), tensor);
    ++(in_front ? counts.front : counts.back);
    return {make_node<Growing>(list.list(), counts, std::move(tensors))};
}

// Into a sequence whose length isn't known, at one of its ends.
std::vector<Output> insert_at_end(NodeContext& context, const Output& value) {
    const auto* list = as_op<Growing>(value.node());
    const auto place = context.has_input(2) ? known_position(context.input(2)) : std::nullopt;
    if (context.has_input(2) && place != 0) {
        if (list != nullptr) need_more(list->list());
        throw UnsupportedError(
            "a position is given, but the sequence's number of tensors comes with the run; then it "
            "can only be 0");
    }
    if (list != nullptr) return grow(context, *list, place.has_value());
    const Output there = value.node().input(0);
    Output tensor = context.input(1);
    if (const auto* joined = as_op<Joined>(value.node())) {
        if (!tensor.shape().has_rank() && there.shape().has_rank()) {
            tensor = with_rank(context, "ranked", tensor, there.shape().rank());
        }
        const Output whole = add_part(context, there, tensor, joined->axis(), place.has_value());
        return {make_node<Joined>(whole, joined->axis(), joined->list())};
    }
    if (!tensor.shape().has_rank() && there.shape().has_rank()) {
        tensor = with_rank(context, "ranked", tensor, there.shape().rank() - 1);
    }
    const Output row = make_row(context, "row", tensor);
    return {make_node<Rows>(add_part(context, there, row, 0, place.has_value()))};
}

// What the body has added last goes; empty where it has added nothing there.
Output without_added(const Growing& list, std::int64_t position) {
    AddedCounts counts = list.counts();
    Tensors tensors = list.inputs();
    if (position == -1 && counts.back > 0) {
        tensors.pop_back();
        --counts.back;
    } else if (position == 0 && counts.front > 0) {
        tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(counts.last));
        --counts.front;
    } else {
        need_more(list.list());
    }
    return make_node<Growing>(list.list(), counts, std::move(tensors));
}

bool has_element(NodeContext& context) {
    return context.has_input(0) && !as_op<EmptyOptional>(context.any_input(0).node());
}

}  // namespace

std::vector<Output> convert_sequence_construct(NodeContext& context) {
    Tensors tensors = context.all_inputs(1);
    for (const Output& tensor : tensors) {
        const ElementType type = tensor.element_type();
        if (type == tensors[0].element_type()) continue;
        throw ModelError("the tensors are " + std::string(to_string(tensors[0].element_type())) +
                         " and " + std::string(to_string(type)) + "; expected one element type");
    }
    return made(context, std::move(tensors));
}

std::vector<Output> convert_sequence_empty(NodeContext& context) {
    const auto type = find_element_type(context.attributes(), "dtype");
    return {context.make<Sequence>("", type.value_or(ElementType::f32))};
}

std::vector<Output> convert_sequence_at(NodeContext& context) {
    if (const auto* list = as_op<Growing>(context.any_input(0).node())) {
        return {added_at(*list, context.input(1))};
    }
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

std::vector<Output> convert_sequence_insert(NodeContext& context) {
    const Output value = context.any_input(0);
    const bool is_open =
        as_op<Rows>(value.node()) || as_op<Growing>(value.node()) || as_op<Joined>(value.node());
    if (is_open) return insert_at_end(context, value);
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

std::vector<Output> convert_sequence_erase(NodeContext& context) {
    const std::int64_t position = context.has_input(1) ? position_of(context, 1) : -1;
    if (const auto* list = as_op<Growing>(context.any_input(0).node())) {
        return {without_added(*list, position)};
    }
    if (const Output rows = rows_of(context)) {
        if (position != 0 && position != -1) {
            throw UnsupportedError("the position is " + std::to_string(position) +
                                   ", but the sequence's number of tensors comes with the run; "
                                   "expected 0 or -1");
        }
        const auto ends = [&](const char* role, std::int64_t value) {
            return make_ints(context, role, {value});
        };
        const Output from = ends("from", position + 1);
        const Output to = ends("to", position == 0 ? std::numeric_limits<std::int64_t>::max() : -1);
        return {make_node<Rows>(
            context.make<ops::Slice>("rows", rows, from, to, ends("step", 1), ends("axis", 0)))};
    }
    Tensors tensors = context.sequence(0);
    const std::size_t place = place_of(position, tensors.size());
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(place));
    return made(context, std::move(tensors));
}

std::vector<Output> convert_sequence_length(NodeContext& context) {
    if (const Output rows = rows_of(context)) {
        const Output shape = make_shape_of(context, "shape", rows);
        return {context.make<ops::Gather>("", shape, make_int_scalar(context, "index", 0),
                                          make_int_scalar(context, "axis", 0))};
    }
    const auto count = static_cast<std::int64_t>(context.sequence(0).size());
    return {make_int_scalar(context, "", count)};
}

std::vector<Output> convert_concat_from_sequence(NodeContext& context) {
    const auto axis = context.attributes().find_int("axis");
    if (!axis) throw ModelError("attribute 'axis' is missing");
    const bool is_new = context.attributes().flag("new_axis", false);
    if (const auto* joined = as_op<Joined>(context.any_input(0).node())) {
        if (!is_new && joined->axis() == *axis) return {joined->input(0)};
    }
    if (const Output rows = rows_of(context)) return {join_rows(context, rows, *axis, is_new)};
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

std::vector<Output> convert_optional(NodeContext& context) {
    context.attributes().skip("type");  // the value has it
    if (!context.has_input(0)) return {context.make<EmptyOptional>("")};
    return {context.any_input(0)};
}

std::vector<Output> convert_optional_has_element(NodeContext& context) {
    return {make_filled(context, "", ElementType::boolean, {}, has_element(context) ? 1 : 0)};
}

std::vector<Output> convert_optional_get_element(NodeContext& context) {
    if (!has_element(context)) throw ModelError("the optional value has no element");
    return {context.any_input(0)};
}

}  // namespace rondo::onnx
