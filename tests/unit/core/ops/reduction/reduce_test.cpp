#include "core/ops/reduction/reduction_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/function_facts.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::reduce_test {
namespace {

using namespace test;  // NOLINT: tests only

Tensor axes(const std::vector<std::int64_t>& values) {
    return tensor_of<std::int64_t>({values.size()}, values);
}

std::string infer(const Output& data, const Output& axes, bool keep_dims) {
    return inferred(*make_node<ops::Reduce>(ops::ReduceFunction::mean, data, axes, keep_dims));
}

Tensor run(const Tensor& data, const Tensor& axes, bool keep_dims = false) {
    ops::Reduce node(ops::ReduceFunction::mean);
    node.set_name("n");
    node.set_keep_dims(keep_dims);
    return evaluate_one(node, {data, axes});
}

TEST(ReduceMean, ReadsAndWritesItsAttributes) {
    const auto node = ops::find_op("ReduceMean", "opset1")->make();
    read_attributes(*node, {{"keep_dims", "true"}});
    ASSERT_EQ(attributes_of(*node).size(), 1u);
    EXPECT_EQ(attributes_of(*node)[0].first, "keep_dims");
    EXPECT_EQ(attributes_of(*node)[0].second, "true");
    EXPECT_FALSE(ops::Reduce(ops::ReduceFunction::mean).keep_dims());
}

TEST(ReduceMean, DropsOrKeepsAxes) {
    EXPECT_EQ(infer(parameter("2,?,4"), constant(axes({0, -1})), false), "f32[?]");
    EXPECT_EQ(infer(parameter("2,?,4"), constant(axes({0, -1})), true), "f32[1,?,1]");
    EXPECT_EQ(infer(parameter("2,3"), constant(axes({})), false), "f32[2,3]");
    EXPECT_EQ(infer(parameter("2,3"), constant(axes({1, -1})), false), "f32[2]");
    EXPECT_EQ(infer(parameter("2,3"), constant(scalar_of<std::uint8_t>(0)), false), "f32[3]");
    EXPECT_EQ(infer(parameter("...", ElementType::i32), constant(axes({0})), true), "i32[...]");
}

TEST(ReduceMean, LeavesOpenWhatUnknownAxesDecide) {
    const auto open = parameter("?", ElementType::i64);
    EXPECT_EQ(infer(parameter("2,?"), open, false), "f32[...]");
    EXPECT_EQ(infer(parameter("2,?,0"), open, true), "f32[1..2,?,..1]");
    const auto one = parameter("1", ElementType::i64);
    EXPECT_EQ(infer(parameter("2,4,7"), one, false), "f32[?,?]");
    EXPECT_EQ(infer(parameter("4,4"), parameter("", ElementType::i64), false), "f32[?]");
    EXPECT_EQ(infer(parameter("4"), one, false), "f32[...]");
    EXPECT_EQ(infer(parameter("2,?"), parameter("2", ElementType::i64), false), "f32[...]")
        << "both may name one axis";
}

TEST(ReduceMean, RefusesBadInputs) {
    const auto refused = [](const Output& data, const Output& axes) {
        return [=] { unchecked<ops::Reduce>({data, axes}, ops::ReduceFunction::mean)->validate(); };
    };
    expect_error<ModelError>(refused(parameter("2,3"), constant(axes({2}))),
                             "node 'n' (ReduceMean): axis 2 is out of range for rank 2");
    expect_error<ModelError>(refused(parameter(""), constant(axes({0}))),
                             "axis 0 is out of range for rank 0");
    expect_error<ModelError>(refused(parameter("2"), parameter("1")),
                             "axes are f32; expected integers");
    expect_error<ModelError>(refused(parameter("2"), parameter("1,1", ElementType::i64)),
                             "axes have shape [1,1]; expected rank 0 or 1");
    expect_error<UnsupportedError>(
        refused(parameter("2", ElementType::boolean), constant(axes({0}))),
        "the data is boolean; expected numbers");
    expect_error<ModelError>(
        [] { unchecked<ops::Reduce>({parameter("2")}, ops::ReduceFunction::mean)->validate(); },
        "got 1 input; expected 2");
}

TEST(ReduceMean, ComputesMeans) {
    const auto x = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 9});
    expect_same(run(x, axes({1})), tensor_of<float>({2}, {2, 6}));
    expect_same(run(x, axes({0}), true), tensor_of<float>({1, 3}, {2.5f, 3.5f, 6}));
    expect_same(run(x, axes({0, 1})), scalar_of(4.f));
    expect_same(run(x, axes({-1, 1})), tensor_of<float>({2}, {2, 6}));
    expect_same(run(x, axes({})), x);
    expect_same(run(x, scalar_of<std::int8_t>(-1)), tensor_of<float>({2}, {2, 6}));
}

