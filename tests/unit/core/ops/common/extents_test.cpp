#include "core/ops/common/extents.hpp"

#include <gtest/gtest.h>

#include "core/graph/infer_context.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::ops::extents_test {
namespace {

using test::expect_error;
using test::kHighest;
using test::kLowest;

InferContext context_with(std::vector<InferInput> inputs = {}) {
    return {"n", "Op", std::move(inputs)};
}

TEST(Extents, MultiplySaturates) {
    EXPECT_EQ(saturating_multiply(0, kHighest), 0);
    EXPECT_EQ(saturating_multiply(kHighest, 0), 0);
    EXPECT_EQ(saturating_multiply(3, 4), 12);
    EXPECT_EQ(saturating_multiply(std::int64_t{1} << 32, std::int64_t{1} << 31), kHighest);
}

TEST(Extents, AddIntervals) {
    const auto context = context_with();
    EXPECT_EQ(add_extents(context, {2, 3}, 4), Dimension(6, 7));
    EXPECT_EQ(add_extents(context, Dimension(), 4), Dimension(4, kHighest));
    EXPECT_EQ(add_extents(context, {0, kHighest - 1}, 4), Dimension(4, kHighest));
    expect_error<ModelError>([&] { add_extents(context, kHighest - 4, 4); },
                             "node 'n' (Op): the extents 9223372036854775803 and 4 add up");
}

TEST(Extents, SubtractAndDivideIntervals) {
    EXPECT_EQ(subtract_extent({3, 7}, 5), Dimension(0, 2));
    EXPECT_EQ(subtract_extent({3, kHighest}, 1), Dimension(2, kHighest));
    EXPECT_EQ(subtract_extent(4, 5), std::nullopt);
    EXPECT_EQ(divide_extent({3, 8}, 3), Dimension(1, 2));
    EXPECT_EQ(divide_extent({3, kHighest}, 2), Dimension(2, kHighest));
    EXPECT_EQ(divide_extent(7, 2), std::nullopt);
    EXPECT_EQ(divide_extent(0, kHighest), Dimension(0));
}

TEST(Extents, CountElements) {
    const auto context = context_with();
    EXPECT_EQ(multiply_extents(context, {}), Dimension(1));
    EXPECT_EQ(multiply_extents(context, {{2, 3}, 4}), Dimension(8, 12));
    EXPECT_EQ(multiply_extents(context, {kHighest, kHighest, 0}), Dimension(0));
    EXPECT_EQ(multiply_extents(context, {Dimension(), kHighest / 2, 8}), Dimension());
    expect_error<ModelError>(
        [&] {
            multiply_extents(context, {kHighest / 2, 8});
        },
        "has too many elements");
}

TEST(Extents, FindTheLengthOfAVector) {
    const auto context = context_with({{ElementType::i64, PartialShape::parse("3"), {}},
                                       {ElementType::i64, PartialShape::parse(""), {}},
                                       {ElementType::i64, PartialShape::parse("?"), {}},
                                       {ElementType::i64, PartialShape::parse("..."), {}},
                                       {ElementType::i64, PartialShape::parse("2,2"), {}},
                                       {ElementType::i64, PartialShape::parse("1025"), {}},
                                       {ElementType::f32, PartialShape::parse("2"), {}}});
    EXPECT_EQ(vector_length(context, 0, "axes"), 3u);
    EXPECT_EQ(vector_length(context, 1, "axes"), 1u);
    EXPECT_EQ(vector_length(context, 2, "axes"), std::nullopt);
    EXPECT_EQ(vector_length(context, 3, "axes"), std::nullopt);
    expect_error<ModelError>([&] { vector_length(context, 4, "axes"); },
                             "axes has shape [2,2]; expected a vector or a scalar");
    expect_error<UnsupportedError>([&] { vector_length(context, 5, "axes"); },
                                   "axes has 1025 elements; at most 1024 are supported");
    expect_error<ModelError>([&] { vector_length(context, 6, "axes"); },
                             "axes has type f32; expected integers");
}

TEST(Extents, ReadASingleInteger) {
    const auto context = context_with({{ElementType::i64, {}, test::int_scalar(-7)},
                                       {ElementType::i64, {}, {}},
                                       {ElementType::i64, {}, test::int_vector({1, 2})},
                                       {ElementType::f32, {}, test::floats({1}, {1})}});
    EXPECT_EQ(single_int(context, 0, "axis"), -7);
    EXPECT_EQ(single_int(context, 1, "axis"), std::nullopt);
    expect_error<ModelError>([&] { single_int(context, 2, "axis"); },
                             "axis holds 2 elements; expected 1");
    expect_error<ModelError>([&] { single_int(context, 3, "axis"); },
                             "axis has type f32; expected integers");
    for (const char* extents : {"0", "2"}) {  // without elements that are known
        const auto open = context_with({{ElementType::i64, PartialShape::parse(extents), {}}});
        expect_error<ModelError>([&] { single_int(open, 0, "axis"); },
                                 "axis holds " + std::string(extents) + " elements; expected 1");
    }
}

TEST(Extents, TellAxesApart) {
    const auto context = context_with();
    EXPECT_EQ(distinct_axes(context, {-1, 0}, 3), (std::vector<std::size_t>{2, 0}));
    expect_error<ModelError>([&] { distinct_axes(context, {-1, 2}, 3); }, "axes name axis 2 twice");
    expect_error<ModelError>([&] { distinct_axes(context, {kLowest}, 3); }, "is out of range");
}

TEST(Extents, LimitTheNumberOfOutputs) {
    const auto context = context_with();
    check_output_count(context, 65536);
    expect_error<UnsupportedError>([&] { check_output_count(context, 65537); },
                                   "the op has 65537 outputs; at most 65536");
}

}  // namespace
}  // namespace rondo::ops::extents_test
