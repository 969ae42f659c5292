// Tests a part of core/ops/reduction/reduction_ops.hpp.
#include "core/ops/reduction/reduction_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::mvn_test {
namespace {

using namespace test;  // NOLINT: tests only

Output ints(const std::vector<std::int64_t>& values) {
    return constant(tensor_of<std::int64_t>({values.size()}, values));
}

std::string infer(const char* x, const Output& axes, ElementType type = ElementType::f32) {
    const auto node = unchecked<ops::Mvn>({parameter(x, type), axes});
    node->validate();
    return inferred(*node);
}

Tensor run(const Tensor& x, const std::vector<std::int64_t>& axes,
           const ops::MvnAttributes& attributes) {
    ops::Mvn node;
    node.set_name("n");
    node.set_attributes(attributes);
    return evaluate_one(node, {x, tensor_of<std::int64_t>({axes.size()}, axes)});
}

TEST(Mvn, ReadsAndWritesItsAttributes) {
    const auto node = ops::find_op("MVN", "opset6")->make();
    read_attributes(
        *node, {{"eps", "0.5"}, {"normalize_variance", "false"}, {"eps_mode", "outside_sqrt"}});
    const std::vector<std::pair<std::string, std::string>> expected{
        {"eps", "0.5"}, {"normalize_variance", "false"}, {"eps_mode", "OUTSIDE_SQRT"}};
    EXPECT_EQ(attributes_of(*node), expected);
}

TEST(Mvn, KeepsTypeAndShape) {
    EXPECT_EQ(infer("?,3", ints({-1})), "f32[?,3]");
    EXPECT_EQ(infer("...", ints({7})), "f32[...]");
    EXPECT_EQ(infer("2,3", ints({0, 1}), ElementType::f16), "f16[2,3]");
    EXPECT_EQ(infer("2,3", parameter("1", ElementType::i64)), "f32[?,?]");
    EXPECT_EQ(infer("", ints({})), "f32[]");
}

TEST(Mvn, RefusesWhatDoesntFit) {
    expect_error<ModelError>([] { infer("2,3", ints({2})); },
                             "node 'n' (MVN): axis 2 is out of range for rank 2");
    expect_error<ModelError>([] { infer("2,3", parameter("1")); }, "axes are f32; expected int");
    expect_error<ModelError>([] { infer("2,3", parameter("1,1", ElementType::i64)); },
                             "axes have shape [1,1]");
    expect_error<UnsupportedError>([] { infer("2,3", ints({1}), ElementType::i32); },
                                   "the input is i32");
}

TEST(Mvn, NormalisesMeanAndVariance) {
    const auto x = tensor_of<double>({2, 3}, {1, 2, 3, 4, 4, 10});
    const double a = std::sqrt(2.0 / 3 + 1), b = std::sqrt(8.0 + 1);
    expect_near(run(x, {1}, {1, true, ops::EpsMode::inside_sqrt}),
                tensor_of<double>({2, 3}, {-1 / a, 0, 1 / a, -2 / b, -2 / b, 4 / b}), 1e-15);
    const double c = std::sqrt(2.0 / 3) + 1, d = std::sqrt(8.0) + 1;
    expect_near(run(x, {-1}, {1, true, ops::EpsMode::outside_sqrt}),
                tensor_of<double>({2, 3}, {-1 / c, 0, 1 / c, -2 / d, -2 / d, 4 / d}), 1e-15);
    expect_near(run(x, {0}, {1, false}), tensor_of<double>({2, 3}, {-1.5, -1, -3.5, 1.5, 1, 3.5}),
                0);
    expect_near(run(x, {0, 1}, {0, false}), tensor_of<double>({2, 3}, {-3, -2, -1, 0, 0, 6}), 0);
    expect_near(run(x, {}, {1, true}), Tensor(ElementType::f64, {2, 3}), 0);
    EXPECT_EQ(run(Tensor(ElementType::f32, {0, 3}), {1}, {}).shape(), (Shape{0, 3}));
}

}  // namespace
}  // namespace rondo::mvn_test
