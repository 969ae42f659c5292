// Runs one of two graphs.
#include "core/ops/control/control_ops.hpp"
#include "core/support/strings.hpp"

namespace rondo::ops {

void If::check_branch(const InferContext& context, std::size_t branch) const {
    const BodyPorts& own = ports(branch);
    check_ports(context, own, *bodies()[branch]);
    for (const BodyInput& port : own.inputs) {
        context.check(!port.slice && !port.back_edge && port.input > 0,
                      "input " + std::to_string(port.input) +
                          " of a branch is the condition, cut into parts, or has a back edge");
    }
    for (const BodyOutput& port : own.outputs) {
        context.check(!port.concat, "output " + std::to_string(port.output) +
                                        " of a branch is joined from several iterations");
    }
}

bool If::may_run(const InferContext& context, std::size_t body) const {
    const auto condition = known_flag(context, 0, "the condition");
    return !condition || *condition == (body == kThen);
}

std::vector<InferInput> If::body_inputs(const InferContext& context, std::size_t body) const {
    std::vector<InferInput> inputs(bodies()[body]->parameters().size());
    for (const BodyInput& port : ports(body).inputs) {
        inputs[port.parameter] = {context.type(port.input), context.shape(port.input),
                                  context.value(port.input)};
    }
    return inputs;
}

void If::infer_branch(InferContext& context, std::size_t branch) const {
    const auto results = infer_body(context, branch, body_inputs(context, branch));
    for (const BodyOutput& port : ports(branch).outputs) {
        context.set_output(port.output, results[port.result].type, results[port.result].shape);
    }
}

void If::infer(InferContext& context) const {
    context.check(context.input_count() >= 1, "the condition is missing");
    const auto condition = known_flag(context, 0, "the condition");
    check_bodies(context);
    for (const std::size_t branch : {kThen, kElse}) check_branch(context, branch);
    context.check(ports(kThen).outputs.size() == ports(kElse).outputs.size(),
                  "then_body has " + counted(ports(kThen).outputs.size(), "output") +
                      " and else_body " + std::to_string(ports(kElse).outputs.size()));
    // Only the branch that is taken must suit the inputs.
    if (condition) return infer_branch(context, *condition ? kThen : kElse);
    infer_branch(context, kThen);
    const std::vector<InferOutput> first = context.outputs();
    infer_branch(context, kElse);
    const std::vector<InferOutput> second = context.outputs();
    for (std::size_t i = 0; i < first.size(); ++i) {
        const ElementType type =
            first[i].type == ElementType::dynamic ? second[i].type : first[i].type;
        context.check(second[i].type == type || second[i].type == ElementType::dynamic,
                      "output " + std::to_string(i) + " is " +
                          std::string(to_string(first[i].type)) + " in then_body and " +
                          std::string(to_string(second[i].type)) + " in else_body");
        context.set_output(i, type, common_shape(first[i].shape, second[i].shape));
    }
}

}  // namespace rondo::ops
