#include "core/extents/extent_sum.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace rondo {
namespace {

using Symbols = std::vector<Symbol>;
using Result = std::optional<ExtentSum>;

constexpr std::size_t kMostTerms = 8;
constexpr std::size_t kMostSymbols = 16;
constexpr std::int64_t kInfinity = Dimension::kInfinity;

auto key(const Symbol& symbol) {
    return std::make_tuple(symbol.tensor.node_ptr().get(), symbol.tensor.index(), symbol.axis);
}

bool comes_before(const Symbol& a, const Symbol& b) { return key(a) < key(b); }

bool come_before(const Symbols& a, const Symbols& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), comes_before);
}

std::int64_t limited_product(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (!__builtin_mul_overflow(a, b, &result)) return result;
    return (a < 0) == (b < 0) ? kInfinity : -kInfinity;
}

std::int64_t limited_sum(std::int64_t a, std::int64_t b) {
    for (const std::int64_t bound : {kInfinity, -kInfinity}) {
        if (a == bound || b == bound) return bound;
    }
    std::int64_t result = 0;
    if (!__builtin_add_overflow(a, b, &result)) return result;
    return a < 0 ? -kInfinity : kInfinity;
}

}  // namespace

ExtentSum::ExtentSum(std::int64_t number) {
    if (number != 0) terms_.push_back({number, {}});
}

ExtentSum ExtentSum::of(const Output& tensor, std::size_t axis) {
    const Dimension& extent = tensor.shape()[axis];
    return extent.is_static() ? ExtentSum(extent.length()) : ExtentSum(Symbol{tensor, axis});
}

std::optional<std::int64_t> ExtentSum::number() const {
    if (terms_.empty()) return 0;
    const bool is_number = terms_.size() == 1 && terms_.front().symbols.empty();
    return is_number ? std::optional(terms_.front().factor) : std::nullopt;
}

std::optional<Symbol> ExtentSum::symbol() const {
    const bool is_symbol =
        terms_.size() == 1 && terms_.front().factor == 1 && terms_.front().symbols.size() == 1;
    return is_symbol ? std::optional(terms_.front().symbols.front()) : std::nullopt;
}

bool ExtentSum::has_variables() const {
    return std::any_of(terms_.begin(), terms_.end(), [](const Term& term) {
        return std::any_of(term.symbols.begin(), term.symbols.end(),
                           [](const Symbol& symbol) { return symbol.is_variable(); });
    });
}

ExtentSum ExtentSum::without_variables() const {
    ExtentSum result;
    for (Term term : terms_) {
        std::erase_if(term.symbols, [](const Symbol& symbol) { return symbol.is_variable(); });
        result.add(std::move(term));
    }
    return result;
}

ExtentSum::Range ExtentSum::range() const {
    Range all;
    for (const Term& term : terms_) {
        Range own{term.factor, term.factor};
        for (const Symbol& symbol : term.symbols) {
            const Dimension extent =
                symbol.is_variable() ? Dimension() : symbol.tensor.shape()[symbol.axis];
            own.least = limited_product(own.least, extent.min());
            own.most = limited_product(own.most, extent.max());
        }
        if (own.least > own.most) std::swap(own.least, own.most);
        all = {limited_sum(all.least, own.least), limited_sum(all.most, own.most)};
    }
    return all;
}

bool ExtentSum::add(Term term) {
    const auto place = std::lower_bound(
        terms_.begin(), terms_.end(), term,
        [](const Term& a, const Term& b) { return come_before(a.symbols, b.symbols); });
    if (place == terms_.end() || place->symbols != term.symbols) {
        if (term.factor != 0) terms_.insert(place, std::move(term));
        return terms_.size() <= kMostTerms;
    }
    if (__builtin_add_overflow(place->factor, term.factor, &place->factor)) return false;
    if (place->factor == 0) terms_.erase(place);
    return true;
}

Result ExtentSum::plus(const ExtentSum& other, std::int64_t factor) const {
    Result result = *this;
    for (Term term : other.terms_) {
        if (__builtin_mul_overflow(term.factor, factor, &term.factor)) return {};
        if (!result->add(std::move(term))) return {};
    }
    return result;
}

Result ExtentSum::times(const ExtentSum& other) const {
    Result result = ExtentSum();
    for (const Term& a : terms_) {
        for (const Term& b : other.terms_) {
            Term term;
            if (__builtin_mul_overflow(a.factor, b.factor, &term.factor)) return {};
            std::merge(a.symbols.begin(), a.symbols.end(), b.symbols.begin(), b.symbols.end(),
                       std::back_inserter(term.symbols), comes_before);
            if (term.symbols.size() > kMostSymbols || !result->add(std::move(term))) return {};
        }
    }
    return result;
}

Result ExtentSum::divided_by(const ExtentSum& other) const {
    if (other.terms_.size() != 1) return {};
    const Term& by = other.terms_.front();
    Result result = ExtentSum();
    for (const Term& term : terms_) {
        const bool overflows = by.factor == -1 && term.factor == -kInfinity - 1;
        if (overflows || term.factor % by.factor != 0) return {};
        if (!std::includes(term.symbols.begin(), term.symbols.end(), by.symbols.begin(),
                           by.symbols.end(), comes_before)) {
            return {};
        }
        Term left{term.factor / by.factor, {}};
        std::set_difference(term.symbols.begin(), term.symbols.end(), by.symbols.begin(),
                            by.symbols.end(), std::back_inserter(left.symbols), comes_before);
        result->add(std::move(left));
    }
    return result;
}

std::optional<bool> compared(ops::CompareFunction function, const ExtentSum& a,
                             const ExtentSum& b) {
    using Function = ops::CompareFunction;
    const Result difference = a.plus(b, -1);
    if (!difference) return {};
    const auto [least, most] = difference->range();
    const auto decided = [](bool always, bool never) {
        return always || never ? std::optional(always) : std::nullopt;
    };
    const bool differs = least > 0 || most < 0;
    switch (function) {
        case Function::equal: return decided(least == 0 && most == 0, differs);
        case Function::not_equal: return decided(differs, least == 0 && most == 0);
        case Function::less: return decided(most < 0, least >= 0);
        case Function::less_equal: return decided(most <= 0, least > 0);
        case Function::greater: return decided(least > 0, most <= 0);
        case Function::greater_equal: return decided(least >= 0, most < 0);
        default: return {};
    }
}

Result greater_one(const ExtentSum& a, const ExtentSum& b) {
    if (compared(ops::CompareFunction::greater_equal, a, b) == true) return a;
    return compared(ops::CompareFunction::less_equal, a, b) == true ? Result(b) : Result();
}

Result smaller_one(const ExtentSum& a, const ExtentSum& b) {
    if (compared(ops::CompareFunction::less_equal, a, b) == true) return a;
    return compared(ops::CompareFunction::greater_equal, a, b) == true ? Result(b) : Result();
}

}  // namespace rondo
