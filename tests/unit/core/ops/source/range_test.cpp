#include "core/ops/source/source_ops.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::range_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;

std::string shape_of(const Output& start, const Output& stop, const Output& step,
                     ElementType type = i64) {
    return inferred(*named<ops::Range>(start, stop, step, type));
}

std::string shape_of(std::int64_t start, std::int64_t stop, std::int64_t step) {
    return shape_of(scalar_int(start), scalar_int(stop), scalar_int(step));
}

template <typename T>
Tensor range_of(T start, T stop, T step) {
    ops::Range op;
    op.set_name("n");
    const std::string type(to_string(element_type_of<T>()));
    read_attributes(op, {{"output_type", type}});
    return evaluate_one(op, {scalar_of(start), scalar_of(stop), scalar_of(step)});
}

TEST(Range, ReadsAndWritesItsAttributes) {
    ops::Range op;
    EXPECT_EQ(attributes_of(op), (Texts{{"output_type", "f32"}}));
    read_attributes(op, {{"output_type", "i32"}});
    EXPECT_EQ(op.output_type(), ElementType::i32);
}

TEST(Range, KnowsItsLengthFromKnownNumbers) {
    EXPECT_EQ(shape_of(0, 5, 1), "i64[5]");
    EXPECT_EQ(shape_of(0, 5, 2), "i64[3]");
    EXPECT_EQ(shape_of(5, 0, -5), "i64[1]");
    EXPECT_EQ(shape_of(5, 0, 1), "i64[0]");
    EXPECT_EQ(shape_of(0, 0, -1), "i64[0]");
    EXPECT_EQ(shape_of(kLowest, kHighest, kHighest), "i64[3]");
    EXPECT_EQ(shape_of(kHighest, kLowest, kLowest), "i64[2]");
    EXPECT_EQ(shape_of(scalar_int(0), scalar_int(4), scalar_int(1), f32), "f32[4]");
}

TEST(Range, LeavesItsLengthOpen) {
    EXPECT_EQ(shape_of(scalar_int(0), unknown_ints(""), scalar_int(1)), "i64[?]");
    EXPECT_EQ(shape_of(unknown_ints(""), unknown_ints("..."), scalar_int(1), f32), "f32[?]");
}

TEST(Range, RefusesWrongInputs) {
    expect_error<ModelError>([] { shape_of(0, 5, 0); },
                             "node 'n' (Range): step is 0; expected another number");
    expect_error<ModelError>([] { shape_of(0, kHighest, 1); }, "the range has too many elements");
    expect_error<ModelError>(
        [] {
            shape_of(ints({1, 2}), scalar_int(0), scalar_int(1));
        },
        "start has shape [2]; expected one element");
    expect_error<ModelError>([] { shape_of(ints({1}), scalar_int(0), scalar_int(1)); },
                             "start has shape [1]; expected a scalar");
    expect_error<UnsupportedError>(
        [] { shape_of(scalar_int(1), parameter("", ElementType::boolean), scalar_int(1)); },
        "stop is boolean; expected numbers");
    expect_error<UnsupportedError>([] { shape_of(scalar_int(1), scalar_int(3), parameter("")); },
                                   "step is f32, but the output i64; expected integers");
    expect_error<UnsupportedError>(
        [] { shape_of(scalar_int(1), scalar_int(3), scalar_int(1), ElementType::boolean); },
        "output_type is boolean; expected numbers");
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float bad : {infinity, -infinity, std::nanf("")}) {
        expect_error<ModelError>([&] { range_of(0.0F, bad, 1.0F); }, "must be finite");
    }
    expect_error<ModelError>([] { range_of(0.0F, 3e38F, 1e-30F); }, "has too many elements");
    expect_error<ModelError>([] { range_of(0.0F, 1.0F, 0.0F); }, "step is 0");
    const std::uint64_t huge = 18446744073709551615u;
    expect_error<ModelError>([&] { range_of(std::uint64_t{0}, huge, std::uint64_t{1}); },
                             "below 2^63");
}

TEST(Range, CountsUpAndDown) {
    expect_same(range_of<std::int64_t>(3, 9, 3), int_vector({3, 6}));
    expect_same(range_of<std::int64_t>(10, 4, -2), int_vector({10, 8, 6}));
    expect_same(range_of<std::int8_t>(-100, 100, 100), tensor_of<std::int8_t>({2}, {-100, 0}));
    expect_same(range_of<std::uint8_t>(250, 255, 2), tensor_of<std::uint8_t>({3}, {250, 252, 254}));
    expect_same(range_of<float>(1, 2, 0.25F), floats({4}, {1, 1.25F, 1.5F, 1.75F}));
    expect_same(range_of<double>(1, 0, -0.5), tensor_of<double>({2}, {1, 0.5}));
    expect_same(range_of<float16>(float16(1.0F), float16(3.0F), float16(1.0F)),
                tensor_of<float16, float>({2}, {1, 2}));
    expect_same(range_of<std::int64_t>(1, 1, 1), int_vector({}));
}

TEST(Range, MakesAnotherTypeOfIntegers) {
    ops::Range op;
    expect_same(evaluate_one(op, {int_scalar(1), scalar_of<std::uint8_t>(4), int_scalar(1)}),
                floats({3}, {1, 2, 3}));
}

}  // namespace
}  // namespace rondo::range_test