TEST(ReduceMean, ComputesOverOuterAndInnerAxes) {
    const auto x = tensor_of<double>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    expect_same(run(x, axes({0, 2})), tensor_of<double>({2}, {3.5, 5.5}));
    expect_same(run(x, axes({1})), tensor_of<double>({2, 2}, {2, 3, 6, 7}));
}

TEST(ReduceMean, RoundsOnce) {
    const auto x = tensor_of<float16, double>({4}, {2048, 1, 1, 2});
    expect_same(run(x, axes({0})), tensor_of<float16, double>({}, {513}));
}

TEST(ReduceMean, IntegersRoundTowardsZero) {
    expect_same(run(tensor_of<std::int8_t>({2, 2}, {100, 101, -100, -101}), axes({1})),
                tensor_of<std::int8_t>({2}, {100, -100}));
    expect_same(run(tensor_of<std::uint8_t>({3}, {255, 255, 254}), axes({0})),
                scalar_of<std::uint8_t>(254));
    const auto half = std::numeric_limits<std::uint64_t>::max() / 2;
    expect_same(run(tensor_of<std::uint64_t>({2}, {half, half}), axes({0})), scalar_of(half));
}

TEST(ReduceMean, OfNothing) {
    const auto result = run(Tensor(ElementType::f32, {2, 0}), axes({1}));
    expect_same(result, tensor_of<float>({2}, {std::nanf(""), std::nanf("")}));
    EXPECT_EQ(run(Tensor(ElementType::i32, {2, 0}), axes({0})).shape(), (Shape{0}));
    expect_error<ModelError>(
        [] {
            run(Tensor(ElementType::i32, {2, 0}), axes({1}));
        },
        "node 'n' (ReduceMean): the mean of no integers has no value");
}

TEST(Reduce, EveryFunctionHoldsItsFacts) {
    ASSERT_EQ(reduce_facts().size(), std::size(ops::kReduceOps)) << "a row has no facts";
    auto rng = test_rng();
    for (std::size_t i = 0; i < reduce_facts().size(); ++i) {
        const auto& facts = reduce_facts()[i];
        const ops::ReduceInfo& row = ops::kReduceOps[i];
        SCOPED_TRACE(std::string(row.type.name));
        ASSERT_EQ(facts.function, row.function);
        const bool is_logical = row.types == ops::TypeRule::boolean;
        const ElementType type = is_logical ? ElementType::boolean : ElementType::f32;
        const Tensor x = random_tensor(type, {40, 3}, rng, -2, 2);
        const Tensor y = evaluate_one(ops::Reduce(facts.function), {x, axes({1})});
        for (std::size_t k = 0; k < 40; ++k) {
            const long double expected = facts.of(
                {element_at(x, 3 * k), element_at(x, 3 * k + 1), element_at(x, 3 * k + 2)});
            EXPECT_LE(ulp_distance(element_at(y, k), expected, ElementType::f32), facts.ulp + 0.51);
        }
    }
}

