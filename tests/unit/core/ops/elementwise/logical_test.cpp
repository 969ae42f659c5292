// Tests a part of core/ops/elementwise/elementwise_ops.hpp.
#include "core/ops/elementwise/elementwise_ops.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/function_facts.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::logical_test {
namespace {

using namespace test;  // NOLINT: tests only
using enum ops::LogicalFunction;

TEST(Logical, TakesBooleansOnly) {
    const auto flags = parameter("2,1", ElementType::boolean);
    EXPECT_EQ(
        inferred(*make_node<ops::Logical>(logical_or, flags, parameter("3", ElementType::boolean))),
        "boolean[2,3]");
    const auto numbers = unchecked<ops::Logical>({parameter("2"), parameter("2")}, logical_and);
    expect_error<UnsupportedError>([&] { numbers->validate(); },
                                   "node 'n' (LogicalAnd): the inputs are f32; expected boolean");
    const auto inverse =
        unchecked<ops::Unary>({parameter("2", ElementType::i8)}, ops::UnaryFunction::logical_not);
    expect_error<UnsupportedError>([&] { inverse->validate(); },
                                   "node 'n' (LogicalNot): the input is i8; expected boolean");
}

TEST(Logical, ComputesTruthTables) {
    const auto a = tensor_of<bool>({2, 1}, {false, true});
    unsigned char bytes[] = {0, 7};  // all but 0 is true
    const Tensor b(ElementType::boolean, {2}, bytes);
    const auto run = [&](ops::LogicalFunction function) {
        return evaluate_one(ops::Logical(function), {a, b});
    };
    expect_same(run(logical_and), tensor_of<bool>({2, 2}, {false, false, false, true}));
    expect_same(run(logical_or), tensor_of<bool>({2, 2}, {false, true, true, true}));
    expect_same(run(logical_xor), tensor_of<bool>({2, 2}, {false, true, true, false}));
    expect_same(evaluate_one(ops::Unary(ops::UnaryFunction::logical_not), {b}),
                tensor_of<bool>({2}, {true, false}));
}

TEST(Logical, EveryFunctionHoldsItsFacts) {
    ASSERT_EQ(logical_facts().size(), std::size(ops::kLogicalOps)) << "a row has no facts";
    auto rng = test_rng();
    for (std::size_t i = 0; i < logical_facts().size(); ++i) {
        const auto& facts = logical_facts()[i];
        SCOPED_TRACE(std::string(ops::kLogicalOps[i].type.name));
        ASSERT_EQ(facts.function, ops::kLogicalOps[i].function);
        const Tensor a = random_tensor(ElementType::boolean, {100}, rng);
        const Tensor b = random_tensor(ElementType::boolean, {100}, rng);
        const Tensor y = evaluate_one(ops::Logical(facts.function), {a, b});
        for (std::size_t k = 0; k < y.size(); ++k) {
            ASSERT_EQ(y.data<bool>()[k], facts.of(a.data<bool>()[k], b.data<bool>()[k])) << k;
        }
    }
}

}  // namespace
}  // namespace rondo::logical_test
