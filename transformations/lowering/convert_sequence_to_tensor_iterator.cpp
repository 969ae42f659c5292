#include "transformations/lowering/passes.hpp"

#include "core/ops/control/control_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/lowering/sequence_parts.hpp"

namespace rondo::passes {
namespace {

using ops::PartRange;
using ops::RecurrentOp;

class LoopMaker {
public:
    LoopMaker(Formula& by, RecurrentOp& op)
        : by_(by), op_(op), parts_(parts_of(by, op)), steps_(steps_of(op)) {}

    void make() {
        add_step();
        const auto body = std::make_shared<Graph>(by_.name("body"), parameters_, results_);
        const auto loop =
            by_.rewriter().make<ops::TensorIterator>(by_.name("loop"), inputs_, body, ports_);
        SequenceResults results;
        for (std::size_t i = 0; i < parts_.states.size(); ++i) {
            results.states.push_back(loop->output(i));
        }
        if (has_y()) results.y = loop->output(parts_.states.size());
        replace_sequence(by_, op_, results);
    }

private:
    static PartRange steps_of(const RecurrentOp& op) {
        const bool reverse = op.attributes().direction == ops::Direction::reverse;
        return reverse ? PartRange{kTimeAxis, -1, -1, 1, 0} : PartRange{kTimeAxis};
    }

    bool has_y() { return !op_.output(0).consumers().empty(); }

    void add_step() {
        const Output x = by_.squeeze(step_of(parts_.x, "x"), {kTimeAxis});
        std::vector<Output> states, weights;
        for (std::size_t i = 0; i < parts_.states.size(); ++i) {
            states.push_back(parameter(parts_.states[i], "state", parts_.states[i].shape()));
            ports_.inputs.back().back_edge = i;
        }
        for (const Output& value : parts_.weights) {
            weights.push_back(parameter(value, "weights", value.shape()));
        }
        const Output goes_on = parts_.mask ? step_of(parts_.mask, "mask") : Output();
        const auto next = make_step(by_, op_, x, states, weights);
        for (std::size_t i = 0; i < states.size(); ++i) {
            add_result(masked(by_, goes_on, next[i], states[i]), {});
        }
        if (!has_y()) return;
        const Output y = masked(by_, goes_on, next[0], by_.number(0, next[0]));
        add_result(by_.unsqueeze(y, {kTimeAxis}), steps_);
    }

    Output parameter(const Output& value, const std::string& role, const PartialShape& shape) {
        ports_.inputs.push_back({inputs_.size(), parameters_.size(), {}, {}});
        inputs_.push_back(value);
        const Output made =
            by_.rewriter().make<ops::Parameter>(by_.name(role), value.element_type(), shape);
        parameters_.push_back(made.node_ptr());
        return made;
    }

    // The part of one step: extent 1 along the time axis.
    Output step_of(const Output& value, const std::string& role) {
        auto dimensions = value.shape().dimensions();
        dimensions[kTimeAxis] = Dimension(1);
        const Output made = parameter(value, role, PartialShape(std::move(dimensions)));
        ports_.inputs.back().slice = steps_;
        return made;
    }

    void add_result(const Output& value, const std::optional<PartRange>& joined) {
        ports_.outputs.push_back({results_.size(), results_.size(), joined});
        results_.push_back(by_.rewriter().make<ops::Result>(by_.name("result"), value));
    }

    Formula& by_;
    RecurrentOp& op_;
    SequenceParts parts_;
    PartRange steps_;
    std::vector<Output> inputs_;
    std::vector<NodePtr> parameters_;
    std::vector<NodePtr> results_;
    ops::BodyPorts ports_;
};

}  // namespace

bool convert_sequence_to_tensor_iterator(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<RecurrentOp>([&](const auto& op) {
        if (!op->is_sequence() || op->num_directions() != 1 || !needs_lowering(*op)) return;
        Formula by(rewriter, op->name());
        LoopMaker(by, *op).make();
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
