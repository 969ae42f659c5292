#include "core/ops/state/read_value.hpp"

#include "core/graph/infer_context.hpp"

namespace rondo::ops {
namespace {

void check_id(const InferContext& context, const ReadValueBase& node) {
    context.check(!node.variable_id().empty(), "variable_id is missing or empty");
}

}  // namespace

void ReadValue::infer(InferContext& context) const {
    check_id(context, *this);
    context.check_input_count(0, 1);
    ElementType type = type_;
    if (context.input_count() == 1) {
        const ElementType init = context.type(0);
        if (type == ElementType::dynamic) type = init;
        context.check(init == type || init == ElementType::dynamic,
                      "the init input is " + std::string(to_string(init)) +
                          "; expected the variable's type " + std::string(to_string(type)));
        context.check(context.shape(0).intersect(shape_).has_value(),
                      "the init input has shape " + to_string(context.shape(0)) +
                          "; expected the variable's " + to_string(shape_));
    } else {
        context.check(type != ElementType::dynamic,
                      "variable_type is missing or 'dynamic', and there is no init input; expected "
                      "a type such as f32");
        context.check(shape_.has_rank(),
                      "variable_shape has no rank, and there is no init input; expected a shape "
                      "such as 1,128");
    }
    context.set_output(0, type, shape_);
}

void ReadValue3::infer(InferContext& context) const {
    check_id(context, *this);
    context.check_input_count(1, 1);
    context.set_output(0, context.type(0), context.shape(0));
}

}  // namespace rondo::ops
