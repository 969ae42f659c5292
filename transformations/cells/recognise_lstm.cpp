// Recognises LSTM cells.
#include <algorithm>
#include <utility>

#include "transformations/cells/cell_gates.hpp"

namespace rondo::passes {
namespace {

using ops::ActivationFunction;

// C' = f C + i g, H' = o h(C') or o C'; f may be 1 - i, and i may be 1 - f.
class LstmReader {
public:
    LstmReader(const GateAlgebra& algebra, const GateFormula& hidden, const GateFormula& cell,
               std::size_t hidden_state, std::size_t cell_state)
        : algebra_(algebra),
          hidden_(hidden),
          cell_(cell),
          hidden_state_(hidden_state),
          cell_state_(cell_state) {}

    std::optional<CellFormula> read() {
        const auto state = algebra_.atom_of_state(cell_state_);
        if (!state || !cell_.is_sum_of_terms() || !hidden_.is_sum_of_terms()) return {};
        state_ = *state;
        if (!find_output()) return {};
        if (!(find_forget() && find_input()) && !find_coupled_forget()) return {};
        return made();
    }

private:
    // The gate, and where it has a peephole, what C is multiplied by in it.
    struct Gate {
        GateAffine affine;
        UnitNumbers peephole{0};
    };

    bool find_output() { return find_output_of_function() || find_output_of_cell(); }

    // o C', whose terms are those of C' with one atom more.
    bool find_output_of_cell() {
        if (hidden_.terms.empty() || hidden_.terms.size() != cell_.terms.size()) return false;
        for (const std::size_t atom : hidden_.terms[0].atoms) {
            const GateAtom* gate = activation(algebra_, atom);
            const bool all =
                std::all_of(cell_.terms.begin(), cell_.terms.end(), [&](GateTerm term) {
                    term.atoms.push_back(atom);
                    const float factor = term.factor == UnitNumbers{-1} ? -1.0F : 1.0F;
                    return term.factor == UnitNumbers{factor} &&
                           has_term(hidden_, std::move(term.atoms), factor);
                });
            if (gate == nullptr || !all) continue;
            h_ = {ops::ActivationKind::affine, 1, 0};
            f_ = gate->function;
            return read_output_gate(gate->argument);
        }
        return false;
    }

    bool find_output_of_function() {
        if (hidden_.terms.size() != 1 || hidden_.terms[0].atoms.size() != 2) return false;
        if (!is_one(hidden_.terms[0].factor)) return false;
        const GateAtoms& atoms = hidden_.terms[0].atoms;
        for (const std::size_t i : {0U, 1U}) {
            const GateAtom* of_cell = activation(algebra_, atoms[i]);
            const GateAtom* gate = activation(algebra_, atoms[1 - i]);
            if (of_cell == nullptr || gate == nullptr || of_cell->argument != cell_) continue;
            h_ = of_cell->function;
            f_ = gate->function;
            return read_output_gate(gate->argument);
        }
        return false;
    }

    // Its peephole sees the new C, whose terms have the factor 1, or -1 where gates are coupled.
    bool read_output_gate(const GateFormula& argument) {
        output_.affine = argument.affine;
        if (!is_plain_gate(algebra_, argument.affine)) return false;
        if (argument.terms.empty()) return true;
        GateFormula expected = cell_;
        for (GateTerm& term : expected.terms) {
            const bool is_negative = term.factor == UnitNumbers{-1};
            if (!is_negative && !is_one(term.factor)) return false;
            if (&term == &expected.terms.front()) {
                output_.peephole = with_sign(argument.terms[0].factor, is_negative);
            }
            term.factor = with_sign(output_.peephole, is_negative);
        }
        return argument.terms == expected.terms;
    }

    static UnitNumbers with_sign(UnitNumbers numbers, bool is_negative) {
        if (!is_negative) return numbers;
        for (float& number : numbers) number = -number;
        return numbers;
    }

    bool read_gate(const GateFormula& argument, Gate& gate) const {
        gate.affine = argument.affine;
        if (!is_plain_gate(algebra_, argument.affine) || argument.terms.size() > 1) return false;
        if (argument.terms.empty()) return true;
        gate.peephole = argument.terms[0].factor;
        return argument.terms[0].atoms == GateAtoms{state_};
    }

    bool find_forget() {
        for (const GateTerm& term : cell_.terms) {
            const bool has_state = std::count(term.atoms.begin(), term.atoms.end(), state_) == 1;
            if (term.atoms.size() != 2 || !has_state || !is_one(term.factor)) continue;
            forget_atom_ = term.atoms[0] == state_ ? term.atoms[1] : term.atoms[0];
            const GateAtom* gate = activation(algebra_, forget_atom_);
            return gate != nullptr && gate->function == f_ && read_gate(gate->argument, forget_);
        }
        return false;
    }

