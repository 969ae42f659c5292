#include "core/ops/reduction/reduction_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::top_k_test {
namespace {

using namespace test;  // NOLINT: tests only

Output number(std::int64_t value) { return constant(scalar_of<std::int64_t>(value)); }

std::string infer(const char* data, const Output& k, const ops::TopKAttributes& attributes = {},
                  ElementType type = ElementType::f32) {
    auto node = std::make_shared<ops::TopK>(parameter(data, type), k, attributes);
    node->set_name("n");
    node->validate();
    return inferred(*node) + " " + inferred(*node, 1);
}

std::vector<Tensor> run(const Tensor& data, std::int64_t k, const ops::TopKAttributes& attributes) {
    const ops::TopK node(parameter("..."), number(k), attributes);
    return reference::evaluate(node, std::vector<Tensor>{data, scalar_of<std::int64_t>(k)});
}

TEST(TopK, ReadsAndWritesItsAttributes) {
    const auto node = ops::find_op("TopK", "opset11")->make();
    read_attributes(*node, {{"axis", "1"},
                            {"mode", "min"},
                            {"sort", "index"},
                            {"index_element_type", "i64"},
                            {"stable", "true"}});
    const std::vector<std::pair<std::string, std::string>> expected{{"axis", "1"},
                                                                    {"mode", "min"},
                                                                    {"sort", "index"},
                                                                    {"index_element_type", "i64"},
                                                                    {"stable", "true"}};
    EXPECT_EQ(attributes_of(*node), expected);
    EXPECT_EQ(ops::find_op("TopK", "opset1")->type, &ops::TopK::kOpset1);
    EXPECT_EQ(ops::find_op("TopK", "opset5")->type, &ops::TopK::kOpset3);
}

TEST(TopK, InfersShapes) {
    EXPECT_EQ(infer("2,?,5", number(3)), "f32[2,?,3] i32[2,?,3]");
    EXPECT_EQ(infer("2,?,5", number(3), {1}), "f32[2,3,5] i32[2,3,5]");
    EXPECT_EQ(infer("2,5", parameter("", ElementType::i64)), "f32[2,..5] i32[2,..5]");
    EXPECT_EQ(infer("...", number(3)), "f32[...] i32[...]");
}

TEST(TopK, RefusesWhatDoesntFit) {
    expect_error<ModelError>([] { infer("2,5", number(6)); },
                             "node 'n' (TopK): k is 6, but the data has shape [2,5]");
    expect_error<ModelError>([] { infer("2,5", number(-1)); }, "k is -1; expected 0 or more");
    expect_error<ModelError>([] { infer("2,5", number(1), {2}); }, "axis 2 is out of range");
    expect_error<ModelError>([] { infer("2,5", parameter("")); }, "k has type f32");
    expect_error<UnsupportedError>([] { infer("2,5", number(1), {}, ElementType::boolean); },
                                   "the data is boolean");
    expect_error<ModelError>(
        [] {
            infer("2,5", number(1), {-1, {}, {}, ElementType::u8});
        },
        "index_element_type is u8");
}

TEST(TopK, TakesTheBest) {
    const auto x = tensor_of<float>({1, 5}, {3, 1, 5, 3, 4});
    auto best = run(x, 3, {});
    expect_same(best[0], tensor_of<float>({1, 3}, {5, 4, 3}));
    expect_same(best[1], tensor_of<std::int32_t>({1, 3}, {2, 4, 0}));
    best = run(x, 3, {-1, ops::TopKMode::min, ops::TopKSort::index, ElementType::i64});
    expect_same(best[0], tensor_of<float>({1, 3}, {3, 1, 3}));
    expect_same(best[1], tensor_of<std::int64_t>({1, 3}, {0, 1, 3}));
    EXPECT_EQ(run(x, 0, {})[0].shape(), (Shape{1, 0}));
    const auto columns = tensor_of<std::int8_t>({3, 2}, {-1, 2, 5, -7, 3, 2});
    best = run(columns, 2, {0});
    expect_same(best[0], tensor_of<std::int8_t>({2, 2}, {5, 2, 3, 2}));
    expect_same(best[1], tensor_of<std::int32_t>({2, 2}, {1, 0, 2, 2}));
}

TEST(TopK, NanIsGreatest) {
    const float nan = std::nanf("");
    const auto x = tensor_of<float>({3}, {1, nan, 2});
    expect_near(run(x, 2, {})[0], tensor_of<float>({2}, {nan, 2}), 0);
    expect_near(run(x, 3, {-1, ops::TopKMode::min})[0], tensor_of<float>({3}, {1, 2, nan}), 0);
}

}  // namespace
}  // namespace rondo::top_k_test
