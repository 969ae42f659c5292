#include "core/ops/indexing/indexing_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::unique_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::shared_ptr<ops::Unique> unique(std::vector<Output> inputs) {
    return named<ops::Unique>(std::move(inputs), ops::UniqueAttributes{});
}

std::string shapes_of(const Node& node) {
    std::string text;
    for (std::size_t i = 0; i < 4; ++i) text += (i == 0 ? "" : " ") + inferred(node, i);
    return text;
}

// All outputs, for data that isn't known before.
void expect_unique(const Tensor& data, std::optional<std::int64_t> axis, bool sorted,
                   const std::vector<Tensor>& expected) {
    const ops::Unique op({}, {sorted, ElementType::i64, ElementType::i64});
    std::vector<Tensor> inputs{data};
    if (axis) inputs.push_back(int_scalar(*axis));
    const auto found = reference::evaluate(op, inputs);
    for (std::size_t i = 0; i < 4; ++i) expect_same(found[i], expected[i]);
}

TEST(Unique, ReadsAndWritesItsAttributes) {
    ops::Unique op;
    EXPECT_EQ(
        attributes_of(op),
        (Texts{{"sorted", "true"}, {"index_element_type", "i64"}, {"count_element_type", "i64"}}));
    read_attributes(op, {{"sorted", "false"}, {"index_element_type", "i32"}});
    EXPECT_FALSE(op.attributes().sorted);
    expect_error<ModelError>(
        [] {
            named<ops::Unique>(std::vector<Output>{parameter("3")},
                               ops::UniqueAttributes{true, ElementType::f32, ElementType::i64});
        },
        "node 'n' (Unique): index_element_type is f32; expected i64 or i32");
}

TEST(Unique, BoundsTheNumberOfSlices) {
    EXPECT_EQ(shapes_of(*unique({parameter("2,3")})), "f32[1..6] i64[1..6] i64[6] i64[1..6]");
    EXPECT_EQ(shapes_of(*unique({parameter("?,3")})), "f32[?] i64[?] i64[?] i64[?]");
    EXPECT_EQ(shapes_of(*unique({parameter("0,3")})), "f32[0] i64[0] i64[0] i64[0]");
    EXPECT_EQ(shapes_of(*unique({parameter("2,3"), scalar_int(1)})),
              "f32[2,1..3] i64[1..3] i64[3] i64[1..3]");
    EXPECT_EQ(shapes_of(*unique({parameter("2,3"), unknown_ints("")})),
              "f32[?,?] i64[?] i64[?] i64[?]");
    EXPECT_EQ(shapes_of(*unique({parameter("...")})), "f32[?] i64[?] i64[?] i64[?]");
    EXPECT_EQ(shapes_of(*unique({constant(floats({3}, {1, 2, 1}))})),
              "f32[2] i64[2] i64[3] i64[2]");
    expect_error<ModelError>(
        [] {
            unique({parameter("2,3"), scalar_int(2)});
        },
        "out of range for rank 2");
}

// The examples of ONNX's specification.
TEST(Unique, FindsWhatDiffers) {
    expect_unique(floats({6}, {2, 1, 1, 3, 4, 3}), {}, false,
                  {floats({4}, {2, 1, 3, 4}), int_vector({0, 1, 3, 4}),
                   int_vector({0, 1, 1, 2, 3, 2}), int_vector({1, 2, 2, 1})});
    expect_unique(floats({2, 2}, {1, 3, 2, 3}), {}, true,
                  {floats({3}, {1, 2, 3}), int_vector({0, 2, 1}), int_vector({0, 2, 1, 2}),
                   int_vector({1, 1, 2})});
    expect_unique(floats({3, 3}, {1, 0, 0, 1, 0, 0, 2, 3, 4}), 0, true,
                  {floats({2, 3}, {1, 0, 0, 2, 3, 4}), int_vector({0, 2}), int_vector({0, 0, 1}),
                   int_vector({2, 1})});
    expect_unique(floats({2, 4, 2}, {1, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0, 1, 2, 1, 0, 1}), 1, true,
                  {floats({2, 3, 2}, {0, 1, 1, 1, 2, 1, 0, 1, 1, 1, 2, 1}), int_vector({1, 0, 2}),
                   int_vector({1, 0, 2, 0}), int_vector({2, 1, 1})});
}

TEST(Unique, OrdersSpecialValues) {
    const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
    expect_unique(
        floats({8}, {nan, 0, -0.0F, infinity, -1, nan, -infinity, -0.5F}), {}, true,
        {floats({6}, {-infinity, -1, -0.5F, 0, infinity, nan}), int_vector({6, 4, 7, 1, 3, 0}),
         int_vector({5, 3, 3, 4, 1, 5, 0, 2}), int_vector({1, 1, 1, 2, 1, 2})});
    expect_unique(tensor_of<std::int64_t>({3}, {kHighest, kLowest, -1}), {}, true,
                  {int_vector({kLowest, -1, kHighest}), int_vector({1, 2, 0}),
                   int_vector({2, 0, 1}), int_vector({1, 1, 1})});
    expect_unique(scalar_of(3.0F), {}, true,
                  {floats({1}, {3}), int_vector({0}), int_vector({0}), int_vector({1})});
    expect_unique(floats({2, 0}, {}), 0, true,
                  {floats({1, 0}, {}), int_vector({0}), int_vector({0, 0}), int_vector({2})});
    expect_unique(floats({2, 0}, {}), 1, true,
                  {floats({2, 0}, {}), int_vector({}), int_vector({}), int_vector({})});
}

TEST(Unique, EveryType) {
    for (const ElementType type : kAllTypes) {
        const Tensor data = converted(floats({4}, {1, 0, 1, 0}), type);
        expect_unique(data, {}, true,
                      {converted(floats({2}, {0, 1}), type), int_vector({1, 0}),
                       int_vector({1, 0, 1, 0}), int_vector({2, 2})});
    }
}

}  // namespace
}  // namespace rondo::unique_test
