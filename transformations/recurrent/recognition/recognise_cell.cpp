#include "transformations/recurrent/recognition/recognise_cell.hpp"

#include <algorithm>
#include <utility>

#include "core/support/strings.hpp"

namespace rondo::passes {
namespace {

using ops::ActivationFunction;
using ops::ActivationKind;
using GateAtoms = std::vector<std::size_t>;

const ActivationFunction kIdentity{ActivationKind::affine, 1, 0};

bool is_one(const UnitNumbers& numbers) { return numbers == UnitNumbers{1}; }

UnitNumbers negative(UnitNumbers numbers) {
    for (float& number : numbers) number = -number;
    return numbers;
}

// Whether the formula has the product of these atoms, times `factor`.
bool has_term(const GateFormula& formula, GateAtoms atoms, float factor) {
    std::sort(atoms.begin(), atoms.end());
    return std::any_of(formula.terms.begin(), formula.terms.end(), [&](const GateTerm& term) {
        return term.atoms == atoms && term.factor == UnitNumbers{factor};
    });
}

// What a term of two atoms multiplies this one by; nothing for other terms.
std::optional<std::size_t> beside(const GateTerm& term, std::size_t atom) {
    if (term.atoms.size() != 2) return {};
    if (term.atoms[0] == atom) return term.atoms[1];
    return term.atoms[1] == atom ? std::optional(term.atoms[0]) : std::nullopt;
}

// Whether 1 - f(x) is f of another affine x: sigmoid, and min(max(x, 0), 1).
bool can_complement(const ActivationFunction& function) {
    const bool is_plain_hard = function == ActivationFunction{ActivationKind::hard_sigmoid, 1, 0};
    return function.kind == ActivationKind::sigmoid || is_plain_hard;
}

// The affine gate g for which f(g) = 1 - f(gate).
GateAffine complement(const GateAffine& gate, std::size_t units,
                      const ActivationFunction& function) {
    GateAffine result = GateAlgebra::scaled(gate, units, {-1});
    if (function.kind != ActivationKind::sigmoid) {
        for (float& number : result.bias) number += 1;
    }
    return result;
}

// k s + (1 - k) n, of a state s.
struct Mix {
    std::size_t gate;       // an atom: k, or 1 - k
    std::size_t candidate;  // an atom: n
    bool keeps;             // whether the gate is k
};

// In terms: s k - n k + n, or s - s j + n j, in which k = 1 - j.
std::optional<Mix> mix_of(const GateFormula& next, std::size_t state) {
    if (next.terms.size() != 3) return {};
    for (const GateTerm& kept : next.terms) {
        const auto gate = beside(kept, state);
        if (!gate) continue;
        const bool keeps = is_one(kept.factor);
        const float sign = keeps ? 1 : -1;
        for (const GateTerm& taken : next.terms) {
            const auto candidate = &taken != &kept ? beside(taken, *gate) : std::nullopt;
            if (!candidate || kept.factor != UnitNumbers{sign}) continue;
            const bool is_mix = taken.factor == UnitNumbers{-sign} &&
                                has_term(next, {keeps ? *candidate : state}, 1);
            if (is_mix) return Mix{*gate, *candidate, keeps};
        }
    }
    return {};
}

// What the readers of cells ask the algebra.
class CellReader {
public:
    explicit CellReader(const GateAlgebra& algebra) : algebra_(algebra) {}

protected:
    const GateSource& source_of(const GateProduct& product) const {
        return algebra_.source(product.source);
    }
    // The function that an atom is, or null.
    const GateAtom* activation(std::size_t atom) const {
        const GateAtom& found = algebra_.atom(atom);
        return found.kind == GateAtom::Kind::activation ? &found : nullptr;
    }
    // A function of a plain gate, or null.
    const GateAtom* plain_activation(std::size_t atom) const {
        const GateAtom* found = activation(atom);
        return found != nullptr && is_plain(found->argument) ? found : nullptr;
    }
    // Whether the gate is a sum of products of inputs and states, and nothing else.
    bool is_plain(const GateAffine& gate) const {
        return std::none_of(gate.products.begin(), gate.products.end(), [&](const auto& one) {
            return source_of(one).kind == GateSource::Kind::formula;
        });
    }
    bool is_plain(const GateFormula& gate) const {
        return gate.is_affine() && is_plain(gate.affine);
    }

