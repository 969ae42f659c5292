#include "transformations/cells/recognise_cell.hpp"

#include "transformations/cells/cell_gates.hpp"

namespace rondo::passes {

std::optional<CellFormula> recognise_cell(const GateAlgebra& algebra,
                                          const std::vector<GateFormula>& next) {
    if (next.size() == 2) {
        auto cell = recognise_lstm(algebra, next, 0);
        return cell ? cell : recognise_lstm(algebra, next, 1);
    }
    if (next.size() != 1) return {};
    auto cell = recognise_gru(algebra, next[0]);
    return cell ? cell : recognise_rnn(algebra, next[0]);
}

}  // namespace rondo::passes
