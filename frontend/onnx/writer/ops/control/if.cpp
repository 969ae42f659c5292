// Writes If; its branches read what they need by name.
#include "core/ops/control/if.hpp"

#include <algorithm>

#include "frontend/onnx/writer/ops/control/body_draft.hpp"
#include "frontend/onnx/writer/ops/control/writers.hpp"

namespace rondo::onnx {
namespace {

void write_branch(WriteContext& context, std::size_t branch, const Names& inputs, NewNode& node) {
    const auto& op = context.op<ops::If>();
    const Graph& graph = *op.bodies()[branch];
    const bool is_then = branch == ops::If::kThen;
    const std::string name = context.node().name() + (is_then ? "/then" : "/else");
    BodyDraft body(context, graph, node.add_graph(is_then ? "then_branch" : "else_branch", name));
    for (const auto& port : op.ports(branch).inputs) {
        body.set_parameter(port.parameter, inputs[port.input]);
    }
    body.write_nodes();
    std::vector<std::size_t> results(op.output_count());
    for (const auto& port : op.ports(branch).outputs) results[port.output] = port.result;
    for (const std::size_t result : results) body.add_result(result);
}

}  // namespace

Names write_if(WriteContext& context) {
    const Names inputs = context.inputs();
    NewNode node = context.emit("If", {inputs[0]}, context.node().output_count());
    write_branch(context, ops::If::kThen, inputs, node);
    write_branch(context, ops::If::kElse, inputs, node);
    return node.outputs();
}

}  // namespace rondo::onnx
