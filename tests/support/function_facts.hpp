// What the functions of the families compute: one row a function, which every test of them walks.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/elementwise/functions.hpp"
#include "core/ops/reduction/functions.hpp"
#include "tests/support/source_location.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {

/// A function of one element. `of` is the truth for floating types, `of_integers` for signed
/// integers; each may be null where the op refuses the type.
struct UnaryFacts {
    ops::UnaryFunction function;
    long double (*of)(long double x);
    long double low, high;  ///< where numbers are drawn from
    double ulp;             ///< how far a kernel of f32 or f64 may be from the truth
    std::vector<std::pair<double, double>> special;  ///< exact results, with NaN and infinities
    std::int64_t (*of_integers)(std::int64_t x) = nullptr;
};

/// A function of two elements. `of` is null where the op refuses floating types.
struct BinaryFacts {
    ops::BinaryFunction function;
    long double (*of)(long double a, long double b);
    long double low, high;
    double ulp;
    std::int64_t (*of_integers)(std::int64_t a, std::int64_t b);
};

struct CompareFacts {
    ops::CompareFunction function;
    bool (*of)(long double a, long double b);
};

struct LogicalFacts {
    ops::LogicalFunction function;
    bool (*of)(bool a, bool b);
};

/// A reduction of a row of elements; of booleans for the logical ones.
struct ReduceFacts {
    ops::ReduceFunction function;
    long double (*of)(const std::vector<long double>& row);
    double ulp;
};

/// Each in the order of its enumeration.
const std::vector<UnaryFacts>& unary_facts();
const std::vector<BinaryFacts>& binary_facts();
const std::vector<CompareFacts>& compare_facts();
const std::vector<LogicalFacts>& logical_facts();
const std::vector<ReduceFacts>& reduce_facts();

/// Distance in units of the last place of `type` (f64, f32, f16 or bf16) at `expected`; 0 for equal
/// infinities and for two NaNs, infinity where only one of them is one.
long double ulp_distance(long double actual, long double expected, ElementType type);

/// Numbers from the function's domain and its special values, as a vector of `type`.
Tensor unary_samples(const UnaryFacts& facts, ElementType type, Rng& rng);

/// Fails at the caller's line unless `actual` is the function of `x`, element by element, within
/// `facts.ulp` units of the type plus the half that rounding takes; special values exactly.
void expect_unary(const UnaryFacts& facts, const Tensor& x, const Tensor& actual,
                  SourceLocation where = SourceLocation::current());

/// The same for two tensors of one shape.
void expect_binary(const BinaryFacts& facts, const Tensor& a, const Tensor& b, const Tensor& actual,
                   SourceLocation where = SourceLocation::current());

}  // namespace rondo::test
