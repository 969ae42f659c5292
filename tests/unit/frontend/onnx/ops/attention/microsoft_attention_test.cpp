#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::microsoft_attention_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr auto f32 = ElementType::f32;

ModelBuilder model_of_microsoft() {
    ModelBuilder model(17);
    auto* import = model.message().add_opset_import();
    import->set_domain("com.microsoft");
    import->set_version(1);
    return model;
}

// Weights that make queries and keys 0 and values 10 x, so that a result is a mean.
class Case {
public:
    Case() : model_(model_of_microsoft()) {
        model_.initializer("w", tensor_of<float>({1, 3}, {0, 0, 10})).output("y");
        model_.node("Attention", {"x", "w"}, {"y"}, "a")
            .domain("com.microsoft")
            .with("num_heads", 1);
    }
    Case& with(const char* attribute, std::int64_t value) {
        NodeBuilder(node()).with(attribute, value);
        return *this;
    }
    Case& with(int place, const char* name, const Tensor& tensor) {
        while (node().input_size() <= place) node().add_input("");
        node().set_input(place, name);
        model_.initializer(name, tensor);
        return *this;
    }
    void expect(const std::vector<float>& y) {
        model_.input("x", f32, {1, -1, 1});
        expect_near(model_.run({tensor_of<float>({1, 3, 1}, {1, 2, 6})}).at(0),
                    tensor_of<float>({1, 3, 1}, y), 1e-5);
    }
    ModelBuilder& model() { return model_; }

private:
    rondo_onnx::NodeProto& node() { return *model_.graph().mutable_node(0); }
    ModelBuilder model_;
};

Tensor ints(const Shape& shape, const std::vector<std::int32_t>& values) {
    return tensor_of<std::int32_t>(shape, values);
}

TEST(OnnxMicrosoftAttention, TakesEveryMask) {
    Case().expect({30, 30, 30});
    Case().with("unidirectional", 1).expect({10, 15, 30});
    Case().with("do_rotary", 0).with("rotary_embedding_dim", 32).expect({30, 30, 30});
    Case().with(3, "m", ints({1}, {2})).expect({15, 15, 15});
    Case().with(3, "m", ints({2}, {3, 1})).expect({40, 40, 40});
    Case().with(3, "m", ints({1, 3}, {1, 0, 1})).expect({35, 35, 35});
    Case()
        .with(3, "m", ints({1, 3, 3}, {1, 0, 0, 0, 1, 0, 1, 1, 1}))
        .with("unidirectional", 1)
        .expect({10, 20, 30});
    Case()
        .with(2, "b", tensor_of<float>({3}, {0, 0, 1}))
        .with(5, "e", tensor_of<float>({1, 1, 3, 3}, {0, -99, -99, -99, 0, -99, 0, 0, -99}))
        .expect({11, 21, 16});
    auto odd = Case().with(3, "m", ints({5}, {1, 2, 3, 4, 5}));
    odd.model().input("x", f32, {1, 3, 1});
    expect_error<UnsupportedError>([&] { odd.model().read(); },
                                   "the mask has 5 elements for a batch of 1");
}

TEST(OnnxMicrosoftAttention, RefusesOtherThanThreeSizes) {
    ModelBuilder model = Case().model();
    model.input("x", f32, {1, 3, 1});
    NodeBuilder(*model.graph().mutable_node(0))
        .with("qkv_hidden_sizes", std::vector<std::int64_t>{1, 1});
    expect_error<ModelError>([&] { model.read(); },
                             "attribute 'qkv_hidden_sizes' has 2 elements; expected 3");
}

TEST(OnnxMicrosoftAttention, GoesOnFromThePast) {
    auto model = Case()
                     .with("unidirectional", 1)
                     .with(4, "p", tensor_of<float>({2, 1, 1, 1, 1}, {0, 70}))
                     .model();
    model.graph().mutable_node(0)->add_output("present");
    model.output("present").input("x", f32, {1, 2, 1});
    const auto results = model.run({tensor_of<float>({1, 2, 1}, {1, 4})});
    expect_near(results.at(0), tensor_of<float>({1, 2, 1}, {40, 40}), 1e-5);
    expect_near(results.at(1), tensor_of<float>({2, 1, 1, 3, 1}, {0, 0, 0, 70, 10, 40}), 1e-5);
}

