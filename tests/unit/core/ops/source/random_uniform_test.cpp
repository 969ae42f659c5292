#include "core/ops/source/source_ops.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::random_uniform_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::shared_ptr<ops::RandomUniform> uniform(const Output& shape,
                                            ElementType type = ElementType::f32,
                                            ElementType bound = ElementType::f32) {
    return named<ops::RandomUniform>(shape, parameter("", type), parameter("1", bound), type,
                                     ops::RandomSeed{1, 2});
}

TEST(RandomUniform, ReadsAndWritesItsAttributes) {
    ops::RandomUniform op;
    EXPECT_EQ(attributes_of(op), (Texts{{"output_type", "f32"},
                                        {"op_seed", "0"},
                                        {"global_seed", "0"},
                                        {"alignment", "tensorflow"}}));
    read_attributes(op, {{"op_seed", "3"}, {"global_seed", "4"}});
    EXPECT_EQ(op.seed().op, 3u);
    EXPECT_EQ(op.seed().global, 4u);
    expect_error<ModelError>([&] { read_attributes(op, {{"alignment", "pytorch"}}); }, "alignment");
}

TEST(RandomUniform, HasTheShapeThatIsAskedFor) {
    EXPECT_EQ(inferred(*uniform(ints({2, 0, 3}))), "f32[2,0,3]");
    EXPECT_EQ(inferred(*uniform(ints({}))), "f32[]");
    EXPECT_EQ(inferred(*uniform(unknown_ints("2"))), "f32[?,?]");
    EXPECT_EQ(inferred(*uniform(unknown_ints("?"))), "f32[...]");
    EXPECT_TRUE(uniform(ints({2}))->traits().random);
}

TEST(RandomUniform, RefusesOtherTypesAndShapes) {
    expect_error<ModelError>(
        [] {
            uniform(ints({2, -1}));
        },
        "node 'n' (RandomUniform): shape has -1; expected extents");
    expect_error<UnsupportedError>([] { uniform(ints({2}), ElementType::u8, ElementType::u8); },
                                   "output_type is u8; expected a floating type, i64 or i32");
    expect_error<ModelError>([] { uniform(ints({2}), ElementType::f32, ElementType::f64); },
                             "the bound is f64; expected the output's type f32");
    expect_error<ModelError>(
        [] {
            named<ops::RandomUniform>(ints({2}), parameter("2"), parameter(""), ElementType::f32,
                                      ops::RandomSeed{});
        },
        "the least number has shape [2]; expected one element");
}

TEST(RandomUniform, DrawsBySeed) {
    const auto draw = [](std::uint64_t global, std::uint64_t op) {
        return evaluate_one(ops::RandomUniform(unknown_ints("2"), parameter(""), parameter(""),
                                               ElementType::f32, {global, op}),
                            {int_vector({2, 3}), scalar_of(0.0F), scalar_of(1.0F)});
    };
    EXPECT_EQ(draw(3, 4).shape(), (Shape{2, 3}));
    expect_same(draw(3, 4), draw(3, 4));
    const auto differ = [](const Tensor& a, const Tensor& b) {
        return std::memcmp(a.data(), b.data(), a.byte_size()) != 0;
    };
    EXPECT_TRUE(differ(draw(3, 4), draw(4, 4)));
    EXPECT_TRUE(differ(draw(3, 4), draw(3, 5)));
    EXPECT_TRUE(differ(draw(0, 0), draw(0, 0)));
    const ops::RandomUniform whole(unknown_ints("2"), parameter(""), parameter(""),
                                   ElementType::i32, {1, 1});
    expect_error<ModelError>(
        [&] {
            evaluate_one(whole,
                         {int_vector({2}), scalar_of<std::int32_t>(4), scalar_of<std::int32_t>(4)});
        },
        "the bound isn't above the least number");
}

}  // namespace
}  // namespace rondo::random_uniform_test
