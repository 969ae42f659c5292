// Programs with a late step: it finds the shape of its output when it runs.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/graph/clonable.hpp"
#include "plugins/cpu/plugin/run/program_run.hpp"
#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test {

/// The positive elements of a vector, in their order.
class Positives final : public Op<Positives> {
public:
    static constexpr OpType kType{"Positives", 0};
    Positives() = default;
    explicit Positives(const Output& data) : Op({data}) {}
    void infer(InferContext& context) const override {
        context.set_output(0, context.type(0), PartialShape{Dimension()});
    }
};

/// Keeps its output's memory while the count stays. Calls `at_start` first, if there is one.
class PositivesRun final : public cpu::DynamicRun {
public:
    explicit PositivesRun(std::function<void()> at_start) : at_start_(std::move(at_start)) {}

    void run(const cpu::DynamicRunArgs& args) override {
        if (at_start_) at_start_();
        const Tensor& input = args.inputs[0];
        const float* x = input.data<float>();
        std::size_t count = 0;
        for (std::size_t i = 0; i < input.size(); ++i) count += x[i] > 0 ? 1 : 0;
        Tensor& output = args.outputs[0];
        if (!output || output.size() != count) output = Tensor(ElementType::f32, {count});
        auto* y = output.data<float>();
        for (std::size_t i = 0; i < input.size(); ++i) {
            if (x[i] > 0) *y++ = x[i];
        }
    }

private:
    std::function<void()> at_start_;
};

class PositivesNode final : public cpu::CpuNode {
public:
    PositivesNode(std::shared_ptr<const Node> node, std::function<void()> at_start)
        : CpuNode(*node, "positives", "a test"),
          keeps_(std::move(node)),
          at_start_(std::move(at_start)) {}
    std::unique_ptr<cpu::Call> prepare(const cpu::CallSite&) const override { return nullptr; }
    std::unique_ptr<cpu::DynamicRun> make_dynamic_run() const override {
        return std::make_unique<PositivesRun>(at_start_);
    }
    bool finds_shapes() const override { return true; }

private:
    std::shared_ptr<const Node> keeps_;
    std::function<void()> at_start_;
};

/// A graph's program whose steps of the type ReLU are late ones instead; each calls `at_start`.
inline std::shared_ptr<cpu::PlannedProgram> late_program(const std::shared_ptr<Graph>& graph,
                                                         std::function<void()> at_start = {},
                                                         const ModelLimits& limits = {}) {
    cpu::Program program = cpu::make_program(graph, {cpu::Isa::plain});
    program.limits = limits;
    for (auto& step : program.steps) {
        if (step.node().type_name() != "ReLU") continue;
        auto node = make_node<Positives>(step.node().input(0));
        node->set_name(step.node().name());
        step.kernel = std::make_unique<PositivesNode>(std::move(node), at_start);
    }
    return std::make_shared<cpu::PlannedProgram>(std::move(program), 1);
}

/// One ProgramRun with what it needs.
class OneRun {
public:
    explicit OneRun(std::shared_ptr<cpu::PlannedProgram> program)
        : variables_(variable_values(*program->program().graph)), run_(std::move(program)) {}

    void run(const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs) {
        run_.run({inputs, outputs, variables_, *team_, cancelled});
    }

    VariableValue& variable(std::size_t index) { return variables_[index]; }

    std::atomic<bool> cancelled{false};

private:
    std::unique_ptr<cpu::Team> team_ = cpu::make_team(1);
    std::vector<VariableValue> variables_;
    cpu::ProgramRun run_;
};

}  // namespace rondo::test
