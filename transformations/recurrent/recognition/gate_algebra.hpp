// Writes the arithmetic of a recurrent step in a normal form, which is the same for all ways to
// write a cell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/ops/recurrent/functions.hpp"

namespace rondo::passes {

/// A number for each unit, or one for all; as short as that can be.
using UnitNumbers = std::vector<float>;

/// Numbers that never change; copies and parts share their memory. Equal numbers are equal,
/// wherever they lie.
class GateWeights {
public:
    GateWeights() = default;
    explicit GateWeights(std::vector<float> numbers)
        : size_(numbers.size()),
          memory_(std::make_shared<const std::vector<float>>(std::move(numbers))) {}

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    const float* begin() const { return memory_ ? memory_->data() + first_ : nullptr; }
    const float* end() const { return begin() + size_; }

    /// Numbers [first, first + count) of these.
    GateWeights part(std::size_t first, std::size_t count) const {
        GateWeights result = *this;
        result.first_ += first;
        result.size_ = count;
        return result;
    }

    friend bool operator==(const GateWeights& a, const GateWeights& b) {
        if (a.size_ != b.size_) return false;
        return a.begin() == b.begin() || std::equal(a.begin(), a.end(), b.begin());
    }

private:
    std::size_t first_ = 0;
    std::size_t size_ = 0;
    std::shared_ptr<const std::vector<float>> memory_;
};

/// A source, of k numbers a row, times the rows of a matrix [units][k]. No weights: the source
/// itself, k = units.
struct GateProduct {
    std::size_t source = 0;
    std::size_t k = 0;
    GateWeights weights;
    friend bool operator==(const GateProduct&, const GateProduct&) = default;
};

/// Units begin, begin + step and so on, `count` of them.
struct UnitRange {
    std::size_t begin = 0;
    std::size_t count = 0;
    std::size_t step = 1;
};

/// A sum of products of sources with matrices, and a bias. Sources differ, in order.
struct GateAffine {
    std::vector<GateProduct> products;
    UnitNumbers bias{0};
    friend bool operator==(const GateAffine&, const GateAffine&) = default;
};

/// A factor times some atoms, which are sorted; an atom may occur twice.
struct GateTerm {
    UnitNumbers factor;
    std::vector<std::size_t> atoms;
    friend bool operator==(const GateTerm&, const GateTerm&) = default;
};

/// An affine part and a sum of terms: the values of `units` units in a row. One unit broadcasts.
struct GateFormula {
    std::size_t units = 1;
    GateAffine affine;
    std::vector<GateTerm> terms;  ///< with different atoms, in order
    friend bool operator==(const GateFormula&, const GateFormula&) = default;

    bool is_affine() const { return terms.empty(); }
    bool is_zero() const { return terms.empty() && is_sum_of_terms(); }
    /// Whether the affine part is zero.
    bool is_sum_of_terms() const;
};

/// What terms are products of: a state of the step, a function of a formula, or an affine formula
/// that is multiplied by something else.
struct GateAtom {
    enum class Kind { state, activation, affine };
    Kind kind = Kind::state;
    std::size_t state = 0;
    ops::ActivationFunction function;
    GateFormula argument;
    friend bool operator==(const GateAtom&, const GateAtom&) = default;
};

/// What products are taken of: an input of the step, one of its states, or a formula.
struct GateSource {
    enum class Kind { input, state, formula };
    Kind kind = Kind::input;
    std::size_t number = 0;  ///< of the input or state
    GateFormula formula;
    friend bool operator==(const GateSource&, const GateSource&) = default;
};

/// Rows [first, first + k) of a matrix [rows][units], or [units][rows] where it is transposed. What
/// lives as long as the algebra is read once.
struct GateMatrix {
    const float* data = nullptr;
    std::size_t rows = 0;
    std::size_t units = 0;
    bool transposed = false;
    bool lives = false;
    std::size_t first = 0;
    std::size_t k = 0;
};

/// The number of an entry among others, to which it is added where it is new.
template <typename Entry>
std::size_t number_in(std::vector<Entry>& entries, Entry entry) {
    const auto found = std::find(entries.begin(), entries.end(), entry);
    const auto number = static_cast<std::size_t>(found - entries.begin());
    if (found == entries.end()) entries.push_back(std::move(entry));
    return number;
}

/// A formula, or nothing if there is none: what is computed from nothing is nothing.
using MaybeFormula = std::optional<GateFormula>;

/// Computes with formulas. Atoms and sources that are equal have one number. Results are nothing
/// where a formula would get more terms than any cell has.
class GateAlgebra {
public:
    static GateFormula numbers(UnitNumbers numbers);
    GateFormula input(std::size_t number, std::size_t size);
    GateFormula state(std::size_t number, std::size_t units);

    MaybeFormula sum(const GateFormula& a, const GateFormula& b, float factor_of_b = 1) const;
    MaybeFormula product(const GateFormula& a, const GateFormula& b);
    GateFormula activation(const ops::ActivationFunction& function, const GateFormula& argument);
    /// a times the matrix; nothing for an affine formula that isn't an input itself.
    MaybeFormula matrix_product(const GateFormula& a, const GateMatrix& matrix);
    MaybeFormula sum(const MaybeFormula& a, const MaybeFormula& b, float factor_of_b = 1) const {
        return a && b ? sum(*a, *b, factor_of_b) : std::nullopt;
    }
    MaybeFormula product(const MaybeFormula& a, const MaybeFormula& b) {
        return a && b ? product(*a, *b) : std::nullopt;
    }
    MaybeFormula activation(const ops::ActivationFunction& function, const MaybeFormula& argument) {
        return argument ? MaybeFormula(activation(function, *argument)) : std::nullopt;
    }
    MaybeFormula matrix_product(const MaybeFormula& a, const GateMatrix& matrix) {
        return a ? matrix_product(*a, matrix) : std::nullopt;
    }
    /// Returns nothing if that would take a part of a state.
    MaybeFormula slice(const GateFormula& a, const UnitRange& range);
    /// The same as one function: 2 sigmoid(x) - 1 is tanh(x / 2), (tanh(x) + 1) / 2 is sigmoid(2
    /// x).
    MaybeFormula as_one_function(MaybeFormula a);
    /// What a formula is where all states are 0.
    GateFormula at_zero(const GateFormula& a);
    /// factor * a.
    static GateAffine scaled(const GateAffine& a, std::size_t units, const UnitNumbers& factor);

    const GateAtom& atom(std::size_t number) const { return atoms_[number]; }
    const GateSource& source(std::size_t number) const { return sources_[number]; }
    /// The number of a state's atom, if a formula has it.
    std::optional<std::size_t> atom_of_state(std::size_t state) const;

private:
    std::size_t number_of(GateAtom atom);
    std::size_t number_of(GateSource source);
    GateFormula atom_at_zero(std::size_t number);
    GateFormula times_affine(const GateFormula& a, const GateFormula& affine);
    std::optional<std::size_t> sliced_atom(std::size_t number, const UnitRange& range);
    std::optional<std::size_t> source_of(const GateFormula& a);

    GateWeights weights_of(const GateMatrix& matrix);

    using MatrixKey =
        std::tuple<const float*, std::size_t, std::size_t, bool, std::size_t, std::size_t>;
    std::map<MatrixKey, GateWeights> matrices_;
    std::vector<GateAtom> atoms_;
    std::vector<GateSource> sources_;
};

}  // namespace rondo::passes
