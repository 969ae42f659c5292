// Models whose reading makes use of the extents of their inputs, reshaped: each must be the model
// that is read where the inputs are declared so.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/graph/printer.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "rondo/model.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::reshaped_models_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr ElementType f32 = ElementType::f32;

ModelBuilder with_input(const PartialShape& x, std::int64_t opset = 17) {
    ModelBuilder model(opset);
    model.input("x", f32, x).output("y");
    model.initializer("zero", scalar_of<std::int64_t>(0));
    model.initializer("one", scalar_of<std::int64_t>(1));
    model.initializer("axes", tensor_of<std::int64_t>({1}, {1}));
    return model;
}

// x's extent of axis 1 is the tensor "t".
void add_extent(ModelBuilder& model) {
    model.node("Shape", {"x"}, {"s"});
    model.node("Gather", {"s", "one"}, {"t"});
}

ModelBuilder mean_over_time(const PartialShape& x) {
    ModelBuilder model = with_input(x);
    add_extent(model);
    model.node("Cast", {"t"}, {"f"}).with("to", std::int64_t{1});
    model.node("ReduceSum", {"x", "axes"}, {"sum"});
    model.node("Div", {"sum", "f"}, {"y"});
    return model;
}

ModelBuilder positions(const PartialShape& x) {
    ModelBuilder model = with_input(x);
    Rng rng(3);
    model.initializer("table", random_tensor(f32, {20, 3}, rng));
    add_extent(model);
    model.node("Range", {"zero", "t", "one"}, {"ids"});
    model.node("Gather", {"table", "ids"}, {"places"});
    model.node("Add", {"x", "places"}, {"y"});
    return model;
}

ModelBuilder choice(const PartialShape& x) {
    ModelBuilder model = with_input(x), yes, no;
    add_extent(model);
    model.initializer("four", scalar_of<std::int64_t>(4));
    model.node("Greater", {"t", "four"}, {"c"});
    yes.node("Relu", {"x"}, {"a"});
    yes.output("a");
    no.initializer("w", scalar_of<float>(2)).node("Mul", {"x", "w"}, {"b"});
    no.output("b");
    model.node("If", {"c"}, {"y"}).with("then_branch", yes.graph()).with("else_branch", no.graph());
    return model;
}

ModelBuilder first_half(const PartialShape& x) {
    ModelBuilder model = with_input(x);
    add_extent(model);
    model.initializer("two", tensor_of<std::int64_t>({1}, {2}));
    model.node("Div", {"t", "two"}, {"half"});
    model.initializer("from", tensor_of<std::int64_t>({1}, {0}));
    model.node("Slice", {"x", "from", "half", "axes"}, {"y"});
    return model;
}

ModelBuilder causal_attention(const PartialShape& x) {
    ModelBuilder model = with_input(x, 23);
    model.node("Attention", {"x", "x", "x"}, {"y"})
        .with("is_causal", std::int64_t{1})
        .with("q_num_heads", std::int64_t{1})
        .with("kv_num_heads", std::int64_t{1});
    return model;
}

ModelBuilder flat(const PartialShape& x) {
    ModelBuilder model = with_input(x);
    model.node("Flatten", {"x"}, {"f"}).with("axis", std::int64_t{2});
    model.node("Relu", {"f"}, {"y"});
    return model;
}

using Made = ModelBuilder (*)(const PartialShape& x);
constexpr Made kModels[] = {mean_over_time, positions, choice, first_half, causal_attention, flat};

class OnnxReshapedModels : public ::testing::TestWithParam<Made> {};

TEST_P(OnnxReshapedModels, AreThoseThatAreReadSo) {
    const std::vector<PartialShape> shapes{{1, 1, 3}, {2, 6, 3}, {2, 3, 3}, {1, 9, 3}};
    for (const PartialShape& from : shapes) {
        Model model(GetParam()(from).read());
        for (const PartialShape& to : shapes) {
            model.reshape({{"x", to}});
            const auto expected = GetParam()(to).read();
            EXPECT_TRUE(same_graph(*model.graph(), *expected)) << to_string(from) << to_string(to);
            Rng rng(5);
            const std::vector<Tensor> inputs{random_tensor(f32, to.to_shape(), rng)};
            expect_same(evaluate(*model.graph(), inputs)[0], evaluate(*expected, inputs)[0]);
        }
    }
}

TEST_P(OnnxReshapedModels, FilesOfThemKeepTheirExtents) {
    const std::string path = temporary_path("reshaped.onnx");
    save_model(Model(GetParam()({2, 6, 3}).read()), path);
    Model saved = Core().read_model(path);
    if (!saved.rt_info().contains(kFixedExtents)) {
        saved.reshape({{"x", {2, 3, 3}}});
        Rng rng(5);
        const std::vector<Tensor> inputs{random_tensor(f32, {2, 3, 3}, rng)};
        const auto expected = GetParam()({2, 3, 3}).read();
        expect_same(evaluate(*saved.graph(), inputs)[0], evaluate(*expected, inputs)[0]);
        return;
    }
    expect_error<UnsupportedError>(
        [&] {
            saved.reshape({{"x", {2, 3, 3}}});
        },
        "input 'x' can't be reshaped from [2,6,3] to [2,3,3]");
}

INSTANTIATE_TEST_SUITE_P(All, OnnxReshapedModels, ::testing::ValuesIn(kModels));

// Weights, inputs that are initializers, and bounds, which ONNX can't say.
TEST(OnnxReshape, KeepsWeightsAndGivesBounds) {
    ModelBuilder builder;
    Rng rng(7);
    const Tensor w = random_tensor(f32, {300, 100}, rng);
    builder.input("w", f32, {300, 100}).input("x", f32, {4, 300}).input("any", f32, {});
    builder.initializer("w", w).output("y");
    builder.node("MatMul", {"x", "w"}, {"m"});
    builder.node("Add", {"m", "any"}, {"y"});
    Model model(builder.read());
    const auto weights = [&] {
        return known_value(model.graph()->results()[0]->input(0).node().input(0).node().input(1));
    };
    const void* before = weights().data();
    model.reshape({{"x", {Dimension(1, 9), 300}}});
    EXPECT_EQ(model.input("x").shape, PartialShape({Dimension(1, 9), 300}));
    EXPECT_EQ(weights().data(), before);
    expect_same(weights(), w);
    expect_error<ModelError>([&] { model.reshape({{"x", {4, 299}}}); }, "MatMul");
    EXPECT_EQ(model.input("x").shape, PartialShape({Dimension(1, 9), 300}));
}

}  // namespace
}  // namespace rondo::onnx::reshaped_models_test
