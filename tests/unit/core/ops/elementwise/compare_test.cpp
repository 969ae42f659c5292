// Tests a part of core/ops/elementwise/elementwise_ops.hpp.
#include "core/ops/elementwise/elementwise_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/function_facts.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::compare_test {
namespace {

using namespace test;  // NOLINT: tests only
using enum ops::CompareFunction;

struct Expected {
    ops::CompareFunction function;
    std::vector<bool> results;
};

void expect_all(const Tensor& a, const Tensor& b, const std::vector<Expected>& expected) {
    for (const auto& [function, results] : expected) {
        SCOPED_TRACE(std::string(ops::Compare(function).type_name()));
        expect_same(evaluate_one(ops::Compare(function), {a, b}),
                    tensor_of<bool>({results.size()}, results));
    }
}

TEST(Compare, InfersBooleans) {
    EXPECT_EQ(inferred(*make_node<ops::Compare>(less, parameter("2,1"), parameter("?"))),
              "boolean[2,?]");
    const auto mixed =
        unchecked<ops::Compare>({parameter("2"), parameter("2", ElementType::i32)}, less);
    expect_error<ModelError>([&] { mixed->validate(); },
                             "node 'n' (Less): input 1 has type i32; expected f32");
}

TEST(Compare, OrdersNumbers) {
    const auto a = tensor_of<double>({3}, {1, 2, 3});
    const auto b = tensor_of<double>({3}, {2, 2, 2});
    for (const ElementType type : {ElementType::f64, ElementType::f16, ElementType::i8,
                                   ElementType::u64, ElementType::i64}) {
        SCOPED_TRACE(std::string(to_string(type)));
        expect_all(converted(a, type), converted(b, type),
                   {{equal, {false, true, false}},
                    {greater, {false, false, true}},
                    {greater_equal, {false, true, true}},
                    {less, {true, false, false}},
                    {less_equal, {true, true, false}},
                    {not_equal, {true, false, true}}});
    }
}

TEST(Compare, NanEqualsNothing) {
    const auto nan = tensor_of<float>({1}, {std::nanf("")});
    expect_all(nan, nan,
               {{equal, {false}},
                {greater, {false}},
                {greater_equal, {false}},
                {less, {false}},
                {less_equal, {false}},
                {not_equal, {true}}});
    expect_all(tensor_of<float>({1}, {0.0F}), tensor_of<float>({1}, {-0.0F}),
               {{equal, {true}}, {less, {false}}, {greater, {false}}});
}

TEST(Compare, TellsIntegersApartThatDoublesDoNot) {
    constexpr std::int64_t kBig = std::int64_t{1} << 60;
    expect_all(tensor_of<std::int64_t>({1}, {kBig}), tensor_of<std::int64_t>({1}, {kBig + 1}),
               {{equal, {false}}, {less, {true}}});
    const auto most = std::numeric_limits<std::uint64_t>::max();
    expect_all(tensor_of<std::uint64_t>({1}, {most}), tensor_of<std::uint64_t>({1}, {1}),
               {{greater, {true}}});
    expect_all(tensor_of<std::int8_t>({1}, {-1}), tensor_of<std::int8_t>({1}, {1}),
               {{less, {true}}});
}

TEST(Compare, TakesBooleansOfAnyByte) {
    unsigned char bytes[] = {2, 0};
    const Tensor odd(ElementType::boolean, {2}, bytes);
    expect_all(odd, tensor_of<bool>({2}, {true, true}),
               {{equal, {true, false}}, {less, {false, true}}});
}

TEST(Compare, EveryFunctionHoldsItsFacts) {
    ASSERT_EQ(compare_facts().size(), std::size(ops::kCompareOps)) << "a row has no facts";
    auto rng = test_rng();
    for (std::size_t i = 0; i < compare_facts().size(); ++i) {
        const auto& facts = compare_facts()[i];
        SCOPED_TRACE(std::string(ops::kCompareOps[i].type.name));
        ASSERT_EQ(facts.function, ops::kCompareOps[i].function);
        const Tensor a = random_tensor(ElementType::i8, {100}, rng, -2, 2);
        const Tensor b = random_tensor(ElementType::i8, {100}, rng, -2, 2);
        const Tensor y = evaluate_one(ops::Compare(facts.function), {a, b});
        for (std::size_t k = 0; k < y.size(); ++k) {
            ASSERT_EQ(y.data<bool>()[k],
                      facts.of(a.data<std::int8_t>()[k], b.data<std::int8_t>()[k]))
                << k;
        }
    }
}

}  // namespace
}  // namespace rondo::compare_test