    // A cell of gates in the IR's order: their products with inputs go to W, those with H or with a
    // formula to R. `more_bias` follows the biases of the gates. Returns nothing if a gate reads
    // another state, or if none reads H.
    std::optional<CellFormula> cell_of(CellFormula cell, std::size_t units,
                                       const std::vector<ActivationFunction>& functions,
                                       std::vector<GateAffine> gates,
                                       const UnitNumbers& more_bias = {}) const {
        cell.attributes.hidden_size = static_cast<std::int64_t>(units);
        set_activations(cell.attributes, functions);
        std::vector<GateProduct> products;
        for (const GateAffine& gate : gates) {
            products.insert(products.end(), gate.products.begin(), gate.products.end());
        }
        if (!take_products(cell, products)) return {};
        put_weights(cell, gates);
        if (!more_bias.empty()) gates.push_back({{}, more_bias});
        cell.b = Tensor(ElementType::f32, {1, gates.size() * units});
        float* bias = cell.b.data<float>();
        for (const GateAffine& gate : gates) bias = put_numbers(gate.bias, units, bias);
        return cell;
    }

    static float* put_numbers(const UnitNumbers& numbers, std::size_t units, float* to) {
        for (std::size_t i = 0; i < units; ++i) *to++ = numbers[numbers.size() == 1 ? 0 : i];
        return to;
    }

    const GateAlgebra& algebra_;

private:
    static bool is_input(const GateSource& source) {
        return source.kind == GateSource::Kind::input;
    }

    static std::size_t place_of(const GateSource& source, const CellFormula& cell) {
        const auto found = std::find(cell.inputs.begin(), cell.inputs.end(), source.number);
        return static_cast<std::size_t>(found - cell.inputs.begin());
    }

    // Collects the inputs; false where the cell has no such products.
    bool take_products(CellFormula& cell, const std::vector<GateProduct>& products) const {
        bool recurs = false;
        for (const GateProduct& product : products) {
            const GateSource& source = source_of(product);
            if (is_input(source)) {
                if (place_of(source, cell) < cell.inputs.size()) continue;
                cell.inputs.push_back(source.number);
                cell.input_sizes.push_back(product.k);
                continue;
            }
            const bool is_other =
                source.kind == GateSource::Kind::state && source.number != cell.hidden_state;
            const auto units = static_cast<std::size_t>(cell.attributes.hidden_size);
            if (is_other || product.k != units) return false;
            recurs = true;
        }
        return recurs;
    }

    void put_weights(CellFormula& cell, const std::vector<GateAffine>& gates) const {
        const auto units = static_cast<std::size_t>(cell.attributes.hidden_size);
        std::vector<std::size_t> columns{0};
        for (const std::size_t size : cell.input_sizes) columns.push_back(columns.back() + size);
        cell.w = Tensor(ElementType::f32, {1, gates.size() * units, columns.back()});
        cell.r = Tensor(ElementType::f32, {1, gates.size() * units, units});
        for (std::size_t i = 0; i < gates.size(); ++i) {
            for (const GateProduct& product : gates[i].products) {
                const GateSource& source = source_of(product);
                const bool is_x = is_input(source);
                put_rows(product, units, is_x ? cell.w : cell.r, i * units,
                         is_x ? columns[place_of(source, cell)] : 0);
            }
        }
    }

    static void put_rows(const GateProduct& product, std::size_t units, Tensor& matrix,
                         std::size_t first_row, std::size_t column) {
        const std::size_t width = matrix.shape()[2];
        for (std::size_t unit = 0; unit < units; ++unit) {
            float* to = matrix.data<float>() + (first_row + unit) * width + column;
            if (product.weights.empty()) {
                to[unit] = 1;
            } else {
                std::copy_n(product.weights.begin() + unit * product.k, product.k, to);
            }
        }
    }
};

// C' = f C + i g, H' = o h(C') or o C'; f may be 1 - i, and i may be 1 - f.
class LstmReader : CellReader {
public:
    LstmReader(const GateAlgebra& algebra, const std::vector<GateFormula>& next,
               std::size_t hidden_state)
        : CellReader(algebra),
          hidden_(next[hidden_state]),
          cell_(next[1 - hidden_state]),
          hidden_state_(hidden_state) {}

