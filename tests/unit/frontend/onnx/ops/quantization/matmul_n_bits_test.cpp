#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::matmul_n_bits_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

// W has two rows of 18 columns, in blocks of 16; x picks columns 0, 1 and 17.
ModelBuilder model_of(std::int64_t bits, const std::vector<std::string>& inputs) {
    ModelBuilder model(21);
    auto* import = model.message().add_opset_import();
    import->set_domain("com.microsoft");
    import->set_version(1);
    model.input("x", ElementType::f32, {3, 18}).output("y");
    const std::size_t bytes = 16 * static_cast<std::size_t>(bits) / 8;
    Tensor weights(ElementType::u8, {2, 2, bytes});
    auto* w = weights.data<std::uint8_t>();
    for (std::size_t block = 0; block < 4; ++block) {
        // columns 0 and 1 of each block: 3 and 2 of row 0, 1 and 0 of row 1
        const int first = block < 2 ? 3 : 1, second = block < 2 ? 2 : 0;
        w[block * bytes] = static_cast<std::uint8_t>(bits == 8 ? first : first + (second << bits));
        if (bits == 8) w[block * bytes + 1] = static_cast<std::uint8_t>(second);
    }
    model.initializer("w", weights);
    model.initializer("scales", tensor_of<float>({2, 2}, {1, 10, 100, 1000}));
    model.initializer("zeros", tensor_of<float>({2, 2}, {1, 2, 0.5F, 0}));
    model.initializer("bias", tensor_of<float>({2}, {7, 0}));
    const std::size_t zero_bytes = bits == 8 ? 2 : 1;
    Tensor packed(ElementType::u8, {2, zero_bytes});
    for (std::size_t row = 0; row < 2; ++row) {
        // zero points 1 and 2
        auto* z = packed.data<std::uint8_t>() + row * zero_bytes;
        z[0] = static_cast<std::uint8_t>(bits == 8 ? 1 : 1 + (2 << bits));
        if (bits == 8) z[1] = 2;
    }
    model.initializer("packed", packed);
    model.node("MatMulNBits", inputs, {"y"}, "n")
        .domain("com.microsoft")
        .with("bits", bits)
        .with("K", 18)
        .with("N", 2)
        .with("block_size", 16);
    return model;
}

Tensor columns() {
    Tensor x(ElementType::f32, {3, 18});
    x.data<float>()[0] = x.data<float>()[18 + 1] = x.data<float>()[36 + 17] = 1;
    return x;
}

TEST(OnnxMatMulNBits, ReadsWeightsOfAFewBits) {
    for (const std::int64_t bits : {2, 4, 8}) {
        SCOPED_TRACE(bits);
        const auto middle = static_cast<float>(1 << (bits - 1));
        expect_near(model_of(bits, {"x", "w", "scales"}).run({columns()}).at(0),
                    tensor_of<float>({3, 2}, {3 - middle, (1 - middle) * 100, 2 - middle,
                                              -middle * 100, (2 - middle) * 10, -middle * 1000}),
                    0);
        expect_near(model_of(bits, {"x", "w", "scales", "packed"}).run({columns()}).at(0),
                    tensor_of<float>({3, 2}, {2, 0, 1, -100, 0, -2000}), 0);
        expect_near(
            model_of(bits, {"x", "w", "scales", "zeros", "", "bias"}).run({columns()}).at(0),
            tensor_of<float>({3, 2}, {9, 50, 8, -50, 7, 0}), 0);
    }
}

// 2^17 rows of blocks of 2^47 bytes are 2^64.
TEST(OnnxMatMulNBits, RefusesSizesThatOverflow) {
    auto model = model_of(8, {"x", "none", "scales"});
    model.initializer("none", Tensor(ElementType::u8, {0}));
    model.graph().mutable_node(0)->clear_attribute();
    NodeBuilder(*model.graph().mutable_node(0))
        .with("bits", 8)
        .with("N", std::int64_t{1} << 17)
        .with("K", 1)
        .with("block_size", std::int64_t{1} << 47);
    expect_error<ModelError>([&] { model.read(); }, "has too many elements");
}

TEST(OnnxMatMulNBits, RefusesWhatDoesntFit) {
    auto model = model_of(4, {"x", "w", "w"});
    expect_error<ModelError>([&] { model.read(); }, "input 'scales' has shape [2,2,8]; expected 4");
    auto open = model_of(4, {"x", "w", "x"});
    expect_error<UnsupportedError>([&] { open.read(); }, "input 'scales' isn't constant");
    auto packed = model_of(4, {"x", "w", "scales"});
    NodeBuilder(*packed.graph().mutable_node(0)).with("weight_prepacked", 1);
    expect_error<UnsupportedError>([&] { packed.read(); }, "attribute 'weight_prepacked' isn't 0");
}

}  // namespace
}  // namespace rondo::onnx::matmul_n_bits_test
