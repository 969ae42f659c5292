#include "core/ops/reduction/reduction_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::cum_sum_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string shape_after(std::string_view x, const Output& axis) {
    return inferred(*named<ops::CumSum>(parameter(x), axis, ops::CumSum::Options{}));
}

Tensor summed(const Tensor& x, std::int64_t axis, bool exclusive = false, bool reverse = false) {
    ops::CumSum op;
    read_attributes(
        op, {{"exclusive", exclusive ? "true" : "false"}, {"reverse", reverse ? "true" : "false"}});
    return evaluate_one(op, {x, int_scalar(axis)});
}

TEST(CumSum, ReadsAndWritesItsAttributes) {
    ops::CumSum op;
    EXPECT_EQ(attributes_of(op), (Texts{{"exclusive", "false"}, {"reverse", "false"}}));
    read_attributes(op, {{"exclusive", "true"}, {"reverse", "true"}});
    EXPECT_EQ(attributes_of(op), (Texts{{"exclusive", "true"}, {"reverse", "true"}}));
}

TEST(CumSum, KeepsTheShape) {
    EXPECT_EQ(shape_after("2,?,1..4", scalar_int(-1)), "f32[2,?,1..4]");
    EXPECT_EQ(shape_after("2,3", scalar_int(1)), "f32[2,3]");
    EXPECT_EQ(shape_after("2,3", unknown_ints("")), "f32[2,3]");
    EXPECT_EQ(shape_after("...", scalar_int(7)), "f32[...]");
}

TEST(CumSum, RefusesWrongInputs) {
    expect_error<ModelError>([] { shape_after("2,3", scalar_int(2)); },
                             "node 'n' (CumSum): axis 2 is out of range for rank 2");
    expect_error<ModelError>([] { shape_after("2,3", scalar_int(kLowest)); },
                             "is out of range for rank 2");
    expect_error<ModelError>([] { shape_after("", scalar_int(0)); },
                             "axis 0 is out of range for rank 0");
    expect_error<ModelError>([] { shape_after("2,3", unknown_ints("?")); },
                             "axis has shape [?]; expected a scalar");
    for (const char* count : {"0", "2"}) {
        expect_error<ModelError>([&] { shape_after("2,3", unknown_ints(count)); },
                                 "axis holds " + std::string(count) + " elements; expected 1");
    }
    expect_error<ModelError>([] { shape_after("2", parameter("")); },
                             "axis has type f32; expected integers");
    expect_error<UnsupportedError>(
        [] {
            named<ops::CumSum>(parameter("2", ElementType::boolean), scalar_int(0),
                               ops::CumSum::Options{});
        },
        "x is boolean; expected numbers");
}

TEST(CumSum, SumsUpToEachPlace) {
    const auto x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
    expect_same(summed(x, 1), floats({2, 3}, {1, 3, 6, 4, 9, 15}));
    expect_same(summed(x, -2), floats({2, 3}, {1, 2, 3, 5, 7, 9}));
    expect_same(summed(x, 1, true), floats({2, 3}, {0, 1, 3, 0, 4, 9}));
    expect_same(summed(x, 1, false, true), floats({2, 3}, {6, 5, 3, 15, 11, 6}));
    expect_same(summed(x, 1, true, true), floats({2, 3}, {5, 3, 0, 11, 6, 0}));
    expect_same(summed(tensor_of<std::int8_t>({3}, {100, 100, 100}), 0),
                tensor_of<std::int8_t>({3}, {100, -56, 44}));
    EXPECT_EQ(summed(Tensor(ElementType::u64, {2, 0}), 1).shape(), (Shape{2, 0}));
}

TEST(CumProd, MultipliesUpToEachPlace) {
    const auto run = [](const Tensor& x, bool exclusive, bool reverse) {
        return evaluate_one(ops::CumProd(parameter("..."), unknown_ints(""), {exclusive, reverse}),
                            {x, int_scalar(-1)});
    };
    const auto x = floats({3}, {2, 3, 4});
    expect_same(run(x, false, false), floats({3}, {2, 6, 24}));
    expect_same(run(x, true, false), floats({3}, {1, 2, 6}));
    expect_same(run(x, false, true), floats({3}, {24, 12, 4}));
    expect_same(run(x, true, true), floats({3}, {12, 4, 1}));
    expect_same(run(tensor_of<std::uint32_t>({3}, {65536, 65536, 2}), false, false),
                tensor_of<std::uint32_t>({3}, {65536, 0, 0}));
    EXPECT_EQ(ops::CumProd::kType.opset_name(), "rondo1");
}

// f16 has no 2049: the sum itself isn't rounded on its way.
TEST(CumSum, RoundsOnce) {
    expect_same(summed(tensor_of<float16, float>({3}, {2048, 1, 1}), 0),
                tensor_of<float16, float>({3}, {2048, 2048, 2050}));
}

}  // namespace
}  // namespace rondo::cum_sum_test