    std::optional<CellFormula> read() {
        const auto state = algebra_.atom_of_state(1 - hidden_state_);
        if (!state || !cell_.is_sum_of_terms() || !hidden_.is_sum_of_terms()) return {};
        state_ = *state;
        if (hidden_.units != cell_.units) return {};
        if (!find_output_of_function() && !find_output_of_cell()) return {};
        const bool has_gates = cell_.terms.size() == 2 ? find_gates() : find_coupled_gates();
        if (!has_gates) return {};
        CellFormula cell;
        cell.hidden_state = hidden_state_;
        cell.cell_state = 1 - hidden_state_;
        auto made = cell_of(std::move(cell), cell_.units, {f_, g_, h_},
                            {forget_.affine, input_.affine, candidate_, output_.affine});
        if (made) put_peepholes(*made);
        return made;
    }

private:
    // The gate, and where it has a peephole, what C is multiplied by in it.
    struct Gate {
        GateAffine affine;
        UnitNumbers peephole{0};
    };

    // o C', whose terms are those of C' with one atom more.
    bool find_output_of_cell() {
        if (hidden_.terms.empty() || hidden_.terms.size() != cell_.terms.size()) return false;
        for (const std::size_t atom : hidden_.terms[0].atoms) {
            const GateAtom* gate = activation(atom);
            const bool all =
                std::all_of(cell_.terms.begin(), cell_.terms.end(), [&](GateTerm term) {
                    term.atoms.push_back(atom);
                    const float factor = term.factor == UnitNumbers{-1} ? -1.0F : 1.0F;
                    return term.factor == UnitNumbers{factor} &&
                           has_term(hidden_, std::move(term.atoms), factor);
                });
            if (gate != nullptr && all) return take_output(*gate, kIdentity);
        }
        return false;
    }

    bool find_output_of_function() {
        if (hidden_.terms.size() != 1 || hidden_.terms[0].atoms.size() != 2) return false;
        if (!is_one(hidden_.terms[0].factor)) return false;
        const GateAtoms& atoms = hidden_.terms[0].atoms;
        for (const std::size_t i : {0U, 1U}) {
            const GateAtom* of_cell = activation(atoms[i]);
            const GateAtom* gate = activation(atoms[1 - i]);
            if (of_cell == nullptr || gate == nullptr || of_cell->argument != cell_) continue;
            return take_output(*gate, of_cell->function);
        }
        return false;
    }

    // Its peephole sees the new C, whose terms have the factor 1, or -1 where gates are coupled.
    bool take_output(const GateAtom& gate, const ActivationFunction& of_cell) {
        h_ = of_cell;
        f_ = gate.function;
        const GateFormula& argument = gate.argument;
        output_.affine = argument.affine;
        if (!is_plain(argument.affine)) return false;
        if (argument.terms.empty()) return true;
        GateFormula expected = cell_;
        for (GateTerm& term : expected.terms) {
            const bool is_negative = term.factor == UnitNumbers{-1};
            if (!is_negative && !is_one(term.factor)) return false;
            const auto with_sign = [&](const UnitNumbers& numbers) {
                return is_negative ? negative(numbers) : numbers;
            };
            if (&term == &expected.terms.front()) {
                output_.peephole = with_sign(argument.terms[0].factor);
            }
            term.factor = with_sign(output_.peephole);
        }
        return argument.terms == expected.terms;
    }

    // A gate of the function f; nothing else.
    std::optional<Gate> gate_of(std::size_t atom) const {
        const GateAtom* found = activation(atom);
        if (found == nullptr || found->function != f_) return {};
        const GateFormula& argument = found->argument;
        if (!is_plain(argument.affine) || argument.terms.size() > 1) return {};
        if (argument.terms.empty()) return Gate{argument.affine};
        if (argument.terms[0].atoms != GateAtoms{state_}) return {};
        return Gate{argument.affine, argument.terms[0].factor};
    }

