#include "plugins/cpu/plugin/plan/program.hpp"

#include <unordered_map>

#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "plugins/cpu/nodes/node_list.hpp"
#include "plugins/cpu/plugin/plan/packed_reads.hpp"

namespace rondo::cpu {
namespace {

class Builder {
public:
    Builder(Program& program, const CompileContext& context, bool* released)
        : program_(program),
          context_(context),
          released_(released),
          packed_([this](const Node& node) { return first_value_.contains(&node); }) {
        context_.packed = [this](const std::vector<ReadPort>& ports) { release_packed(ports); };
    }
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;

    void add(const NodePtr& node) {
        if (as<ops::AssignBase>(node)) {  // returns its input
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
        std::unordered_map<const Node*, Step*> steps;
        for (auto& step : program_.steps) steps.emplace(&step.node(), &step);
        for (const auto& variable : ops::variables_of(graph)) {
            const auto reads = steps.find(variable.read.get());
            if (reads != steps.end()) reads->second->variable = program_.read.size();
            program_.read.push_back(value_of(variable.read));
            program_.assigned.push_back(value_of(variable.assign->input(0)));
        }
    }

    ValueId value_of(const Output& output) const {
        return first_value_.at(&output.node()) + output.index();
    }

private:
    void add_step(const Node& node) {
        Step step{make_cpu_node(node, context_), {}, {}, {}};
        for (const auto& source : node.inputs()) step.inputs.push_back(value_of(source));
        for (std::size_t i = 0; i < node.output_count(); ++i) {
            step.outputs.push_back(first_value_.at(&node) + i);
        }
        release_packed(step.kernel->packed());
        program_.steps.push_back(std::move(step));
    }

    void release_packed(const std::vector<ReadPort>& ports) {
        if (released_ == nullptr) return;
        for (const auto& constant : packed_.add(ports)) {
            constant->release();
            *released_ = true;
            const auto value = first_value_.find(constant.get());
            if (value != first_value_.end()) program_.constants[value->second] = constant->value();
        }
    }

    Program& program_;
    CompileContext context_;
    bool* released_;  // null where constants keep their elements
    PackedReads packed_;
    std::unordered_map<const Node*, ValueId> first_value_;
};

}  // namespace

Program make_program(std::shared_ptr<Graph> graph, const CompileContext& context,
                     const CompileLimits& limits) {
    Program program;
    program.limits = limits.model;
    Builder builder(program, context, limits.released.get());
    for (const auto& node : graph->ordered_nodes()) {
        limits.deadline.check([&] { return describe(*node); });
        builder.add(node);
    }
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
