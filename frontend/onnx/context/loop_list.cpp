#include "frontend/onnx/context/sequence.hpp"

#include <algorithm>

#include "core/graph/infer_context.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Extents that differ are open.
PartialShape common_shape(const PartialShape& a, const PartialShape& b) {
    if (!a.has_rank() || !b.has_rank() || a.rank() != b.rank()) return {};
    std::vector<Dimension> extents;
    for (std::size_t i = 0; i < a.rank(); ++i) {
        extents.push_back(a[i] == b[i] ? a[i] : Dimension());
    }
    return {std::move(extents)};
}

struct Form {
    ElementType type = ElementType::dynamic;
    PartialShape shape;
};

// What all tensors are that the list has when the loop begins, or that the body adds.
Form tensor_form(const LoopList& list) {
    const Node& start = list.start.node();
    if (const auto* rows = as_op<Rows>(start)) {
        const PartialShape& shape = rows->input(0).shape();
        if (!shape.has_rank()) return {rows->input(0).element_type(), {}};
        return {rows->input(0).element_type(),
                PartialShape(std::vector<Dimension>(shape.dimensions().begin() + 1,
                                                    shape.dimensions().end()))};
    }
    if (as_op<Joined>(start)) return {start.input(0).element_type(), start.input(0).shape()};
    if (start.input_count() > 0) {
        Form form{start.input(0).element_type(), start.input(0).shape()};
        for (const Output& tensor : start.inputs()) {
            form.shape = common_shape(form.shape, tensor.shape());
        }
        return form;
    }
    Form form{static_cast<const Sequence&>(start).element_type(), list.shape};
    if (list.type != ElementType::dynamic) form.type = list.type;
    if (!form.shape.has_rank() && list.declared_rank) {
        form.shape = PartialShape::of_rank(*list.declared_rank);
    }
    return form;
}

// A list of a loop around this one must first get a form there that this loop can go on with.
Form known_form(const LoopList& list) {
    if (const auto* outer = as_op<Growing>(list.start.node())) {
        if (list.has_added) note_added(*outer->list(), list.type, list.shape);
        throw ListIsRead{outer->list()};
    }
    Form form = tensor_form(list);
    if (form.shape.has_rank() && form.type != ElementType::dynamic) return form;
    throw UnsupportedError(
        "the body reads a sequence that the loop fills, but neither what is added nor a "
        "declaration shows the type and rank of its tensors");
}

}  // namespace

void note_added(LoopList& list, ElementType type, const PartialShape& shape) {
    if (list.type == ElementType::dynamic) list.type = type;
    list.shape = list.has_added ? common_shape(list.shape, shape) : shape;
    list.has_added = true;
}

bool is_ragged(const LoopList& list) {
    if (!list.axis || !list.has_added) return false;
    const Node& start = list.start.node();
    const bool starts_with_tensors =
        as_op<Rows>(start) || (as_op<Sequence>(start) && start.input_count() > 0);
    const PartialShape shape =
        starts_with_tensors ? common_shape(list.shape, tensor_form(list).shape) : list.shape;
    if (!shape.has_rank()) return false;
    const auto rank = static_cast<std::int64_t>(shape.rank());
    const std::int64_t axis = *list.axis < 0 ? *list.axis + rank : *list.axis;
    return axis >= 0 && axis < rank && !shape[static_cast<std::size_t>(axis)].is_static();
}

void make_rows(BodyValue& value) {
    if (const auto* joined = as_op<Joined>(value.list->start.node())) {
        if (joined->list()) throw ListIsRead{joined->list()};
        throw UnsupportedError("tensors of a sequence whose extents differ can only be joined");
    }
    const Form form = known_form(*value.list);
    std::vector<Dimension> extents{Dimension()};
    const auto& own = form.shape.dimensions();
    extents.insert(extents.end(), own.begin(), own.end());
    value.form = BodyValue::Form::rows;
    value.tensors = {{form.type, PartialShape(std::move(extents))}};
}

void make_joined(BodyValue& value) {
    Form form = known_form(*value.list);
    const InferContext place("", "Loop", {});
    form.shape[normalize_axis(place, *value.list->axis, form.shape.rank())] = Dimension();
    value.form = BodyValue::Form::joined;
    value.tensors = {{form.type, form.shape}};
}

bool give_next_form(const ListIsRead& read, BodyRequest& request) {
    using Form = BodyValue::Form;
    const auto at = std::find_if(request.inputs.begin(), request.inputs.end(),
                                 [&](const BodyValue& value) { return value.list == read.list; });
    if (at == request.inputs.end()) return false;
    const auto* start = as_op<Sequence>(read.list->start.node());
    const bool has_last = start != nullptr && start->input_count() > 0;
    if (at->form == Form::growing && at->tensors.empty() && read.is_last_enough && has_last) {
        const Output last = start->inputs().back();
        at->tensors = {{last.element_type(), last.shape()}};
    } else if (at->form == Form::growing && read.list->axis && !read.is_last_enough) {
        make_joined(*at);
    } else {
        make_rows(*at);
    }
    return true;
}

}  // namespace rondo::onnx
