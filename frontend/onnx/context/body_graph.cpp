#include "frontend/onnx/context/body_graph.hpp"

#include <algorithm>

#include "core/ops/control/control_ops.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

PartialShape without_first(const PartialShape& shape) {
    if (!shape.has_rank()) return {};
    return std::vector<Dimension>(shape.dimensions().begin() + 1, shape.dimensions().end());
}

// What the tensors are that the list holds when the loop begins, or that the body adds. A whole
// that is no stack counts as one of them.
BodyValue tensor_of(const LoopList& list) {
    const Sequence& start = *find_sequence(list.start);
    std::vector<BodyValue> known;
    for (std::size_t i = 0; i < start.input_count(); ++i) {
        const Output& input = start.input(i);
        const bool is_stack = start.is_joined() && start.form().is_stack && i == start.form().front;
        known.push_back(
            {input.element_type(), is_stack ? without_first(input.shape()) : input.shape()});
    }
    if (list.has_added) known.push_back({list.type, list.shape});
    if (known.empty()) {
        known.push_back({start.form().type, {}});
        if (list.declared_rank) known[0].shape = PartialShape::of_rank(*list.declared_rank);
    }
    for (const BodyValue& other : known) {
        known[0].shape = ops::common_shape(known[0].shape, other.shape);
    }
    return known[0];
}

}  // namespace

BodyValue whole_of(const SequenceForm& form) {
    BodyValue whole = tensor_of(*form.list);
    // What comes into an empty list may have another type than it declares.
    if (!whole.shape.has_rank()) whole.type = ElementType::dynamic;
    if (form.is_stack) {
        whole.shape = stacked_shape(whole.shape, Dimension());
    } else if (whole.shape.has_rank()) {
        const InferContext place("", "Loop", {});
        whole.shape[normalize_axis(place, form.axis, whole.shape.rank())] = Dimension();
    }
    return whole;
}

BodyValue known_whole_of(const SequenceForm& form) {
    const BodyValue whole = whole_of(form);
    if (whole.shape.has_rank() && whole.type != ElementType::dynamic) return whole;
    // A sequence of a loop around this one must first get tensors of a known kind there.
    const LoopList& list = *form.list;
    const SequenceForm& outer = find_sequence(list.start)->form();
    if (list.has_added) note_added(outer, list.type, list.shape);
    if (outer.list) throw ListIsRead{outer.list};
    throw UnsupportedError(
        "the body reads a sequence that the loop fills, but neither what is added nor a "
        "declaration shows the type and rank of its tensors");
}

bool prepare_to_read(const ListIsRead& read, BodyRequest& request) {
    const auto at = std::ranges::find_if(request.inputs, [&](const BodyValue& value) {
        return value.form && value.form->list == read.list;
    });
    if (at == request.inputs.end()) return false;
    const Sequence& start = *find_sequence(read.list->start);
    if (read.needs_stack && !at->form->is_stack) {
        if (start.is_joined() && start.form().list) throw ListIsRead{start.form().list, true};
        if (start.is_joined()) {
            throw UnsupportedError("tensors of a sequence whose extents differ can only be joined");
        }
        at->form->is_stack = true;
        at->form->axis = 0;
    }
    at->tensors = {known_whole_of(*at->form)};
    return true;
}

}  // namespace rondo::onnx
