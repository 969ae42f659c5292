#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::group_query_attention_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr auto f32 = ElementType::f32;

// Two heads of queries, all zeros, share one of keys with one feature: a result is a mean of
// values.
ModelBuilder model_of(const std::vector<std::string>& inputs) {
    ModelBuilder model(21);
    auto* import = model.message().add_opset_import();
    import->set_domain("com.microsoft");
    import->set_version(1);
    model.output("y").output("value");
    model.node("GroupQueryAttention", inputs, {"y", "", "value"}, "g")
        .domain("com.microsoft")
        .with("num_heads", 2)
        .with("kv_num_heads", 1);
    return model;
}

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

Tensor ints(const std::vector<std::int32_t>& values) {
    return tensor_of<std::int32_t>({values.size()}, values);
}

// The first row has three keys in its cache, the second one two.
ModelBuilder with_cache(const PartialShape& past) {
    auto model = model_of({"q", "k", "v", "pk", "pv", "lengths", "total"});
    model.input("pk", f32, past).input("pv", f32, past);
    model.initializer("q", Tensor(f32, {2, 1, 2})).initializer("k", Tensor(f32, {2, 1, 1}));
    model.initializer("v", tensor_of<float>({2, 1, 1}, {6, 60}));
    model.initializer("lengths", ints({3, 2})).initializer("total", scalar_of<std::int32_t>(4));
    return model;
}

TEST(OnnxGroupQueryAttention, WritesBehindTheLengthOfEachRow) {
    const auto past = tensor_of<float>({2, 1, 3, 1}, {1, 2, 3, 10, 20, 30});
    for (const auto& shape : {PartialShape({2, 1, 3, 1}), PartialShape::of_rank(4)}) {
        auto model = with_cache(shape);
        const auto results = model.run({past, past});
        expect_near(results.at(0), tensor_of<float>({2, 1, 2}, {3, 3, 30, 30}), 1e-5);
        expect_near(results.at(1), tensor_of<float>({2, 1, 4, 1}, {1, 2, 3, 6, 10, 20, 60, 0}), 0);
        node(model).with("local_window_size", 2);
        expect_near(model.run({past, past}).at(0),
                    tensor_of<float>({2, 1, 2}, {4.5F, 4.5F, 40, 40}), 1e-5);
    }
    // a cache that is longer than what it holds
    const auto buffer = tensor_of<float>({2, 1, 5, 1}, {1, 2, 3, 0, 0, 10, 20, 0, 0, 0});
    const auto results = with_cache(PartialShape::of_rank(4)).run({buffer, buffer});
    expect_near(results.at(0), tensor_of<float>({2, 1, 2}, {3, 3, 30, 30}), 1e-5);
    EXPECT_EQ(results.at(1).shape(), (Shape{2, 1, 5, 1}));
}

TEST(OnnxGroupQueryAttention, TakesAPackedPrompt) {
    auto model = model_of({"q", "", "", "", "", "lengths", "total", "", "", "", "bias"});
    model.input("q", f32, {1, -1, 4});
    model.initializer("lengths", ints({1})).initializer("total", scalar_of<std::int32_t>(2));
    model.initializer("bias", tensor_of<float>({1, 2, 2, 2}, {0, 0, 0, 0, 0, 0, 0, -99}));
    const auto packed = tensor_of<float>({1, 2, 4}, {0, 0, 0, 2, 0, 0, 0, 4});
    expect_near(model.run({packed}).at(0), tensor_of<float>({1, 2, 2}, {2, 2, 3, 2}), 1e-5);
}

TEST(OnnxGroupQueryAttention, TurnsKeysByTheirPlaces) {
    auto model = model_of({"q", "k", "k", "p", "p", "lengths", "total", "c", "s"});
    model.graph().mutable_node(0)->set_output(1, "key");
    model.output("key").input("k", f32, {1, 1, 3}).initializer("q", Tensor(f32, {1, 1, 6}));
    model.initializer("p", Tensor(f32, {1, 1, 1, 3})).initializer("lengths", ints({1}));
    model.initializer("total", scalar_of<std::int32_t>(2));
    model.initializer("c", tensor_of<float>({2, 1}, {1, 0}));
    model.initializer("s", tensor_of<float>({2, 1}, {0, 1}));
    node(model).with("do_rotary", 1);
    expect_near(model.run({tensor_of<float>({1, 1, 3}, {1, 2, 3})}).at(2),
                tensor_of<float>({1, 1, 2, 3}, {0, 0, 0, -2, 1, 3}), 1e-6);
}

// What exporters write out although nothing reads it.
TEST(OnnxGroupQueryAttention, TakesAttributesOfWhatIsAbsent) {
    const auto past = tensor_of<float>({2, 1, 3, 1}, {1, 2, 3, 10, 20, 30});
    auto model = with_cache(PartialShape::of_rank(4));
    node(model).with("do_rotary", 0).with("rotary_interleaved", 1).with("qk_norm_epsilon", 1e-6F);
    expect_near(model.run({past, past}).at(0), tensor_of<float>({2, 1, 2}, {3, 3, 30, 30}), 1e-5);
}

TEST(OnnxGroupQueryAttention, RefusesWhatItDoesntKnow) {
    auto model = with_cache(PartialShape::of_rank(4));
    node(model).with("smooth_softmax", 1);
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "attribute 'smooth_softmax' has a value that is not supported");
    auto window = with_cache(PartialShape::of_rank(4));
    node(window).with("local_window_size", 0);
    expect_error<ModelError>([&] { window.read(); }, "attribute 'local_window_size' is 0");
}

}  // namespace
}  // namespace rondo::onnx::group_query_attention_test