    // (1 - i) C + i g: the term -i C gives the gate.
    bool find_coupled_forget() {
        if (!has_term(cell_, {state_}, 1) || !can_complement(f_)) return false;
        for (const GateTerm& term : cell_.terms) {
            const bool has_state = std::count(term.atoms.begin(), term.atoms.end(), state_) == 1;
            if (term.atoms.size() != 2 || !has_state || term.factor != UnitNumbers{-1}) continue;
            const std::size_t atom = term.atoms[0] == state_ ? term.atoms[1] : term.atoms[0];
            const GateAtom* gate = activation(algebra_, atom);
            if (gate == nullptr || gate->function != f_ || !read_gate(gate->argument, input_)) {
                return false;
            }
            forget_ = complement_of(input_);
            return find_candidate_of(atom);
        }
        return false;
    }

    // The candidate that the input gate multiplies, where the forget gate comes from that.
    bool find_candidate_of(std::size_t input_atom) {
        if (cell_.terms.size() != 3) return false;
        for (const GateTerm& term : cell_.terms) {
            if (std::count(term.atoms.begin(), term.atoms.end(), state_) != 0) continue;
            if (term.atoms.size() != 2 || !is_one(term.factor)) return false;
            if (std::count(term.atoms.begin(), term.atoms.end(), input_atom) != 1) return false;
            const std::size_t atom = term.atoms[0] == input_atom ? term.atoms[1] : term.atoms[0];
            return take_candidate(atom);
        }
        return false;
    }

    bool take_candidate(std::size_t atom) {
        const GateAtom* candidate = activation(algebra_, atom);
        if (candidate == nullptr || !is_plain_gate(algebra_, candidate->argument)) return false;
        g_ = candidate->function;
        candidate_ = candidate->argument.affine;
        return true;
    }

    // The gate that is 1 - f where `gate` is f.
    Gate complement_of(const Gate& gate) const {
        Gate result{complement(gate.affine, cell_.units, f_), gate.peephole};
        for (float& number : result.peephole) number = -number;
        return result;
    }

    bool find_input() { return cell_.terms.size() == 2 ? find_own_input() : find_coupled_input(); }

    bool find_own_input() {
        for (const GateTerm& term : cell_.terms) {
            if (std::count(term.atoms.begin(), term.atoms.end(), state_) != 0) continue;
            if (term.atoms.size() != 2 || !is_one(term.factor)) return false;
            for (const std::size_t i : {0U, 1U}) {
                const GateAtom* gate = activation(algebra_, term.atoms[i]);
                if (gate == nullptr || gate->function != f_) continue;
                if (!take_candidate(term.atoms[1 - i])) continue;
                return read_gate(gate->argument, input_);
            }
        }
        return false;
    }

    // f C + (1 - f) g.
    bool find_coupled_input() {
        if (cell_.terms.size() != 3 || !can_complement(f_)) return false;
        for (const GateTerm& term : cell_.terms) {
            if (term.atoms.size() != 1 || term.atoms[0] == state_ || !is_one(term.factor)) continue;
            if (!take_candidate(term.atoms[0])) return false;
            if (!has_term(cell_, {forget_atom_, term.atoms[0]}, -1)) return false;
            input_ = complement_of(forget_);
            return true;
        }
        return false;
    }

    std::optional<CellFormula> made() const {
        CellFormula cell;
        cell.type = ops::CellType::lstm;
        cell.attributes.hidden_size = static_cast<std::int64_t>(cell_.units);
        cell.hidden_state = hidden_state_;
        cell.cell_state = cell_state_;
        set_activations(cell, {f_, g_, h_});
        GateCollector gates(algebra_, hidden_state_, cell_.units);
        for (const GateAffine& gate : {forget_.affine, input_.affine, candidate_, output_.affine}) {
            gates.add(gate);
        }
        if (!gates.finish(cell)) return {};
        put_peepholes(cell);
        return cell;
    }

    void put_peepholes(CellFormula& cell) const {
        const std::vector<const UnitNumbers*> all = {&forget_.peephole, &input_.peephole,
                                                     &output_.peephole};
        const bool none = std::all_of(all.begin(), all.end(), [](const UnitNumbers* one) {
            return one->size() == 1 && one->front() == 0;
        });
        if (none) return;
        cell.p = Tensor(ElementType::f32, {1, 3 * cell_.units});
        float* to = cell.p.data<float>();
        for (const UnitNumbers* one : all) {
            for (std::size_t i = 0; i < cell_.units; ++i) {
                *to++ = (*one)[one->size() == 1 ? 0 : i];
            }
        }
    }

    const GateAlgebra& algebra_;
    const GateFormula& hidden_;
    const GateFormula& cell_;
    const std::size_t hidden_state_, cell_state_;
    std::size_t state_ = 0;  // C, as an atom
    std::size_t forget_atom_ = 0;
    ActivationFunction f_, g_, h_;
    Gate forget_, input_, output_;
    GateAffine candidate_;
};

}  // namespace

std::optional<CellFormula> recognise_lstm(const GateAlgebra& algebra,
                                          const std::vector<GateFormula>& next,
                                          std::size_t hidden_state) {
    const std::size_t cell_state = 1 - hidden_state;
    if (next[0].units != next[1].units) return {};
    return LstmReader(algebra, next[hidden_state], next[cell_state], hidden_state, cell_state)
        .read();
}

}  // namespace rondo::passes
