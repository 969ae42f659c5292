#include "plugins/cpu/plugin/program.hpp"

#include <unordered_map>

#include "core/ops/constant.hpp"
#include "core/ops/parameter.hpp"
#include "core/ops/result.hpp"
#include "plugins/cpu/nodes/node_list.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

class Builder {
public:
    Builder(Program& program, const CompileContext& context)
        : program_(program), context_(context) {}

    void add(const NodePtr& node) {
        first_value_[node.get()] = program_.constants.size();
        program_.constants.resize(program_.constants.size() + node->output_count());
        if (const auto constant = as<ops::Constant>(node)) {
            program_.constants.back() = constant->value().contiguous();
        } else if (!as<ops::Parameter>(node) && !as<ops::Result>(node)) {
            program_.steps.push_back(make_step(*node));
        }
    }

    ValueId value_of(const Output& output) const {
        return first_value_.at(&output.node()) + output.index();
    }

private:
    Step make_step(const Node& node) const {
        Step step{make_cpu_node(node, context_), {}, {}};
        for (const auto& source : node.inputs()) step.inputs.push_back(value_of(source));
        for (std::size_t i = 0; i < node.output_count(); ++i) {
            step.outputs.push_back(first_value_.at(&node) + i);
        }
        return step;
    }

    Program& program_;
    const CompileContext& context_;
    std::unordered_map<const Node*, ValueId> first_value_;
};

}  // namespace

Program make_program(std::shared_ptr<Graph> graph, const CompileContext& context) {
    if (!graph->sinks().empty()) {
        throw UnsupportedError(describe(*graph->sinks().front()) +
                               ": the CPU device can't run stateful ops");
    }
    Program program;
    Builder builder(program, context);
    for (const auto& node : graph->ordered_nodes()) builder.add(node);
    for (const auto& node : graph->parameters()) {
        program.parameters.push_back(builder.value_of(node));
    }
    for (const auto& node : graph->results()) {
        program.results.push_back(builder.value_of(node->input(0)));
    }
    program.graph = std::move(graph);
    return program;
}

}  // namespace rondo::cpu
