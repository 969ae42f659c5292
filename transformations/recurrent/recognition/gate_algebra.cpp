#include "transformations/recurrent/recognition/gate_algebra.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace rondo::passes {
namespace {

constexpr std::size_t kMaxTerms = 12;
constexpr std::size_t kMaxFactors = 6;

float at(const UnitNumbers& numbers, std::size_t unit) {
    return numbers.size() == 1 ? numbers[0] : numbers[unit];
}

UnitNumbers shortest(UnitNumbers numbers) {
    const bool is_one = std::all_of(numbers.begin(), numbers.end(),
                                    [&](float number) { return number == numbers.front(); });
    if (is_one && numbers.size() > 1) numbers.resize(1);
    return numbers;
}

template <typename Operation>
UnitNumbers combined(const UnitNumbers& a, const UnitNumbers& b, Operation operation) {
    UnitNumbers result(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = operation(at(a, i), at(b, i));
    return shortest(std::move(result));
}

// 6 times a sixth is 1, however that was rounded.
float rounded_product(float a, float b) {
    constexpr float kClose = 0x1p-22F;
    const float product = a * b;
    return std::abs(product - 1) <= kClose ? 1 : product;
}

UnitNumbers part_of(const UnitNumbers& numbers, const UnitRange& range) {
    if (numbers.size() == 1) return numbers;
    UnitNumbers part(range.count);
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = numbers[range.begin + i * range.step];
    return shortest(std::move(part));
}

// Rows of k numbers.
GateWeights rows_of(const GateWeights& rows, std::size_t k, const UnitRange& range) {
    if (range.step == 1) return rows.part(range.begin * k, range.count * k);
    std::vector<float> part;
    part.reserve(range.count * k);
    for (std::size_t i = 0; i < range.count; ++i) {
        const float* row = rows.begin() + (range.begin + i * range.step) * k;
        part.insert(part.end(), row, row + k);
    }
    return GateWeights(std::move(part));
}

bool are_zero(const UnitNumbers& numbers) { return numbers.size() == 1 && numbers[0] == 0; }

// The rows of the product's matrix, ones on the diagonal where it has none.
GateWeights weights_of(const GateProduct& product) {
    if (!product.weights.empty()) return product.weights;
    std::vector<float> weights(product.k * product.k);
    for (std::size_t i = 0; i < product.k; ++i) weights[i * product.k + i] = 1;
    return GateWeights(std::move(weights));
}

void add_product(GateAffine& sum, const GateProduct& product) {
    const auto place =
        std::lower_bound(sum.products.begin(), sum.products.end(), product.source,
                         [](const GateProduct& one, std::size_t s) { return one.source < s; });
    if (place == sum.products.end() || place->source != product.source) {
        sum.products.insert(place, product);
        return;
    }
    const GateWeights before = weights_of(*place), more = weights_of(product);
    std::vector<float> weights(before.size());
    std::transform(before.begin(), before.end(), more.begin(), weights.begin(), std::plus<>());
    place->weights = GateWeights(std::move(weights));
}

void add_term(std::vector<GateTerm>& terms, GateTerm term) {
    const auto place =
        std::lower_bound(terms.begin(), terms.end(), term.atoms,
                         [](const GateTerm& one, const auto& atoms) { return one.atoms < atoms; });
    if (place == terms.end() || place->atoms != term.atoms) {
        terms.insert(place, std::move(term));
        return;
    }
    place->factor = combined(place->factor, term.factor, std::plus<>());
    if (are_zero(place->factor)) terms.erase(place);
}

bool is_numbers(const GateFormula& a) { return a.terms.empty() && a.affine.products.empty(); }

// Only a single number is one for all units.
bool fit(const GateFormula& a, const GateFormula& b) {
    return a.units == b.units || (a.units == 1 && is_numbers(a)) || (b.units == 1 && is_numbers(b));
}

}  // namespace

bool GateFormula::is_sum_of_terms() const {
    return affine.products.empty() && are_zero(affine.bias);
}

GateFormula GateAlgebra::numbers(UnitNumbers numbers) {
    GateFormula result;
    result.units = numbers.size();
    result.affine.bias = shortest(std::move(numbers));
    return result;
}

GateFormula GateAlgebra::input(std::size_t number, std::size_t size) {
    GateFormula result;
    result.units = size;
    GateSource source;
    source.number = number;
    result.affine.products.push_back({number_of(std::move(source)), size, {}});
    return result;
}

GateFormula GateAlgebra::state(std::size_t number, std::size_t units) {
    GateFormula result;
    result.units = units;
    GateAtom atom;
    atom.state = number;
    result.terms.push_back({{1}, {number_of(std::move(atom))}});
    return result;
}

std::size_t GateAlgebra::number_of(GateAtom atom) { return number_in(atoms_, std::move(atom)); }

std::size_t GateAlgebra::number_of(GateSource source) {
    return number_in(sources_, std::move(source));
}

std::optional<std::size_t> GateAlgebra::atom_of_state(std::size_t state) const {
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
        if (atoms_[i].kind == GateAtom::Kind::state && atoms_[i].state == state) return i;
    }
    return {};
}

