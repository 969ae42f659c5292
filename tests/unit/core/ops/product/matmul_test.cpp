#include "core/ops/product/matmul.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::matmul_test {
namespace {

using namespace test;  // NOLINT: tests only

struct Transposed {
    bool a = false;
    bool b = false;
};

std::shared_ptr<ops::MatMul> matmul(std::vector<Output> inputs, Transposed transposed = {}) {
    auto node = unchecked<ops::MatMul>(std::move(inputs));
    node->set_transpose_a(transposed.a);
    node->set_transpose_b(transposed.b);
    return node;
}

std::string infer(const char* a, const char* b, Transposed transposed = {}) {
    const auto node = matmul({parameter(a), parameter(b)}, transposed);
    node->validate();
    return inferred(*node);
}

Tensor run(const Tensor& a, const Tensor& b, Transposed transposed = {}) {
    return evaluate_one(*matmul({}, transposed), {a, b});
}

TEST(MatMul, ReadsAndWritesItsAttributes) {
    const auto node = ops::find_op("MatMul", "opset1")->make();
    read_attributes(*node, {{"transpose_b", "true"}});
    const std::vector<std::pair<std::string, std::string>> expected{{"transpose_a", "false"},
                                                                    {"transpose_b", "true"}};
    EXPECT_EQ(attributes_of(*node), expected);
}

TEST(MatMul, InfersMatrices) {
    EXPECT_EQ(infer("2,3", "3,4"), "f32[2,4]");
    EXPECT_EQ(infer("3,2", "3,4", {true, false}), "f32[2,4]");
    EXPECT_EQ(infer("2,3", "4,3", {false, true}), "f32[2,4]");
    EXPECT_EQ(infer("3,2", "4,3", {true, true}), "f32[2,4]");
    EXPECT_EQ(infer("?,?", "3,?"), "f32[?,?]");
    EXPECT_EQ(infer("0,3", "3,4"), "f32[0,4]");
}

TEST(MatMul, InfersVectorsAsOpenVinoDoes) {
    EXPECT_EQ(infer("3", "3"), "f32[]");
    EXPECT_EQ(infer("3", "3", {true, true}), "f32[]");
    EXPECT_EQ(infer("3", "3,4", {true, false}), "f32[4]");
    EXPECT_EQ(infer("4,3", "3", {false, true}), "f32[4]");
    EXPECT_EQ(infer("3", "5,3,4"), "f32[5,4]");
    EXPECT_EQ(infer("5,4,3", "3"), "f32[5,4]");
}

TEST(MatMul, BroadcastsBatches) {
    EXPECT_EQ(infer("5,1,4,3", "6,3,2"), "f32[5,6,4,2]");
    EXPECT_EQ(infer("?,4,3", "5,3,2"), "f32[5,4,2]");
    EXPECT_EQ(infer("?,4,3", "1,3,2"), "f32[?,4,2]");
    EXPECT_EQ(infer("...", "3,2"), "f32[...]");
}

TEST(MatMul, RefusesBadInputs) {
    const auto refused = [](const char* a, const char* b) {
        return [=] { matmul({parameter(a), parameter(b)})->validate(); };
    };
    expect_error<ModelError>(refused("2,3", "4,5"),
                             "node 'n' (MatMul): the inputs have shapes [2,3] and [4,5], so that 3 "
                             "columns meet 4 rows");
    expect_error<ModelError>(refused("2", "3"), "2 columns meet 3 rows");
    expect_error<ModelError>(refused("", "3"), "an input is a scalar; expected rank 1 or more");
    expect_error<ModelError>(refused("...", ""), "an input is a scalar");
    expect_error<ModelError>(refused("2,4,3", "5,3,4"), "can't be broadcast together");
    const auto boolean = ElementType::boolean;
    expect_error<UnsupportedError>(
        [&] {
            matmul({parameter("2,2", boolean), parameter("2,2", boolean)})->validate();
        },
        "the inputs are boolean");
    expect_error<ModelError>(
        [] {
            matmul({parameter("2,2"), parameter("2,2", ElementType::f16)})->validate();
        },
        "input 1 has type f16; expected f32");
    expect_error<ModelError>([] { matmul({parameter("2,2")})->validate(); },
                             "got 1 input; expected 2");
}

TEST(MatMul, ComputesMatrices) {
    const auto a = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto b = tensor_of<float>({3, 2}, {1, 0, 2, -1, 3, 1});
    const auto a_transposed = tensor_of<float>({3, 2}, {1, 4, 2, 5, 3, 6});
    const auto b_transposed = tensor_of<float>({2, 3}, {1, 2, 3, 0, -1, 1});
    const auto expected = tensor_of<float>({2, 2}, {14, 1, 32, 1});
    expect_same(run(a, b), expected);
    expect_same(run(a_transposed, b, {true, false}), expected);
    expect_same(run(a, b_transposed, {false, true}), expected);
    expect_same(run(a_transposed, b_transposed, {true, true}), expected);
}

TEST(MatMul, ComputesVectors) {
    const auto v = tensor_of<float>({3}, {1, 2, 3});
    const auto m = tensor_of<float>({3, 2}, {1, 0, 2, -1, 3, 1});
    expect_same(run(v, v), scalar_of(14.f));
    expect_same(run(v, m), tensor_of<float>({2}, {14, 1}));
    expect_same(run(v, m, {true, false}), tensor_of<float>({2}, {14, 1}));
    expect_same(run(m, v, {true, true}), tensor_of<float>({2}, {14, 1}));
    expect_same(run(v, tensor_of<float>({2, 3, 1}, {1, 1, 1, 0, 0, 2})),
                tensor_of<float>({2, 1}, {6, 6}));
}

TEST(MatMul, ComputesBatches) {
    const auto a = tensor_of<float>({2, 1, 1, 2}, {1, 2, 3, 4});
    const auto b = tensor_of<float>({3, 2, 1}, {1, 0, 0, 1, 1, 1});
    expect_same(run(a, b), tensor_of<float>({2, 3, 1, 1}, {1, 2, 3, 3, 4, 7}));
    expect_same(run(b, tensor_of<float>({1, 1}, {10})),
                tensor_of<float>({3, 2, 1}, {10, 0, 0, 10, 10, 10}));
}

TEST(MatMul, WithoutInnerExtentGivesZeros) {
    expect_same(run(Tensor(ElementType::f32, {2, 0}), Tensor(ElementType::f32, {0, 2})),
                Tensor(ElementType::f32, {2, 2}));
}

TEST(MatMul, RoundsOnceAndWraps) {
    const auto a = tensor_of<float>({3}, {1e8f, 1, -1e8f});
    expect_same(run(a, tensor_of<float>({3}, {1, 1, 1})), scalar_of(1.f));
    const auto half = tensor_of<float16, double>({2}, {2048, 1});
    expect_same(run(half, tensor_of<float16, double>({2}, {1, 1.0009765625})),
                tensor_of<float16, double>({}, {2050}));
    const auto bytes = tensor_of<std::uint8_t>({2}, {16, 3});
    expect_same(run(bytes, tensor_of<std::uint8_t>({2}, {16, 2})), scalar_of<std::uint8_t>(6));
    const auto least = std::numeric_limits<std::int64_t>::min();
    expect_same(
        run(tensor_of<std::int64_t>({2}, {least, least}), tensor_of<std::int64_t>({2}, {1, 1})),
        scalar_of<std::int64_t>(0));
}

}  // namespace
}  // namespace rondo::matmul_test