    bool take_candidate(std::size_t atom) {
        const GateAtom* candidate = plain_activation(atom);
        if (candidate == nullptr) return false;
        g_ = candidate->function;
        candidate_ = candidate->argument.affine;
        return true;
    }

    // f C + i g.
    bool find_gates() {
        const std::size_t kept = beside(cell_.terms[0], state_) ? 0 : 1;
        const auto forget_atom = beside(cell_.terms[kept], state_);
        const GateTerm& taken = cell_.terms[1 - kept];
        if (!forget_atom || taken.atoms.size() != 2) return false;
        if (!is_one(cell_.terms[kept].factor) || !is_one(taken.factor)) return false;
        const auto forget = gate_of(*forget_atom);
        for (const std::size_t i : {0U, 1U}) {
            const auto input = forget ? gate_of(taken.atoms[i]) : std::nullopt;
            if (!input || !take_candidate(taken.atoms[1 - i])) continue;
            forget_ = *forget;
            input_ = *input;
            return true;
        }
        return false;
    }

    // (1 - i) C + i g, or f C + (1 - f) g.
    bool find_coupled_gates() {
        const auto mix = mix_of(cell_, state_);
        const auto gate = mix && can_complement(f_) ? gate_of(mix->gate) : std::nullopt;
        if (!gate || !take_candidate(mix->candidate)) return false;
        const Gate other{complement(gate->affine, cell_.units, f_), negative(gate->peephole)};
        forget_ = mix->keeps ? *gate : other;
        input_ = mix->keeps ? other : *gate;
        return true;
    }

    void put_peepholes(CellFormula& cell) const {
        const auto all = {&forget_.peephole, &input_.peephole, &output_.peephole};
        const bool none = std::all_of(all.begin(), all.end(), [](const UnitNumbers* one) {
            return one->size() == 1 && one->front() == 0;
        });
        if (none) return;
        cell.p = Tensor(ElementType::f32, {1, 3 * cell_.units});
        float* to = cell.p.data<float>();
        for (const UnitNumbers* one : all) to = put_numbers(*one, cell_.units, to);
    }

    const GateFormula& hidden_;
    const GateFormula& cell_;
    const std::size_t hidden_state_;
    std::size_t state_ = 0;  // C, as an atom
    ActivationFunction f_, g_, h_;
    Gate forget_, input_, output_;
    GateAffine candidate_;
};

// H' = (1 - z) n + z H, where n = g(x + r (H R + b)) or n = g(x + (r H) R).
class GruReader : CellReader {
public:
    GruReader(const GateAlgebra& algebra, const GateFormula& next)
        : CellReader(algebra), next_(next) {}

    std::optional<CellFormula> read() {
        const auto state = algebra_.atom_of_state(0);
        if (!state || !next_.is_sum_of_terms()) return {};
        state_ = *state;
        const auto mix = mix_of(next_, state_);
        const GateAtom* gate = mix ? plain_activation(mix->gate) : nullptr;
        const GateAtom* candidate = gate != nullptr ? activation(mix->candidate) : nullptr;
        if (candidate == nullptr) return {};
        f_ = gate->function;
        if (!mix->keeps && !can_complement(f_)) return {};
        if (!find_reset(candidate->argument)) return {};
        const GateAffine& update = gate->argument.affine;
        CellFormula cell;
        cell.type = ops::CellType::gru;
        cell.attributes.linear_before_reset = !recurrent_bias_.empty();
        return cell_of(
            std::move(cell), next_.units, {f_, candidate->function},
            {mix->keeps ? update : complement(update, next_.units, f_), reset_, candidate_},
            recurrent_bias_);
    }

private:
    bool find_reset(const GateFormula& argument) {
        candidate_ = argument.affine;
        if (argument.terms.empty()) return find_reset_before();
        if (argument.terms.size() != 1 || !is_one(argument.terms[0].factor)) return false;
        const GateAtoms& atoms = argument.terms[0].atoms;
        if (atoms.size() != 2 || !reads_inputs_alone(candidate_)) return false;
        for (const std::size_t i : {0U, 1U}) {
            const GateAtom& product = algebra_.atom(atoms[1 - i]);
            if (activation(atoms[i]) == nullptr || product.kind != GateAtom::Kind::affine) continue;
            return take_reset(atoms[i]) && take_product(product.argument);
        }
        return false;
    }

