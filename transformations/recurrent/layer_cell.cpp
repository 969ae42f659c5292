#include "transformations/recurrent/loop_cell.hpp"

#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/cells/op_formula.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;

bool is_cell_state(const RecurrentOp& op, std::size_t output) {
    return output == first_state_output(op) + 1;
}

class LayerReader {
public:
    LayerReader(const RecurrentOp& op, std::span<const LoopState> loop_states,
                const std::vector<std::size_t>& states)
        : op_(op), loop_states_(loop_states) {
        cell_.states = states;
    }

    std::optional<LoopCell> read(const LoopRun& run, std::span<const LoopCell> before) {
        const bool is_lstm = op_.cell_type() == ops::CellType::lstm;
        if (!is_one_step(op_) || op_.input_count() <= op_.b_port()) return {};
        if (cell_.states.size() != (is_lstm ? 2U : 1U)) return {};
        CellFormula& formula = cell_.formula;
        formula.type = op_.cell_type();
        formula.attributes = op_.attributes();
        formula.attributes.direction = ops::Direction::forward;
        if (!read_states(is_lstm) || !read_input(run, before)) return {};
        const bool has_weights = put(op_.w_port(), formula.w) && put(op_.r_port(), formula.r) &&
                                 put(op_.b_port(), formula.b) &&
                                 (!has_peepholes() || put(op_.p_port(), formula.p));
        return has_weights ? std::optional(std::move(cell_)) : std::nullopt;
    }

private:
    bool has_peepholes() const {
        return op_.p_port() != RecurrentOp::npos && op_.p_port() < op_.input_count();
    }

    // Each state is an output of the op, and the op's input is what it was before.
    bool read_states(bool is_lstm) {
        bool has_hidden = false, has_cell = !is_lstm;
        for (std::size_t i = 0; i < cell_.states.size(); ++i) {
            const LoopState& state = loop_states_[cell_.states[i]];
            const Output made = behind_views(state.taken);
            if (&made.node() != &op_) return false;
            const bool is_c = is_cell_state(op_, made.index());
            (is_c ? cell_.formula.cell_state : cell_.formula.hidden_state) = i;
            (is_c ? has_cell : has_hidden) = true;
            const Output& before = op_.input(is_c ? op_.c_port() : op_.h_port());
            if (behind_views(before) != state.now || !has_units(state.next.shape())) return false;
        }
        return has_hidden && has_cell;
    }

    bool has_units(const PartialShape& shape) const {
        return static_cast<std::int64_t>(units_of(shape)) == op_.attributes().hidden_size;
    }

    bool read_input(const LoopRun& run, std::span<const LoopCell> before) {
        const Output& x = op_.input(op_.x_port());
        const Output value = behind_views(x);
        const std::size_t units = units_of(x.shape());
        if (units == 0 || units_of(value.shape()) != units) return false;
        cell_.formula.inputs = {0};
        cell_.formula.input_sizes = {units};
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (value != behind_views(loop_states_[before[i].hidden()].taken)) continue;
            cell_.inputs = {{{}, i}};
            return true;
        }
        const auto part = run.part_of(value);
        if (!part || part->axis > 1 || !part->tensor.shape().has_rank()) return false;
        cell_.inputs = {{{part->tensor, part->axis}, {}}};
        return part->tensor.shape().rank() == 3;
    }

    // A constant, with an axis for the direction.
    bool put(std::size_t port, Tensor& to) const {
        const Tensor known = known_value(op_.input(port));
        if (!known || known.element_type() != ElementType::f32) return false;
        Shape shape = known.shape();
        if (!op_.is_sequence()) shape.insert(shape.begin(), 1);
        to = known.contiguous().reshaped(shape);
        return true;
    }

    const RecurrentOp& op_;
    std::span<const LoopState> loop_states_;
    LoopCell cell_;
};

}  // namespace

std::optional<LoopCell> read_layer_cell(const LoopRun& run, std::span<const LoopState> loop_states,
                                        const std::vector<std::size_t>& states,
                                        std::span<const LoopCell> before) {
    const Output made = behind_views(loop_states[states.front()].taken);
    const auto* op = dynamic_cast<const RecurrentOp*>(&made.node());
    return op != nullptr ? LayerReader(*op, loop_states, states).read(run, before) : std::nullopt;
}

}  // namespace rondo::passes
