// Converts operators of sequences, and of optional values: what they hold is known while the model
// is read, or joined in one tensor, so that only tensors stay.
#include "frontend/onnx/context/sequence.hpp"

#include <optional>

#include "core/ops/movement/movement_ops.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "frontend/onnx/ops/control/joined.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using Tensors = std::vector<Output>;

std::vector<Output> made(Tensors inputs, SequenceForm form = {}) {
    return {make_node<Sequence>(std::move(inputs), std::move(form))};
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

// Among what was added to a joined sequence; empty if it isn't known to be there.
Output added_at(const Sequence& joined, const std::optional<std::int64_t>& position) {
    if (!position) return {};
    const auto front = joined.front(), back = joined.back();
    const bool is_at_end = *position < 0;
    const std::span<const Output> added = is_at_end ? back : front;
    const std::int64_t place = is_at_end ? std::ssize(back) + *position : *position;
    const bool is_there = place >= 0 && place < std::ssize(added);
    return is_there ? added[static_cast<std::size_t>(place)] : Output();
}

// At one of the ends of a sequence whose number of tensors comes with the run.
std::vector<Output> inserted(NodeContext& context, const Sequence& joined) {
    const auto place = context.has_input(2) ? known_position(context.input(2)) : std::nullopt;
    if (context.has_input(2) && place != 0) {
        throw UnsupportedError(
            "a position is given, but the sequence's number of tensors comes with the run; then it "
            "can only be 0");
    }
    SequenceForm form = joined.form();
    Output tensor = context.input(1);
    const PartialShape& whole = joined.whole().shape();
    const bool needs_rank = !tensor.shape().has_rank();
    if (needs_rank && whole.has_rank()) {
        tensor = with_rank(context, tensor, whole.rank() - (form.is_stack ? 1 : 0));
    } else if (needs_rank && form.list && form.list->declared_rank) {
        tensor = with_rank(context, tensor, *form.list->declared_rank);
    }
    note_added(form, tensor.element_type(), tensor.shape());
    Tensors inputs = joined.inputs();
    inputs.insert(place ? inputs.begin() : inputs.end(), tensor);
    if (place) ++form.front;
    return made(std::move(inputs), std::move(form));
}

// What was added last goes, or else the first or last part of a stack.
std::vector<Output> erased(NodeContext& context, const Sequence& joined, std::int64_t position) {
    if (added_at(joined, position)) {
        SequenceForm form = joined.form();
        Tensors inputs = joined.inputs();
        const auto count = static_cast<std::int64_t>(position < 0 ? inputs.size() : 0);
        inputs.erase(inputs.begin() + count + position);
        if (position >= 0) --form.front;
        return made(std::move(inputs), std::move(form));
    }
    if (position != 0 && position != -1) {
        throw UnsupportedError("the position is " + std::to_string(position) +
                               ", but the sequence's number of tensors comes with the run; "
                               "expected 0 or -1");
    }
    const std::int64_t end = position == 0 ? ops::kSliceEnd : -1;
    return {
        make_joined(context.slice(stacked(context, joined), 0, position + 1, end), joined.form())};
}

// An element of a stack, which is the last one of what a loop has gathered before, if nothing
// was added in front.
Output element(NodeContext& context, const Sequence& joined, const Output& position) {
    const auto known = known_position(position);
    const Output axis = context.integer(0);
    if (known && *known < 0 && joined.front().empty()) {
        const Output before = make_joined(joined.whole(), joined.form());
        return context.make<ops::Gather>("", stacked(context, *find_sequence(before)),
                                         context.integer(*known + std::ssize(joined.back())), axis);
    }
    return context.make<ops::Gather>("", stacked(context, joined), position, axis);
}

bool has_element(NodeContext& context) {
    if (!context.has_input(0)) return false;
    const Sequence* sequence = find_sequence(context.any_input(0));
    return sequence == nullptr || !sequence->is_nothing();
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
    return made(std::move(tensors));
}

std::vector<Output> convert_sequence_empty(NodeContext& context) {
    const auto type = find_element_type(context.attributes(), "dtype");
    return made({}, {.type = type.value_or(ElementType::f32)});
}

std::vector<Output> convert_sequence_at(NodeContext& context) {
    const Sequence& sequence = context.sequence(0);
    const Output position = context.input(1);
    const auto known = known_position(position);
    if (sequence.is_joined()) {
        const Output added = added_at(sequence, known);
        return {added ? added : element(context, sequence, position)};
    }
    const Tensors& tensors = context.tensors(0);
    if (known) return {tensors[place_of(*known, tensors.size())]};
    if (!all_have_one_shape(tensors)) {
        throw UnsupportedError(
            "the position in the sequence is known only at run time; then all tensors must have "
            "one known shape");
    }
    return {
        context.make<ops::Gather>("", joined(context, tensors, {}), position, context.integer(0))};
}

std::vector<Output> convert_sequence_insert(NodeContext& context) {
    const Sequence& sequence = context.sequence(0);
    if (sequence.is_joined()) return inserted(context, sequence);
    Tensors tensors = context.tensors(0);
    const Output tensor = context.input(1);
    std::size_t place = tensors.size();
    if (context.has_input(2)) {
        const std::int64_t position = position_of(context, 2);
        const bool is_behind = position == static_cast<std::int64_t>(tensors.size());
        place = is_behind ? tensors.size() : place_of(position, tensors.size());
    }
    tensors.insert(tensors.begin() + static_cast<std::ptrdiff_t>(place), tensor);
    return made(std::move(tensors));
}

std::vector<Output> convert_sequence_erase(NodeContext& context) {
    const std::int64_t position = context.has_input(1) ? position_of(context, 1) : -1;
    const Sequence& sequence = context.sequence(0);
    if (sequence.is_joined()) return erased(context, sequence, position);
    Tensors tensors = context.tensors(0);
    const std::size_t place = place_of(position, tensors.size());
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(place));
    return made(std::move(tensors));
}

