#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::matmul_integer_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

// The inputs in order, all of them given to the run; an empty one is left out.
struct Node {
    const char* op_type;
    std::vector<Tensor> inputs;
    const char* domain = "";

    ModelBuilder model() const {
        ModelBuilder model(21);
        auto* import = model.message().add_opset_import();
        import->set_domain("com.microsoft");
        import->set_version(1);
        std::vector<std::string> names;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            names.push_back(inputs[i] ? "in_" + std::to_string(i) : "");
            if (inputs[i]) {
                model.input(names.back(), inputs[i].element_type(), inputs[i].shape());
            }
        }
        model.output("y").node(op_type, names, {"y"}).domain(domain);
        return model;
    }

    Tensor run() const {
        std::vector<Tensor> given;
        for (const auto& input : inputs) {
            if (input) given.push_back(input);
        }
        return model().run(given).at(0);
    }
};

template <typename T>
Tensor ints(const Shape& shape, const std::vector<int>& values) {
    return tensor_of<T, int>(shape, values);
}

const Tensor kA = ints<std::uint8_t>({2, 2}, {1, 2, 3, 4});
const Tensor kB = ints<std::int8_t>({2, 2}, {1, -1, 2, 3});

TEST(OnnxMatMulInteger, TakesZeroPoints) {
    const auto run = [](const Tensor& a_zero, const Tensor& b_zero) {
        return Node{"MatMulInteger", {kA, kB, a_zero, b_zero}}.run();
    };
    const auto result = [](const std::vector<int>& values) {
        return ints<std::int32_t>({2, 2}, values);
    };
    expect_same(run({}, {}), result({5, 5, 11, 9}));
    expect_same(run(scalar_of<std::uint8_t>(2), {}), result({-1, 1, 5, 5}));
    expect_same(run({}, ints<std::int8_t>({1}, {1})), result({2, 2, 4, 2}));
    // A vector has a number for each row of A, for each column of B.
    expect_same(run(ints<std::uint8_t>({2}, {1, 3}), ints<std::int8_t>({2}, {0, 3})),
                result({2, 0, 2, 0}));
    expect_same(run(ints<std::uint8_t>({2, 1}, {1, 3}), ints<std::int8_t>({1, 2}, {0, 3})),
                result({2, 0, 2, 0}));
}

TEST(OnnxMatMulInteger, RefusesUnknownRanksOfZeroPoints) {
    ModelBuilder model;
    model.input("a", ElementType::u8, {2, 2}).input("b", ElementType::u8, {2, 2});
    model.input("zero", ElementType::u8, PartialShape()).output("y");
    model.node("MatMulInteger", {"a", "b", "zero"}, {"y"});
    expect_error<UnsupportedError>([&] { model.read(); }, "the rank of A_zero_point isn't known");
}

TEST(OnnxQLinearMatMul, RoundsTheScaledProduct) {
    const auto run = [](const Tensor& a_scale, const Tensor& b_scale, const Tensor& y_scale,
                        const Tensor& y_zero) {
        return Node{"QLinearMatMul",
                    {kA, a_scale, scalar_of<std::uint8_t>(0), kB, b_scale,
                     scalar_of<std::int8_t>(0), y_scale, y_zero}}
            .run();
    };
    // The product is 5 5 / 11 9.
    expect_same(run(scalar_of(0.5F), scalar_of(0.5F), scalar_of(0.5F), scalar_of<std::uint8_t>(1)),
                ints<std::uint8_t>({2, 2}, {3, 3, 7, 5}));
    expect_same(run(tensor_of<float>({2}, {1, 100}), tensor_of<float>({2}, {1, 2}), scalar_of(1.0F),
                    scalar_of<std::int8_t>(-10)),
                ints<std::int8_t>({2, 2}, {-5, 0, 127, 127}));
    expect_same(run(tensor_of<float16, double>({}, {1}), tensor_of<float16, double>({}, {1}),
                    tensor_of<float16, double>({}, {2}), scalar_of<std::uint8_t>(0)),
                ints<std::uint8_t>({2, 2}, {2, 2, 6, 4}));
}

TEST(OnnxMatMulIntegerToFloat, ScalesAndAddsABias) {
    const auto run = [](const Tensor& a_zero, const Tensor& b_zero, const Tensor& bias) {
        return Node{"MatMulIntegerToFloat",
                    {kA, kB, scalar_of(0.5F), tensor_of<float>({2}, {1, 2}), a_zero, b_zero, bias},
                    "com.microsoft"}
            .run();
    };
    expect_same(run({}, {}, {}), tensor_of<float>({2, 2}, {2.5F, 5, 5.5F, 9}));
    expect_same(run(scalar_of<std::uint8_t>(2), ints<std::int8_t>({2}, {0, 0}),
                    tensor_of<float>({2}, {10, 20})),
                tensor_of<float>({2, 2}, {9.5F, 21, 12.5F, 25}));
}

TEST(OnnxQGemm, AddsCAndRoundsOrNot) {
    const auto one = scalar_of(0.5F);
    const auto c = tensor_of<std::int32_t>({2}, {1, -1});
    const auto run = [&](const Tensor& bias, const Tensor& y_scale, const Tensor& y_zero) {
        return Node{"QGemm",
                    {kA, one, scalar_of<std::uint8_t>(0), kB, tensor_of<float>({2}, {1, 2}),
                     ints<std::int8_t>({2}, {0, 0}), bias, y_scale, y_zero},
                    "com.microsoft"}
            .run();
    };
    // The product is 5 5 / 11 9.
    expect_same(run({}, {}, {}), tensor_of<float>({2, 2}, {2.5F, 5, 5.5F, 9}));
    expect_same(run(c, {}, {}), tensor_of<float>({2, 2}, {3, 4, 6, 8}));
    expect_same(run(c, scalar_of(2.0F), scalar_of<std::uint8_t>(1)),
                ints<std::uint8_t>({2, 2}, {3, 3, 4, 5}));
    auto turned = Node{"QGemm",
                       {kA, one, scalar_of<std::uint8_t>(0), kB, one, scalar_of<std::int8_t>(0)},
                       "com.microsoft"}
                      .model();
    test::NodeBuilder(*turned.graph().mutable_node(0))
        .with("transA", 1)
        .with("transB", 1)
        .with("alpha", 4.0F);
    // A' = [1 3; 2 4], B' = [1 2; -1 3].
    expect_same(
        turned.run({kA, one, scalar_of<std::uint8_t>(0), kB, one, scalar_of<std::int8_t>(0)}).at(0),
        tensor_of<float>({2, 2}, {-2, 11, -2, 16}));
}

TEST(OnnxDynamicQuantizeMatMul, QuantizesTheLeftMatrix) {
    // Its range is 0 to 255, so that its numbers are exact.
    const auto a = tensor_of<float>({2, 2}, {0, 255, 3, 4});
    const auto run = [&](const Tensor& b_zero, const Tensor& bias) {
        return Node{"DynamicQuantizeMatMul",
                    {a, kB, tensor_of<float>({2}, {1, 0.5F}), b_zero, bias},
                    "com.microsoft"}
            .run();
    };
    expect_same(run({}, {}), tensor_of<float>({2, 2}, {510, 382.5F, 11, 4.5F}));
    expect_same(run(ints<std::int8_t>({2}, {1, 3}), tensor_of<float>({2}, {1, 0})),
                tensor_of<float>({2, 2}, {256, 0, 5, -6}));
}

}  // namespace
}  // namespace rondo::onnx::matmul_integer_test
