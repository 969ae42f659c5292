#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::rotary_embedding_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

constexpr auto f32 = ElementType::f32;

// Angles of place p turn by p quarters.
Tensor cosines(std::size_t features) {
    Tensor result(f32, {3, features / 2});
    for (std::size_t i = 0; i < features / 2; ++i) {
        result.data<float>()[i] = 1;
        result.data<float>()[features + i] = -1;
    }
    return result;
}

Tensor sines(std::size_t features) {
    Tensor result(f32, {3, features / 2});
    for (std::size_t i = 0; i < features / 2; ++i) result.data<float>()[features / 2 + i] = 1;
    return result;
}

ModelBuilder model_of(const Shape& x, std::size_t turned, const std::vector<std::int64_t>& places) {
    ModelBuilder model(23);
    model.input("x", f32, PartialShape::of_rank(x.size()));
    model.initializer("c", cosines(turned)).initializer("s", sines(turned)).output("y");
    model.initializer("p", tensor_of<std::int64_t>({1, places.size()}, places));
    model.node("RotaryEmbedding", {"x", "c", "s", "p"}, {"y"}, "r");
    return model;
}

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

TEST(OnnxRotaryEmbedding, TurnsHalvesOrNeighbours) {
    const auto x = tensor_of<float>({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto halves = model_of(x.shape(), 4, {1, 2});
    expect_same(halves.run({x}).at(0),
                tensor_of<float>({1, 1, 2, 4}, {-3, -4, 1, 2, -5, -6, -7, -8}));
    auto pairs = model_of(x.shape(), 4, {1, 0});
    node(pairs).with("interleaved", 1);
    expect_same(pairs.run({x}).at(0), tensor_of<float>({1, 1, 2, 4}, {-2, 1, -4, 3, 5, 6, 7, 8}));
    auto part = model_of(x.shape(), 2, {1, 2});
    node(part).with("rotary_embedding_dim", 2);
    expect_same(part.run({x}).at(0), tensor_of<float>({1, 1, 2, 4}, {-2, 1, 3, 4, -5, -6, 7, 8}));
}

TEST(OnnxRotaryEmbedding, KnowsTheHeadsOfRank3) {
    const auto x = tensor_of<float>({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
    auto model = model_of(x.shape(), 2, {1, 2});
    expect_error<ModelError>([&] { model.read(); }, "attribute 'num_heads' is missing");
    node(model).with("num_heads", 2);
    expect_same(model.run({x}).at(0), tensor_of<float>({1, 2, 4}, {-2, 1, -4, 3, -5, -6, -7, -8}));
}

TEST(OnnxRotaryEmbedding, TakesAnglesOfEachPlace) {
    ModelBuilder model(23);
    model.input("x", f32, {1, 1, 2, 2}).output("y");
    model.initializer("c", tensor_of<float>({1, 2, 1}, {0, -1}));
    model.initializer("s", tensor_of<float>({1, 2, 1}, {1, 0}));
    model.node("RotaryEmbedding", {"x", "c", "s"}, {"y"}, "r");
    const auto x = tensor_of<float>({1, 1, 2, 2}, {1, 2, 3, 4});
    expect_same(model.run({x}).at(0), tensor_of<float>({1, 1, 2, 2}, {-2, 1, -3, -4}));
    node(model).with("rotary_embedding_dim", 3);
    expect_error<ModelError>([&] { model.read(); },
                             "'rotary_embedding_dim' is 3; expected an even");
    ModelBuilder wide(23);
    wide.input("x", f32, {1, 1, 2, 4}).output("y").initializer("c", Tensor(f32, {1, 2, 1}));
    wide.node("RotaryEmbedding", {"x", "c", "c"}, {"y"}, "r");
    expect_error<ModelError>([&] { wide.read(); }, "there are 1 angles for 4 features");
}

// One head is no default: its features may be more than those that turn.
TEST(OnnxRotaryEmbedding, OfMicrosoftMayHaveOneHead) {
    ModelBuilder model(17);
    auto* import = model.message().add_opset_import();
    import->set_domain("com.microsoft");
    import->set_version(1);
    model.input("x", f32, {1, -1, 4}).output("y");
    model.initializer("p", tensor_of<std::int64_t>({1}, {1}));
    model.initializer("c", cosines(2)).initializer("s", sines(2));
    model.node("RotaryEmbedding", {"x", "p", "c", "s"}, {"y"}, "r").domain("com.microsoft");
    node(model).with("num_heads", 1).with("rotary_embedding_dim", 2);
    const auto x = tensor_of<float>({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
    expect_same(model.run({x}).at(0), tensor_of<float>({1, 2, 4}, {-2, 1, 3, 4, -5, -6, 7, 8}));
}

// The places are the second input, and may be that of the first row alone.
TEST(OnnxRotaryEmbedding, HasAFormOfMicrosofts) {
    for (const auto& places :
         {tensor_of<std::int64_t>({1}, {1}), tensor_of<std::int64_t>({1, 2}, {1, 2})}) {
        ModelBuilder model(17);
        auto* import = model.message().add_opset_import();
        import->set_domain("com.microsoft");
        import->set_version(1);
        model.input("x", f32, {1, -1, 4}).output("y").initializer("p", places);
        model.initializer("c", cosines(2)).initializer("s", sines(2));
        model.node("RotaryEmbedding", {"x", "p", "c", "s"}, {"y"}, "r").domain("com.microsoft");
        const auto x = tensor_of<float>({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
        expect_same(model.run({x}).at(0),
                    tensor_of<float>({1, 2, 4}, {-2, 1, -4, 3, -5, -6, -7, -8}));
        node(model).with("scale", 2.0F);
        expect_error<UnsupportedError>([&] { model.read(); }, "attribute 'scale' isn't 1");
    }
}

}  // namespace
}  // namespace rondo::onnx::rotary_embedding_test
