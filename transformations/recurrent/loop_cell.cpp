#include "transformations/recurrent/loop_cell.hpp"

#include <algorithm>
#include <utility>

#include "transformations/cells/recognise_cell.hpp"
#include "transformations/cells/step_reader.hpp"

namespace rondo::passes {
namespace {

class CellReader {
public:
    CellReader(const LoopRun& run, std::span<const LoopState> loop_states,
               std::span<const LoopCell> before, std::string* why)
        : run_(run),
          loop_states_(loop_states),
          before_(before),
          why_(why),
          reader_(algebra_, [this](const Output& value) { return leaf(value); }) {}

    std::optional<LoopCell> read(std::vector<std::size_t> states) {
        cell_.states = std::move(states);
        std::vector<GateFormula> next;
        for (const std::size_t state : cell_.states) {
            const auto formula = reader_.read(loop_states_[state].taken);
            if (!formula) return refused(unknown_value());
            next.push_back(*formula);
        }
        if (!has_rows()) return refused("a constant in it has other rows than its inputs");
        auto formula = recognise_cell(algebra_, next);
        if (!formula) return refused("its arithmetic is not that of an LSTM, GRU or RNN cell");
        if (cell_.inputs.empty()) return refused("its cell reads no input step by step");
        cell_.formula = *std::move(formula);
        return std::move(cell_);
    }

private:
    std::nullopt_t refused(const std::string& why) {
        if (why_ != nullptr) *why_ = why;
        return std::nullopt;
    }

    std::string unknown_value() const {
        const Node* node = reader_.unknown();
        if (node == nullptr) return "its arithmetic is not that of a cell";
        return "no cell computes its states as " + describe(*node) + " does";
    }

    // Constants of several rows are those of the inputs.
    bool has_rows() const {
        for (const std::size_t own : reader_.constant_rows()) {
            for (const CellSource& source : cell_.inputs) {
                if (source.cell) return false;
                const Dimension& rows = source.part.tensor.shape()[1 - source.part.time_axis];
                if (rows != Dimension(static_cast<std::int64_t>(own))) return false;
            }
        }
        return true;
    }

    std::optional<GateFormula> leaf(const Output& value) {
        for (std::size_t i = 0; i < cell_.states.size(); ++i) {
            const LoopState& state = loop_states_[cell_.states[i]];
            if (value == state.now) return algebra_.state(i, units_of(state.next.shape()));
        }
        for (std::size_t i = 0; i < before_.size(); ++i) {
            if (value == loop_states_[before_[i].hidden()].taken) {
                return input({{}, i}, units_of(value.shape()));
            }
        }
        const auto part = run_.part_of(value);
        if (!part) return {};
        const PartialShape& shape = part->tensor.shape();
        const bool fits = shape.has_rank() && shape.rank() == 3 && part->axis <= 1;
        return fits ? input({{part->tensor, part->axis}, {}}, units_of(value.shape()))
                    : std::nullopt;
    }

    std::optional<GateFormula> input(const CellSource& source, std::size_t units) {
        if (units == 0) return {};
        const auto found = std::find(cell_.inputs.begin(), cell_.inputs.end(), source);
        const auto number = static_cast<std::size_t>(found - cell_.inputs.begin());
        if (found == cell_.inputs.end()) cell_.inputs.push_back(source);
        return algebra_.input(number, units);
    }

    const LoopRun& run_;
    std::span<const LoopState> loop_states_;
    std::span<const LoopCell> before_;
    std::string* why_;
    GateAlgebra algebra_;
    StepReader reader_;
    LoopCell cell_;
};

}  // namespace

std::optional<LoopCell> read_loop_cell(const LoopRun& run, std::span<const LoopState> loop_states,
                                       std::vector<std::size_t> states,
                                       std::span<const LoopCell> before, std::string* why) {
    return CellReader(run, loop_states, before, why).read(std::move(states));
}

Output behind_views(Output value) {
    while (value.node().traits().view) value = value.node().input(0);
    return value;
}

std::size_t units_of(const PartialShape& shape) {
    if (!shape.has_rank() || shape.rank() == 0) return 0;
    const Dimension& last = shape[shape.rank() - 1];
    return last.is_static() ? static_cast<std::size_t>(last.length()) : 0;
}

}  // namespace rondo::passes