TEST(OnnxMicrosoftAttention, MultipliesBytes) {
    auto model = model_of_microsoft();
    model.input("x", ElementType::u8, {1, 2, 1}).output("y");
    model.initializer("w", tensor_of<std::int8_t, int>({1, 3}, {0, 0, 5}));
    model.initializer("b", tensor_of<float>({3}, {0, 0, 1}));
    model.initializer("xs", scalar_of(0.5F)).initializer("ws", scalar_of(4.0F));
    model.initializer("xz", scalar_of<std::uint8_t>(1));
    model.node("QAttention", {"x", "w", "b", "xs", "ws", "", "xz"}, {"y"}, "q")
        .domain("com.microsoft")
        .with("num_heads", 1)
        .with("unidirectional", 1);
    const auto x = tensor_of<std::uint8_t, int>({1, 2, 1}, {2, 5});
    expect_near(model.run({x}).at(0), tensor_of<float>({1, 2, 1}, {11, 26}), 1e-5);
}

TEST(OnnxMultiHeadAttention, TakesEachFormOfItsInputs) {
    const auto run = [](const std::vector<std::string>& inputs, int unidirectional = 0) {
        auto model = model_of_microsoft();
        const Tensor zero(f32, {1, 1, 2});
        model.initializer("q", zero).output("y");
        model.initializer("k", Tensor(f32, {1, 2, 2}));
        model.initializer("v", tensor_of<float>({1, 2, 2}, {1, 10, 3, 30}));
        model.initializer("b", tensor_of<float>({6}, {0, 0, 0, 0, 1, 2}));
        model.initializer("kv", tensor_of<float>({1, 2, 2, 2, 1}, {0, 1, 0, 10, 0, 3, 0, 30}));
        model.initializer("qkv", tensor_of<float>({1, 1, 2, 3, 1}, {0, 0, 5, 0, 0, 6}));
        model.initializer("k4", Tensor(f32, {1, 2, 2, 1}));
        model.initializer("v4", tensor_of<float>({1, 2, 2, 1}, {1, 3, 10, 30}));
        model.initializer("m", ints({1, 2}, {1, 0}));
        model.initializer("p", tensor_of<float>({1, 2, 1, 1}, {0, 0}));
        model.initializer("pv", tensor_of<float>({1, 2, 1, 1}, {8, 80}));
        model.node("MultiHeadAttention", inputs, {"y"}, "m")
            .domain("com.microsoft")
            .with("num_heads", 2)
            .with("unidirectional", unidirectional);
        return model.run({}).at(0);
    };
    const auto y = [](float a, float b) { return tensor_of<float>({1, 1, 2}, {a, b}); };
    expect_near(run({"q", "k", "v"}), y(2, 20), 1e-5);
    expect_near(run({"q", "k", "v", "b"}), y(3, 22), 1e-5);
    expect_near(run({"q", "kv"}), y(2, 20), 1e-5);
    expect_near(run({"qkv"}), y(5, 6), 1e-5);
    expect_near(run({"q", "k4", "v4"}), y(2, 20), 1e-5);
    expect_near(run({"q", "k", "v", "", "m"}), y(1, 10), 1e-5);
    expect_near(run({"q", "k", "v", "", "", "", "p", "pv"}), y(4, 40), 1e-5);
    expect_error<UnsupportedError>(
        [&] {
            run({"qkv", "", "", "b"});
        },
        "a bias of packed heads is not supported");
    // The last query sees all keys.
    expect_near(run({"q", "k", "v"}, 1), y(2, 20), 1e-5);
}

TEST(OnnxEmbedLayerNormalization, NormalisesTheSumOfRows) {
    auto model = model_of_microsoft();
    model.input("ids", ElementType::i32, {1, 2}).output("y").output("count").output("sum");
    model.initializer("segments", ints({1, 2}, {0, 1}));
    model.initializer("words", tensor_of<float>({2, 2}, {1, 2, 3, 8}));
    model.initializer("places", tensor_of<float>({3, 2}, {0, 1, 1, 0, 9, 9}));
    model.initializer("kinds", tensor_of<float>({2, 2}, {0, 0, 1, 1}));
    model.initializer("gamma", tensor_of<float>({2}, {1, 2}));
    model.initializer("beta", tensor_of<float>({2}, {0, 1})).initializer("m", ints({1, 2}, {1, 0}));
    model
        .node("EmbedLayerNormalization",
              {"ids", "segments", "words", "places", "kinds", "gamma", "beta", "m"},
              {"y", "count", "sum"}, "e")
        .domain("com.microsoft");
    const auto results = model.run({ints({1, 2}, {0, 1})});
    expect_near(results.at(0), tensor_of<float>({1, 2, 2}, {-1, 3, -1, 3}), 1e-5);
    expect_near(results.at(1), ints({1}, {1}), 0);
    expect_near(results.at(2), tensor_of<float>({1, 2, 2}, {1, 3, 5, 9}), 1e-6);
}

}  // namespace
}  // namespace rondo::onnx::microsoft_attention_test