TEST(Reduce, EveryFunctionHoldsItsFactsForIntegers) {
    auto rng = test_rng();
    for (const auto& facts : reduce_facts()) {
        const ops::ReduceInfo& row = ops::kReduceOps[static_cast<int>(facts.function)];
        if (row.types != ops::TypeRule::number) continue;
        SCOPED_TRACE(std::string(row.type.name));
        for (const ElementType type : {ElementType::i8, ElementType::i64, ElementType::u8}) {
            const Tensor x = random_tensor(type, {40, 3}, rng, type == ElementType::u8 ? 0 : -5, 5);
            const Tensor y = evaluate_one(ops::Reduce(facts.function), {x, axes({1})});
            for (std::size_t k = 0; k < 40; ++k) {
                const long double expected = facts.of(
                    {element_at(x, 3 * k), element_at(x, 3 * k + 1), element_at(x, 3 * k + 2)});
                EXPECT_EQ(element_at(y, k), std::trunc(expected)) << to_string(type) << " " << k;
            }
        }
    }
}

TEST(Reduce, IntegersWrap) {
    const auto of = [](ops::ReduceFunction function, std::vector<std::int8_t> x) {
        return evaluate_one(ops::Reduce(function), {tensor_of<std::int8_t>({2}, x), axes({0})});
    };
    using enum ops::ReduceFunction;
    expect_same(of(sum, {127, 1}), scalar_of<std::int8_t>(-128));
    expect_same(of(l1, {-128, 0}), scalar_of<std::int8_t>(-128));
    expect_same(of(prod, {64, 2}), scalar_of<std::int8_t>(-128));
    expect_same(of(mean, {127, 127}), scalar_of<std::int8_t>(127));
    expect_same(of(max, {-128, -127}), scalar_of<std::int8_t>(-127));
    expect_same(of(min, {-128, -127}), scalar_of<std::int8_t>(-128));
}

TEST(Reduce, OfNoElements) {
    const auto of = [](ops::ReduceFunction function, ElementType type) {
        return evaluate_one(ops::Reduce(function), {Tensor(type, {1, 0}), axes({1})});
    };
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    using enum ops::ReduceFunction;
    expect_same(of(sum, ElementType::f32), tensor_of<float>({1}, {0}));
    expect_same(of(l2, ElementType::f32), tensor_of<float>({1}, {0}));
    expect_same(of(prod, ElementType::i32), tensor_of<std::int32_t>({1}, {1}));
    expect_same(of(max, ElementType::f32), tensor_of<float>({1}, {-kInfinity}));
    expect_same(of(min, ElementType::f32), tensor_of<float>({1}, {kInfinity}));
    expect_same(of(max, ElementType::i8), tensor_of<std::int8_t>({1}, {-128}));
    expect_same(of(min, ElementType::i8), tensor_of<std::int8_t>({1}, {127}));
    expect_same(of(max, ElementType::u16), tensor_of<std::uint16_t>({1}, {0}));
    expect_same(of(min, ElementType::u64),
                scalar_of(std::numeric_limits<std::uint64_t>::max()).reshaped({1}));
    expect_same(of(logical_and, ElementType::boolean), tensor_of<bool>({1}, {true}));
    expect_same(of(logical_or, ElementType::boolean), tensor_of<bool>({1}, {false}));
}

TEST(Reduce, NanIsLargestAndSmallest) {
    const auto x = tensor_of<float>({3}, {1, std::nanf(""), -1});
    for (const auto function : {ops::ReduceFunction::max, ops::ReduceFunction::min}) {
        expect_same(evaluate_one(ops::Reduce(function), {x, axes({0})}), scalar_of(std::nanf("")));
    }
}

TEST(Reduce, RootsOfIntegersRoundTowardsZero) {
    const auto l2 = ops::Reduce(ops::ReduceFunction::l2);
    expect_same(evaluate_one(l2, {tensor_of<std::int32_t>({2}, {3, -4}), axes({0})}),
                scalar_of<std::int32_t>(5));
    expect_same(evaluate_one(l2, {tensor_of<std::int64_t>({2}, {2, 2}), axes({0})}),
                scalar_of<std::int64_t>(2));
}

}  // namespace
}  // namespace rondo::reduce_test