    // The reset is applied to the product with R.
    bool take_product(const GateFormula& product) {
        if (!product.is_affine() || product.affine.products.size() != 1) return false;
        if (source_of(product.affine.products[0]).kind != GateSource::Kind::state) return false;
        recurrent_bias_ = product.affine.bias;
        candidate_.products.push_back(product.affine.products[0]);
        return true;
    }

    // The reset is applied to H before its product.
    bool find_reset_before() {
        const GateFormula* masked = nullptr;
        for (const GateProduct& product : candidate_.products) {
            const GateSource& source = source_of(product);
            if (source.kind == GateSource::Kind::input) continue;
            if (source.kind == GateSource::Kind::state || masked != nullptr) return false;
            masked = &source.formula;
        }
        if (masked == nullptr || masked->terms.size() != 1 || !masked->is_sum_of_terms()) {
            return false;
        }
        const auto reset = beside(masked->terms[0], state_);
        return reset && is_one(masked->terms[0].factor) && take_reset(*reset);
    }

    bool take_reset(std::size_t atom) {
        const GateAtom* gate = plain_activation(atom);
        if (gate == nullptr || gate->function != f_) return false;
        reset_ = gate->argument.affine;
        return true;
    }

    bool reads_inputs_alone(const GateAffine& gate) const {
        return std::all_of(gate.products.begin(), gate.products.end(), [&](const auto& one) {
            return source_of(one).kind == GateSource::Kind::input;
        });
    }

    const GateFormula& next_;
    std::size_t state_ = 0;  // H, as an atom
    ActivationFunction f_;
    GateAffine reset_, candidate_;
    UnitNumbers recurrent_bias_;  // where the reset is applied to the product with R
};

// H' = f(x W + H R + b), or that without a function.
class RnnReader : CellReader {
public:
    using CellReader::CellReader;

    std::optional<CellFormula> read(const GateFormula& next) const {
        if (is_plain(next)) return made(next, kIdentity);
        const bool is_one_atom = next.is_sum_of_terms() && next.terms.size() == 1 &&
                                 next.terms[0].atoms.size() == 1 && is_one(next.terms[0].factor);
        const GateAtom* function = is_one_atom ? plain_activation(next.terms[0].atoms[0]) : nullptr;
        return function != nullptr ? made(function->argument, function->function) : std::nullopt;
    }

private:
    std::optional<CellFormula> made(const GateFormula& gate,
                                    const ActivationFunction& function) const {
        CellFormula cell;
        cell.type = ops::CellType::rnn;
        return cell_of(std::move(cell), gate.units, {function}, {gate.affine});
    }
};

}  // namespace

std::optional<CellFormula> recognise_cell(const GateAlgebra& algebra,
                                          const std::vector<GateFormula>& next) {
    if (next.size() == 2) {
        auto cell = LstmReader(algebra, next, 0).read();
        return cell ? cell : LstmReader(algebra, next, 1).read();
    }
    if (next.size() != 1) return {};
    auto cell = GruReader(algebra, next[0]).read();
    return cell ? cell : RnnReader(algebra).read(next[0]);
}

void set_activations(ops::RecurrentAttributes& attributes,
                     const std::vector<ActivationFunction>& functions) {
    for (const ActivationFunction& function : functions) {
        const ops::ActivationInfo& info = ops::info_of(function.kind);
        attributes.activations.push_back(to_lower(info.name));
        if (info.takes_alpha) attributes.activations_alpha.push_back(function.alpha);
        if (info.takes_beta) attributes.activations_beta.push_back(function.beta);
    }
}

}  // namespace rondo::passes