GateAffine GateAlgebra::scaled(const GateAffine& a, std::size_t units, const UnitNumbers& factor) {
    GateAffine result;
    result.bias = combined(a.bias, factor, std::multiplies<>());
    for (GateProduct product : a.products) {
        const bool keeps = factor.size() == 1 && factor[0] == 1;
        if (!keeps) {
            const GateWeights before = passes::weights_of(product);
            std::vector<float> weights(before.begin(), before.end());
            for (std::size_t i = 0; i < units * product.k; ++i) {
                weights[i] *= at(factor, i / product.k);
            }
            product.weights = GateWeights(std::move(weights));
        }
        result.products.push_back(std::move(product));
    }
    return result;
}

MaybeFormula GateAlgebra::sum(const GateFormula& a, const GateFormula& b, float factor_of_b) const {
    if (!fit(a, b)) return {};
    GateFormula result = a;
    result.units = std::max(a.units, b.units);
    const GateAffine more = scaled(b.affine, b.units, {factor_of_b});
    for (const GateProduct& product : more.products) add_product(result.affine, product);
    result.affine.bias = combined(result.affine.bias, more.bias, std::plus<>());
    for (GateTerm term : b.terms) {
        term.factor = combined(term.factor, {factor_of_b}, std::multiplies<>());
        add_term(result.terms, std::move(term));
    }
    if (result.terms.size() > kMaxTerms) return {};
    return result;
}

// Each term of `a`, and its affine part as an atom, times an affine formula, which is one too
// unless it is numbers.
GateFormula GateAlgebra::times_affine(const GateFormula& a, const GateFormula& affine) {
    GateFormula result;
    result.units = std::max(a.units, affine.units);
    if (is_numbers(affine)) {
        result.affine = scaled(a.affine, a.units, affine.affine.bias);
        for (GateTerm term : a.terms) {
            term.factor = combined(term.factor, affine.affine.bias, rounded_product);
            if (!are_zero(term.factor)) add_term(result.terms, std::move(term));
        }
        return result;
    }
    GateAtom atom;
    atom.kind = GateAtom::Kind::affine;
    atom.argument = affine;
    const std::size_t number = number_of(std::move(atom));
    for (GateTerm term : a.terms) {
        term.atoms.insert(std::upper_bound(term.atoms.begin(), term.atoms.end(), number), number);
        add_term(result.terms, std::move(term));
    }
    return result;
}

MaybeFormula GateAlgebra::product(const GateFormula& a, const GateFormula& b) {
    if (!fit(a, b)) return {};
    if (is_numbers(b)) return times_affine(a, b);
    if (is_numbers(a)) return times_affine(b, a);
    GateFormula terms_of_a = a, affine_of_a = a, terms_of_b = b, affine_of_b = b;
    terms_of_a.affine = terms_of_b.affine = {};
    affine_of_a.terms.clear();
    affine_of_b.terms.clear();
    if (!a.is_sum_of_terms() && !b.is_sum_of_terms()) return {};  // a square of inputs
    GateFormula result;
    result.units = a.units;
    for (const GateTerm& one : a.terms) {
        for (const GateTerm& other : b.terms) {
            GateTerm term{combined(one.factor, other.factor, std::multiplies<>()), one.atoms};
            term.atoms.insert(term.atoms.end(), other.atoms.begin(), other.atoms.end());
            if (term.atoms.size() > kMaxFactors) return {};
            std::sort(term.atoms.begin(), term.atoms.end());
            add_term(result.terms, std::move(term));
        }
    }
    if (!a.is_sum_of_terms()) return sum(result, times_affine(terms_of_b, affine_of_a));
    if (!b.is_sum_of_terms()) return sum(result, times_affine(terms_of_a, affine_of_b));
    if (result.terms.size() > kMaxTerms) return {};
    return result;
}

GateFormula GateAlgebra::activation(const ops::ActivationFunction& function,
                                    const GateFormula& argument) {
    GateAtom atom;
    atom.kind = GateAtom::Kind::activation;
    atom.function = function;
    atom.argument = argument;
    GateFormula result;
    result.units = argument.units;
    result.terms.push_back({{1}, {number_of(std::move(atom))}});
    return result;
}

MaybeFormula GateAlgebra::as_one_function(MaybeFormula a) {
    const bool is_one_atom =
        a && a->affine.products.empty() && a->terms.size() == 1 && a->terms[0].atoms.size() == 1;
    if (!is_one_atom) return a;
    const GateAtom atom = atoms_[a->terms[0].atoms[0]];
    const auto is = [&](ops::ActivationKind kind, float factor, float bias) {
        return atom.kind == GateAtom::Kind::activation && atom.function.kind == kind &&
               a->terms[0].factor == UnitNumbers{factor} && a->affine.bias == UnitNumbers{bias};
    };
    using ops::ActivationKind;
    if (is(ActivationKind::sigmoid, 2, -1)) {
        return activation(ops::default_activation(ActivationKind::tanh),
                          times_affine(atom.argument, numbers({0.5F})));
    }
    if (is(ActivationKind::tanh, 0.5F, 0.5F)) {
        return activation(ops::default_activation(ActivationKind::sigmoid),
                          times_affine(atom.argument, numbers({2})));
    }
    return a;
}