std::vector<Output> convert_sequence_length(NodeContext& context) {
    const Sequence& sequence = context.sequence(0);
    if (sequence.is_joined()) {
        const Output shape = context.shape_of(stacked(context, sequence));
        return {context.make<ops::Gather>("", shape, context.integer(0), context.integer(0))};
    }
    const auto count = static_cast<std::int64_t>(context.tensors(0).size());
    return {context.integer(count)};
}

std::vector<Output> convert_concat_from_sequence(NodeContext& context) {
    const auto axis = context.attributes().find_int("axis");
    if (!axis) throw ModelError("attribute 'axis' is missing");
    const bool is_new = context.attributes().flag("new_axis", false);
    const Sequence& sequence = context.sequence(0);
    if (sequence.is_joined()) {
        const SequenceForm& form = sequence.form();
        if (!is_new && !form.is_stack && form.axis == *axis) return {joined(context, sequence)};
        return {join_rows(context, stacked(context, sequence), *axis, is_new)};
    }
    Tensors tensors = context.tensors(0);
    if (tensors.empty()) throw UnsupportedError("the sequence is empty");
    for (std::size_t i = 0; is_new && i < tensors.size(); ++i) {
        tensors[i] = context.make<ops::Unsqueeze>("part_" + std::to_string(i), tensors[i],
                                                  context.integer(*axis));
    }
    return {context.concat(std::move(tensors), *axis)};
}

std::vector<Output> convert_optional(NodeContext& context) {
    context.attributes().skip("type");  // the value has it
    if (!context.has_input(0)) return made({}, {.kind = SequenceForm::Kind::nothing});
    return {context.any_input(0)};
}

std::vector<Output> convert_optional_has_element(NodeContext& context) {
    return {
        context.constant(filled_tensor(ElementType::boolean, {}, has_element(context) ? 1 : 0))};
}

std::vector<Output> convert_optional_get_element(NodeContext& context) {
    if (!has_element(context)) throw ModelError("the optional value has no element");
    return {context.any_input(0)};
}

}  // namespace rondo::onnx
