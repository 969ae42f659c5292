// Computes with whole numbers that depend on open extents: sums of products of extents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/elementwise/functions.hpp"

namespace rondo {

/// The extent of an axis of a tensor; or, without a tensor, a variable: a number of 0 or more to
/// which the reader of a graph gives a meaning, such as the number of streams.
struct Symbol {
    Output tensor = {};
    std::size_t axis = 0;  ///< of the tensor; the number of the variable

    bool is_variable() const { return !tensor; }
    friend bool operator==(const Symbol&, const Symbol&) = default;
};

/// A sum of products of symbols, such as 2 N T + 3. Equal sums are the same number in every run.
class ExtentSum {
public:
    struct Term {
        std::int64_t factor = 1;  ///< not 0
        std::vector<Symbol> symbols = {};
        friend bool operator==(const Term&, const Term&) = default;
    };

    ExtentSum(std::int64_t number = 0);  // NOLINT: implicit on purpose
    explicit ExtentSum(Symbol symbol) : terms_{{1, {std::move(symbol)}}} {}
    static ExtentSum variable(std::size_t number) { return ExtentSum(Symbol{{}, number}); }
    /// The extent of a tensor whose rank is known: a number where it is known.
    static ExtentSum of(const Output& tensor, std::size_t axis);

    const std::vector<Term>& terms() const { return terms_; }
    /// The number that it is in every run, if it is one.
    std::optional<std::int64_t> number() const;
    /// The only symbol that it consists of, if it is one.
    std::optional<Symbol> symbol() const;
    bool has_variables() const;
    /// What it is where each variable is 1.
    ExtentSum without_variables() const;
    /// What it may be, from the ranges of its symbols; infinite bounds are +-Dimension::kInfinity.
    struct Range {
        std::int64_t least = 0;
        std::int64_t most = 0;
    };
    Range range() const;

    // Both return nothing if a factor overflows or there would be too many terms or symbols.
    std::optional<ExtentSum> plus(const ExtentSum& other, std::int64_t factor = 1) const;
    std::optional<ExtentSum> times(const ExtentSum& other) const;
    /// Returns nothing if the quotient isn't certain to be a whole number.
    std::optional<ExtentSum> divided_by(const ExtentSum& other) const;

    friend bool operator==(const ExtentSum&, const ExtentSum&) = default;

private:
    /// False where the factors don't fit.
    bool add(Term term);

    std::vector<Term> terms_;  // sorted by their symbols
};

/// Whether a comparison holds, if it is the same whatever the symbols are.
std::optional<bool> compared(ops::CompareFunction function, const ExtentSum& a, const ExtentSum& b);

/// The greater or the smaller one, if that is the same one whatever the symbols are.
std::optional<ExtentSum> greater_one(const ExtentSum& a, const ExtentSum& b);
std::optional<ExtentSum> smaller_one(const ExtentSum& a, const ExtentSum& b);

}  // namespace rondo
