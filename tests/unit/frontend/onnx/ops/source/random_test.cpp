#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::random_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

using Ints = std::vector<std::int64_t>;

ModelBuilder source(const char* op) {
    ModelBuilder model(22);
    model.output("y").node(op, {}, {"y"}).with("shape", Ints{100, 200}).with("seed", 3.5F);
    return model;
}

ModelBuilder like(const char* op, ElementType type, const PartialShape& shape = {-1, -1}) {
    ModelBuilder model(22);
    model.input("x", type, shape).output("y").node(op, {"x"}, {"y"});
    return model;
}

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

struct Moments {
    double mean = 0;
    double variance = 0;
};

Moments moments_of(const Tensor& tensor) {
    const Tensor y = test::converted(tensor, ElementType::f64);
    const auto count = static_cast<double>(y.size());
    Moments found;
    for (std::size_t i = 0; i < y.size(); ++i) found.mean += y.data<double>()[i] / count;
    for (std::size_t i = 0; i < y.size(); ++i) {
        found.variance += std::pow(y.data<double>()[i] - found.mean, 2) / count;
    }
    return found;
}

bool same(const Tensor& a, const Tensor& b) {
    return a.byte_size() == b.byte_size() && std::memcmp(a.data(), b.data(), a.byte_size()) == 0;
}

TEST(OnnxRandom, Uniform) {
    auto model = source("RandomUniform");
    node(model).with("low", -1.0F).with("high", 5.0F).with("dtype", 11);
    const Tensor y = model.run({}).at(0);
    EXPECT_EQ(y.element_type(), ElementType::f64);
    EXPECT_EQ(y.shape(), (Shape{100, 200}));
    EXPECT_NEAR(moments_of(y).mean, 2, 0.05);
    EXPECT_NEAR(moments_of(y).variance, 3, 0.05);
    expect_same(model.run({}).at(0), y);
}

TEST(OnnxRandom, Normal) {
    for (const int type : {1, 10, 11, 16}) {
        auto model = source("RandomNormal");
        node(model).with("mean", 2.0F).with("scale", 3.0F).with("dtype", type);
        const Tensor y = model.run({}).at(0);
        EXPECT_NEAR(moments_of(y).mean, 2, 0.1);
        EXPECT_NEAR(moments_of(y).variance, 9, 0.3);
        expect_same(model.run({}).at(0), y);
    }
}

TEST(OnnxRandom, LikeAnotherTensor) {
    const Tensor x(ElementType::f16, {100, 50});
    for (const char* op : {"RandomNormalLike", "RandomUniformLike"}) {
        auto model = like(op, ElementType::f16);
        const Tensor y = model.run({x}).at(0);
        EXPECT_EQ(y.element_type(), ElementType::f16);
        EXPECT_EQ(y.shape(), x.shape());
        EXPECT_FALSE(same(model.run({x}).at(0), y)) << "no seed";
        node(model).with("dtype", 1);
        EXPECT_EQ(model.run({x}).at(0).element_type(), ElementType::f32);
        auto whole = like(op, ElementType::i64);
        expect_error<UnsupportedError>([&] { whole.read(); },
                                       "the output's type is i64; expected a floating type");
    }
}

TEST(OnnxRandom, Bernoulli) {
    auto model = like("Bernoulli", ElementType::f32);
    Tensor x(ElementType::f32, {3, 4000});
    for (std::size_t i = 0; i < x.size(); ++i) {
        x.data<float>()[i] = static_cast<float>(i / 4000) / 2;  // 0, 0.5 and 1
    }
    EXPECT_NEAR(moments_of(model.run({x}).at(0)).mean, 0.5, 0.03);
    node(model).with("dtype", 9).with("seed", 1.0F);
    const Tensor y = model.run({x}).at(0);
    ASSERT_EQ(y.element_type(), ElementType::boolean);
    for (std::size_t i = 0; i < 4000; ++i) {
        ASSERT_FALSE(y.data<bool>()[i]);
        ASSERT_TRUE(y.data<bool>()[8000 + i]);
    }
    expect_same(model.run({x}).at(0), y);
}

TEST(OnnxRandom, Multinomial) {
    for (const int type : {6, 7}) {
        auto model = like("Multinomial", ElementType::f32);
        node(model).with("sample_size", 6000).with("seed", 2.0F).with("dtype", type);
        const float none = -std::numeric_limits<float>::infinity();
        const auto x = tensor_of<float>(
            {2, 4}, {none, 7 + std::log(1.0F), 7 + std::log(2.0F), 7, 0, none, none, none});
        const Tensor y = test::converted(model.run({x}).at(0), ElementType::i64);
        EXPECT_EQ(y.shape(), (Shape{2, 6000}));
        double counts[4] = {};
        for (std::size_t i = 0; i < 6000; ++i) {
            ++counts[y.data<std::int64_t>()[i]];
            ASSERT_EQ(y.data<std::int64_t>()[6000 + i], 0);
        }
        EXPECT_EQ(counts[0], 0);
        EXPECT_NEAR(counts[1] / 6000, 0.25, 0.03);
        EXPECT_NEAR(counts[2] / 6000, 0.5, 0.03);
    }
    auto model = like("Multinomial", ElementType::f32);
    node(model).with("sample_size", 0);
    expect_error<ModelError>([&] { model.read(); }, "attribute 'sample_size' is 0");
}

TEST(OnnxRandom, RefusesWhatIsMissing) {
    ModelBuilder model(22);
    model.output("y").node("RandomNormal", {}, {"y"});
    expect_error<ModelError>([&] { model.read(); }, "attribute 'shape' is missing");
}

}  // namespace
}  // namespace rondo::onnx::random_test
