#include "plugins/cpu/plugin/plan/program.hpp"

#include <unordered_map>

#include "core/ops/source/constant.hpp"
#include "core/ops/source/parameter.hpp"
#include "core/ops/source/result.hpp"
#include "core/ops/state/assign.hpp"
#include "core/ops/state/variables.hpp"
#include "plugins/cpu/nodes/node_list.hpp"
#include "plugins/cpu/nodes/product/matmul_node.hpp"

namespace rondo::cpu {
namespace {

class Builder {
public:
    Builder(Program& program, const CompileContext& context)
        : program_(program), context_(context) {}

    void add(const NodePtr& node) {
        if (as<ops::AssignBase>(node)) {  // hands its input on
            first_value_[node.get()] = value_of(node->input(0));
            return;
        }
        first_value_[node.get()] = program_.constants.size();
        program_.constants.resize(program_.constants.size() + node->output_count());
        if (const auto constant = as<ops::Constant>(node)) {
            program_.constants.back() = constant->value().contiguous();
        } else if (!as<ops::Parameter>(node) && !as<ops::Result>(node)) {
            add_step(*node);
        }
    }

    void add_variables(const Graph& graph) {
        for (const auto& variable : ops::variables_of(graph)) {
            const std::size_t index = program_.read.size();
            for (auto& step : program_.steps) {
                if (&step.node() == variable.read.get()) step.variable = index;
            }
            program_.read.push_back(value_of(variable.read));
            program_.assigned.push_back(value_of(variable.assign->input(0)));
        }
    }

    ValueId value_of(const Output& output) const {
        return first_value_.at(&output.node()) + output.index();
    }

private:
    // A product waits for the bias behind it, and then stands in its place.
    void add_step(const Node& node) {
        if (const Node* bias = absorbable_bias(node)) {
            product_of_[bias] = &node;
        } else if (const auto product = product_of_.find(&node); product != product_of_.end()) {
            auto kernel = make_biased_matmul_node(*product->second, node, context_);
            program_.steps.push_back(make_step(std::move(kernel), node));
            program_.steps.back().absorbed = &node;
        } else {
            program_.steps.push_back(make_step(make_cpu_node(node, context_), node));
        }
    }

    Step make_step(std::unique_ptr<CpuNode> kernel, const Node& last) const {
        Step step{std::move(kernel), {}, {}, nullptr, {}};
        for (const auto& source : step.node().inputs()) step.inputs.push_back(value_of(source));
        for (std::size_t i = 0; i < last.output_count(); ++i) {
            step.outputs.push_back(first_value_.at(&last) + i);
        }
        return step;
    }

    Program& program_;
    const CompileContext& context_;
    std::unordered_map<const Node*, ValueId> first_value_;
    std::unordered_map<const Node*, const Node*> product_of_;  // by the Add behind it
};

}  // namespace

Program make_program(std::shared_ptr<Graph> graph, const CompileContext& context) {
    Program program;
    Builder builder(program, context);
    for (const auto& node : graph->ordered_nodes()) builder.add(node);
    for (const auto& node : graph->parameters()) {
        program.parameters.push_back(builder.value_of(node));
    }
    for (const auto& node : graph->results()) {
        program.results.push_back(builder.value_of(node->input(0)));
    }
    builder.add_variables(*graph);
    program.graph = std::move(graph);
    return program;
}

}  // namespace rondo::cpu