// An input or a state as it is, or a sum of terms.
std::optional<std::size_t> GateAlgebra::source_of(const GateFormula& a) {
    if (a.is_affine()) {
        const bool is_input = a.affine.products.size() == 1 && are_zero(a.affine.bias) &&
                              a.affine.products[0].weights.empty();
        return is_input ? std::optional(a.affine.products[0].source) : std::nullopt;
    }
    if (!a.is_sum_of_terms()) return {};
    GateSource source;
    source.kind = GateSource::Kind::formula;
    const GateTerm& first = a.terms.front();
    const bool is_state = a.terms.size() == 1 && first.atoms.size() == 1 &&
                          first.factor == UnitNumbers{1} &&
                          atoms_[first.atoms[0]].kind == GateAtom::Kind::state;
    if (is_state) {
        source.kind = GateSource::Kind::state;
        source.number = atoms_[first.atoms[0]].state;
    } else {
        source.formula = a;
    }
    return number_of(std::move(source));
}

MaybeFormula GateAlgebra::matrix_product(const GateFormula& a, const GateMatrix& matrix) {
    if (a.is_zero()) return numbers({0});
    if (a.units != matrix.k) return {};
    const auto source = source_of(a);
    if (!source) return {};
    GateFormula result;
    result.units = matrix.units;
    result.affine.products.push_back({*source, matrix.k, weights_of(matrix)});
    return result;
}

GateWeights GateAlgebra::weights_of(const GateMatrix& matrix) {
    const MatrixKey key(matrix.data, matrix.rows, matrix.units, matrix.transposed, matrix.first,
                        matrix.k);
    const auto known = matrices_.find(key);
    if (matrix.lives && known != matrices_.end()) return known->second;
    std::vector<float> numbers(matrix.k * matrix.units);
    for (std::size_t unit = 0; unit < matrix.units; ++unit) {
        for (std::size_t i = 0; i < matrix.k; ++i) {
            const std::size_t row = matrix.first + i;
            const std::size_t place =
                matrix.transposed ? unit * matrix.rows + row : row * matrix.units + unit;
            numbers[unit * matrix.k + i] = matrix.data[place];
        }
    }
    GateWeights weights(std::move(numbers));
    if (matrix.lives) matrices_.emplace(key, weights);
    return weights;
}

GateFormula GateAlgebra::atom_at_zero(std::size_t number) {
    const GateAtom atom = atoms_[number];
    if (atom.kind == GateAtom::Kind::state) return numbers({0});
    const GateFormula argument = at_zero(atom.argument);
    return atom.kind == GateAtom::Kind::affine ? argument : activation(atom.function, argument);
}

GateFormula GateAlgebra::at_zero(const GateFormula& a) {
    GateFormula result;
    result.units = a.units;
    result.affine.bias = a.affine.bias;
    for (const GateProduct& product : a.affine.products) {
        const bool is_input = sources_[product.source].kind == GateSource::Kind::input;
        if (is_input) result.affine.products.push_back(product);
    }
    for (const GateTerm& term : a.terms) {
        MaybeFormula left = numbers(term.factor);
        for (const std::size_t number : term.atoms) left = product(left, atom_at_zero(number));
        left = sum(result, left);
        if (left) result = *std::move(left);
    }
    result.units = a.units;
    return result;
}

std::optional<std::size_t> GateAlgebra::sliced_atom(std::size_t number, const UnitRange& range) {
    GateAtom atom = atoms_[number];
    if (atom.kind == GateAtom::Kind::state) return {};
    auto argument = slice(atom.argument, range);
    if (!argument) return {};
    atom.argument = *std::move(argument);
    return number_of(std::move(atom));
}

MaybeFormula GateAlgebra::slice(const GateFormula& a, const UnitRange& range) {
    if (a.units == range.count && range.begin == 0) return a;
    GateFormula result;
    result.units = range.count;
    result.affine.bias = part_of(a.affine.bias, range);
    for (const GateProduct& product : a.affine.products) {
        result.affine.products.push_back(
            {product.source, product.k, rows_of(passes::weights_of(product), product.k, range)});
    }
    for (const GateTerm& term : a.terms) {
        GateTerm part{part_of(term.factor, range), {}};
        for (const std::size_t number : term.atoms) {
            const auto sliced = sliced_atom(number, range);
            if (!sliced) return {};
            part.atoms.push_back(*sliced);
        }
        std::sort(part.atoms.begin(), part.atoms.end());
        add_term(result.terms, std::move(part));
    }
    return result;
}

}  // namespace rondo::passes
