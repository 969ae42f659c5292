#include "core/graph/infer_context.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::infer_context_test {
namespace {

using test::expect_error;
using test::tensor_of;
using Ints = std::vector<std::int64_t>;

InferContext context_with(std::vector<InferInput> inputs = {}) {
    return {"n", "Op", std::move(inputs)};
}

PartialShape shape(std::string_view text) { return PartialShape::parse(text); }

TEST(InferContext, NamesTheNodeInErrors) {
    const auto context = context_with();
    expect_error<ModelError>([&] { context.fail("why"); }, "node 'n' (Op): why");
    expect_error<UnsupportedError>([&] { context.refuse("why"); }, "node 'n' (Op): why");
    expect_error<ModelError>([&] { context.check(false, "why"); }, "node 'n' (Op): why");
    context.check(true, "why");
}

TEST(InferContext, BoundsAxesAndExtents) {
    auto context = context_with();
    context.set_output(0, ElementType::f32, PartialShape::of_rank(64));
    context.set_output(1, ElementType::f32, shape("0,140737488355328"));
    context.set_output(2, ElementType::f32, shape("?,..9223372036854775807"));
    context.set_output(3, ElementType::f32, {});
    EXPECT_EQ(context.outputs().size(), 4U);
    expect_error<ModelError>(
        [&] { context.set_output(0, ElementType::f32, PartialShape::of_rank(65)); },
        "node 'n' (Op): output 0 has 65 axes; expected 64 at most");
    expect_error<ModelError>(
        [&] { context.set_output(1, ElementType::f32, shape("0,140737488355329")); },
        "node 'n' (Op): output 1 has shape [0,140737488355329]; expected extents up to "
        "140737488355328");
}

TEST(InferContext, ChecksInputs) {
    const auto context = context_with({{ElementType::f32, shape("2,?"), {}}, {}});
    context.check_input_count(2, 2);
    context.check_input_count(1, 3);
    expect_error<ModelError>([&] { context.check_input_count(3, 3); }, "got 2 inputs; expected 3");
    expect_error<ModelError>([&] { context.check_input_count(0, 1); },
                             "got 2 inputs; expected 0 to 1");
    context.check_rank(0, 2, "X");
    context.check_rank(1, 2, "X");
    expect_error<ModelError>([&] { context.check_rank(0, 3, "X"); },
                             "X has shape [2,?]; expected rank 3");
}

TEST(InferContext, MergesExtents) {
    const auto context = context_with();
    EXPECT_EQ(context.merge({2, 5}, {4, 9}, "N"), Dimension(4, 5));
    EXPECT_EQ(context.merge(Dimension(), 3, "N"), Dimension(3));
    expect_error<ModelError>(
        [&] {
            context.merge(2, {3, 4}, "N");
        },
        "N is 2 in one place and 3..4 in another");
}

TEST(InferContext, MergesTypes) {
    const auto context = context_with(
        {{ElementType::dynamic, {}, {}}, {ElementType::f32, {}, {}}, {ElementType::f16, {}, {}}});
    EXPECT_EQ(context.merge_types({0}), ElementType::dynamic);
    EXPECT_EQ(context.merge_types({0, 1, 0}), ElementType::f32);
    expect_error<ModelError>(
        [&] {
            context.merge_types({0, 1, 2});
        },
        "input 2 has type f16; expected f32 as the inputs before it");
}

TEST(InferContext, ReadsKnownIntegers) {
    const auto context =
        context_with({{ElementType::i32, {}, tensor_of<std::int32_t>({2}, {1, -2})},
                      {ElementType::u8, {}, tensor_of<std::uint8_t>({}, {200})},
                      {ElementType::i64, {}, {}},
                      {ElementType::i64, {}, Tensor(ElementType::i64, {1, 1})},
                      {ElementType::f32, {}, Tensor(ElementType::f32, {1})}});
    EXPECT_EQ(context.ints(0), (Ints{1, -2}));
    EXPECT_EQ(context.ints(1), (Ints{200}));
    EXPECT_EQ(context.ints(2), std::nullopt);
    EXPECT_EQ(context_with({{ElementType::i64, shape("0"), {}}}).ints(0), Ints());
    expect_error<ModelError>([&] { (void)context.ints(3); },
                             "input 3 must have rank 0 or 1, got shape [1,1]");
    expect_error<ModelError>([&] { (void)context.ints(4); }, "input 4 must hold integers, got f32");
    const Tensor huge = tensor_of<std::uint64_t>({1}, {std::uint64_t{1} << 63});
    const auto wide = context_with({{ElementType::u64, shape("1"), huge}});
    expect_error<ModelError>([&] { (void)wide.ints(0); }, "input 0 holds values above 2^63");
}

TEST(InferContext, WidensWholeNumbers) {
    EXPECT_EQ(to_int64_vector(tensor_of<std::int8_t>({1}, {-3})), (Ints{-3}));
    EXPECT_EQ(to_int64_vector(tensor_of<bool>({2}, {true, false})), (Ints{1, 0}));
    EXPECT_EQ(to_int64_vector(tensor_of<float>({2}, {2, -5})), (Ints{2, -5}));
    expect_error<ModelError>([] { (void)to_int64_vector(tensor_of<float>({1}, {1.5f})); },
                             "expected whole numbers, got 1.5");
    expect_error<ModelError>([] { (void)to_int64_vector(tensor_of<double>({1}, {1e30})); },
                             "expected whole numbers, got 1");
    expect_error<ModelError>([] { (void)to_int64_vector(tensor_of<float>({1}, {std::nanf("")})); },
                             "expected whole numbers, got");
    expect_error<ModelError>([] { (void)to_int64_vector(Tensor(ElementType::f16, {1})); },
                             "expected integers, got f16");
}

TEST(InferContext, CountsAxesFromTheEnd) {
    const auto context = context_with();
    EXPECT_EQ(normalize_axis(context, 1, 3), 1u);
    EXPECT_EQ(normalize_axis(context, -3, 3), 0u);
    constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
    for (const std::int64_t axis : {std::int64_t{3}, std::int64_t{-4}, kLowest}) {
        expect_error<ModelError>([&] { normalize_axis(context, axis, 3); },
                                 "axis " + std::to_string(axis) + " is out of range for rank 3");
    }
    expect_error<ModelError>([&] { normalize_axis(context, 0, 0); }, "out of range for rank 0");
}

std::string broadcast(std::string_view a, std::string_view b) {
    const auto context = context_with();
    const auto result = to_string(broadcast_shapes(context, shape(a), shape(b)));
    EXPECT_EQ(to_string(broadcast_shapes(context, shape(b), shape(a))), result);
    return result;
}

TEST(InferContext, BroadcastsKnownShapes) {
    EXPECT_EQ(broadcast("2,3", "2,3"), "[2,3]");
    EXPECT_EQ(broadcast("2,1,4", "3,1"), "[2,3,4]");
    EXPECT_EQ(broadcast("", "3"), "[3]");
    EXPECT_EQ(broadcast("0", "1"), "[0]");
    expect_error<ModelError>([] { broadcast("2,3", "2,4"); },
                             "shapes [2,3] and [2,4] can't be broadcast together");
    expect_error<ModelError>([] { broadcast("0", "2"); }, "can't be broadcast together");
}

TEST(InferContext, BroadcastsOpenShapes) {
    EXPECT_EQ(broadcast("?", "1"), "[?]");
    EXPECT_EQ(broadcast("?", "5"), "[5]");
    EXPECT_EQ(broadcast("?", "?"), "[?]");
    EXPECT_EQ(broadcast("2..4", "3..9"), "[3..4]");
    EXPECT_EQ(broadcast("1..4", "3..9"), "[3..9]");
    EXPECT_EQ(broadcast("1..4", "..2"), "[..4]");
    EXPECT_EQ(broadcast("...", "3"), "[...]");
    expect_error<ModelError>([] { broadcast("2..3", "5.."); }, "can't be broadcast together");
}

// The interval must hold what any two extents of the intervals give.
TEST(InferContext, BroadcastsToBoundsThatHold) {
    const auto context = context_with();
    std::vector<Dimension> all;
    for (std::int64_t min = 0; min <= 4; ++min) {
        for (std::int64_t max = min; max <= 4; ++max) all.emplace_back(min, max);
    }
    for (const auto& a : all) {
        for (const auto& b : all) {
            for (std::int64_t x = a.min(); x <= a.max(); ++x) {
                for (std::int64_t y = b.min(); y <= b.max(); ++y) {
                    if (x != y && x != 1 && y != 1) continue;
                    const auto bounds = broadcast_shapes(context, {a}, {b})[0];
                    ASSERT_TRUE(bounds.contains(x == 1 ? y : x))
                        << to_string(a) << " with " << to_string(b);
                }
            }
        }
    }
}

TEST(InferContext, NotesTheValuesThatAreMissing) {
    const Tensor known(ElementType::i64, {1});
    const InferContext context("n", "Op",
                               {{ElementType::f32, PartialShape{2, 3}, {}},
                                {ElementType::i64, PartialShape{1}, known},
                                {ElementType::i64, PartialShape{1}, {}},
                                {ElementType::i64, PartialShape{1}, {}}});
    EXPECT_TRUE(context.missing_values().empty());
    EXPECT_TRUE(context.ints(1));
    EXPECT_FALSE(context.ints(3));
    EXPECT_FALSE(context.value(3));
    EXPECT_FALSE(context.ints(2));
    EXPECT_EQ(context.missing_values(), (std::vector<std::size_t>{3, 2}));
}

}  // namespace
}  // namespace rondo::infer_context_test
