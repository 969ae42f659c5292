#include "transformations/recurrent/loop_step.hpp"

#include <algorithm>
#include <utility>

#include "transformations/recurrent/loop_run.hpp"
#include "transformations/recurrent/recognise_cell.hpp"
#include "transformations/recurrent/step_reader.hpp"

namespace rondo::passes {
namespace {

using ops::BodyInput;

std::size_t last_extent(const PartialShape& shape) {
    if (!shape.has_rank() || shape.rank() == 0) return 0;
    const Dimension& last = shape[shape.rank() - 1];
    return last.is_static() ? static_cast<std::size_t>(last.length()) : 0;
}

class LoopReader {
public:
    explicit LoopReader(const ops::IteratedOp& loop)
        : loop_(loop),
          body_(loop.body()),
          run_(loop),
          reader_(algebra_, [this](const Output& value) { return leaf(value); }) {}

    std::optional<LoopStep> read() {
        if (!body_.sinks().empty()) return {};
        for (const BodyInput& port : loop_.body_ports().inputs) {
            if (port.slice && !add_slice(port)) return {};
        }
        if (!find_states()) return {};
        std::vector<GateFormula> next;
        for (const LoopState& state : step_.states) {
            const auto formula = reader_.read(state.next);
            if (!formula) return {};
            next.push_back(*formula);
        }
        if (!has_rows()) return {};
        auto cell = recognise_cell(algebra_, next);
        if (!cell || step_.inputs.empty() || !run_.runs_once_a_step(step_.inputs)) return {};
        step_.cell = *std::move(cell);
        return std::move(step_);
    }

private:
    // Constants of several rows are those of the inputs.
    bool has_rows() const {
        for (const std::size_t own : reader_.constant_rows()) {
            for (const StepInput& part : step_.inputs) {
                const Dimension& rows = part.tensor.shape()[1 - part.time_axis];
                if (rows != Dimension(static_cast<std::int64_t>(own))) return false;
            }
        }
        return true;
    }

    // All slices have one order.
    bool add_slice(const BodyInput& port) {
        const auto part = run_.part_of(body_.parameters()[port.parameter]->output(0));
        if (!part || (sliced_ && step_.reverse != part->reverse)) return false;
        sliced_ = true;
        step_.reverse = part->reverse;
        return true;
    }

    // All values that go round: states of f32, and counters.
    bool find_states() {
        for (const BodyInput& port : loop_.body_ports().inputs) {
            if (!port.back_edge) continue;
            const Output next = body_.results()[*port.back_edge]->input(0);
            const Output parameter = body_.parameters()[port.parameter]->output(0);
            if (next.element_type() == ElementType::f32) {
                if (last_extent(next.shape()) == 0) return false;
                step_.states.push_back({loop_.input(port.input), next, *port.back_edge});
                states_.push_back(parameter);
            } else if (loop_.condition_result() != *port.back_edge && !run_.counts(port)) {
                return false;
            }
        }
        return !step_.states.empty() && step_.states.size() <= 2;
    }

    std::optional<GateFormula> leaf(const Output& value) {
        for (std::size_t i = 0; i < states_.size(); ++i) {
            if (value == states_[i]) {
                return algebra_.state(i, last_extent(step_.states[i].next.shape()));
            }
        }
        const auto part = run_.part_of(value);
        return part ? input({part->tensor, part->axis}, value) : std::nullopt;
    }

    std::optional<GateFormula> input(const StepInput& part, const Output& value) {
        const PartialShape& shape = part.tensor.shape();
        const std::size_t size = last_extent(value.shape());
        if (!shape.has_rank() || shape.rank() != 3 || part.time_axis > 1 || size == 0) return {};
        const auto found = std::find(step_.inputs.begin(), step_.inputs.end(), part);
        const auto number = static_cast<std::size_t>(found - step_.inputs.begin());
        if (found == step_.inputs.end()) step_.inputs.push_back(part);
        return algebra_.input(number, size);
    }

    const ops::IteratedOp& loop_;
    const Graph& body_;
    LoopRun run_;
    GateAlgebra algebra_;
    StepReader reader_;
    LoopStep step_;
    std::vector<Output> states_;  // in the body
    bool sliced_ = false;
};

}  // namespace

std::optional<LoopStep> read_loop_step(const ops::IteratedOp& loop) {
    return LoopReader(loop).read();
}

Output behind_views(Output value) {
    while (value.node().traits().view) value = value.node().input(0);
    return value;
}

}  // namespace rondo::passes
