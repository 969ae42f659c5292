#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::split_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
using Ints = std::vector<std::int64_t>;

ModelBuilder split(std::int64_t opset, const PartialShape& shape, std::size_t outputs) {
    ModelBuilder model(opset);
    model.input("x", f32, shape);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < outputs; ++i) {
        names.push_back("y" + std::to_string(i));
        model.output(names.back());
    }
    model.node("Split", {"x"}, names);
    return model;
}

test::NodeBuilder node(ModelBuilder& model) {
    return test::NodeBuilder(*model.graph().mutable_node(0));
}

// The extents of the parts of 1, 2, 3 ... along the only axis; checks that nothing is lost.
std::vector<std::size_t> parts(const ModelBuilder& model, std::size_t extent) {
    Tensor x(f32, {extent});
    for (std::size_t i = 0; i < extent; ++i) x.data<float>()[i] = static_cast<float>(i);
    std::vector<std::size_t> extents;
    float next = 0;
    for (const auto& part : model.run({x})) {
        extents.push_back(part.size());
        for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part.data<float>()[i], next++);
    }
    EXPECT_EQ(next, static_cast<float>(extent));
    return extents;
}

using Extents = std::vector<std::size_t>;

TEST(OnnxSplit, SplitsEvenly) {
    for (const std::int64_t opset : {7, 11, 13}) {
        EXPECT_EQ(parts(split(opset, {6}, 3), 6), (Extents{2, 2, 2}));
    }
}

TEST(OnnxSplit, SplitsByLengths) {
    auto attribute = split(11, {6}, 2);
    node(attribute).with("split", Ints{1, 5});
    EXPECT_EQ(parts(attribute, 6), (Extents{1, 5}));
    auto input = split(13, {6}, 2);
    input.initializer("lengths", tensor_of<std::int64_t>({2}, {4, 2}));
    input.graph().mutable_node(0)->add_input("lengths");
    EXPECT_EQ(parts(input, 6), (Extents{4, 2}));
}

// The node has as many outputs as there are lengths.
TEST(OnnxSplit, TakesLengthsWhoseNumberIsNotDeclared) {
    for (const PartialShape& shape : {PartialShape({-1}), PartialShape()}) {
        auto model = split(13, {6}, 2);
        model.input("lengths", ElementType::i64, shape);
        model.graph().mutable_node(0)->add_input("lengths");
        const auto x = tensor_of<float>({6}, {1, 2, 3, 4, 5, 6});
        const auto outputs = model.run({x, tensor_of<std::int64_t>({2}, {4, 2})});
        expect_same(outputs.at(1), tensor_of<float>({2}, {5, 6}));
        expect_error<ModelError>(
            [&] {
                model.run({x, tensor_of<std::int64_t>({3}, {2, 2, 2})});
            },
            "node 'the_Split' (Split, as Reshape ");
    }
}

TEST(OnnxSplit, HonoursTheAxis) {
    auto model = split(13, {2, 4}, 2);
    node(model).with("axis", -1);
    const auto outputs = model.run({tensor_of<float>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})});
    expect_same(outputs.at(1), tensor_of<float>({2, 2}, {3, 4, 7, 8}));
}

// ceil(extent / num_outputs) each, and the rest for the last: known or found at run time.
TEST(OnnxSplit, MakesUnequalChunks) {
    for (const bool open : {false, true}) {
        auto model = split(18, {open ? Dimension() : Dimension(7)}, 3);
        node(model).with("num_outputs", 3);
        EXPECT_EQ(parts(model, 7), (Extents{3, 3, 1}));
    }
    auto even = split(18, {6}, 3);
    node(even).with("num_outputs", 3);
    EXPECT_EQ(parts(even, 6), (Extents{2, 2, 2}));
    auto one = split(18, {Dimension()}, 1);
    node(one).with("num_outputs", 1);
    EXPECT_EQ(parts(one, 5), (Extents{5}));
}

TEST(OnnxSplit, RefusesChunksThatDontGoIn) {
    auto model = split(18, {5}, 4);
    node(model).with("num_outputs", 4);
    expect_error<ModelError>([&] { model.read(); },
                             "an extent of 5 can't be split into 4 chunks of 2");
    auto open = split(18, {Dimension()}, 4);
    node(open).with("num_outputs", 4);
    expect_error<ModelError>([&] { open.run({Tensor(f32, {5})}); },
                             "lengths add up to 6, but the axis has 5");
}

TEST(OnnxSplit, RefusesLengthsThatDontMatch) {
    auto model = split(11, {6}, 2);
    node(model).with("split", Ints{1, 2, 3});
    expect_error<ModelError>([&] { model.read(); }, "split has 3 entries; expected 2");
    auto sum = split(11, {6}, 2);
    node(sum).with("split", Ints{1, 2});
    expect_error<ModelError>([&] { sum.read(); }, "node 'the_Split' (Split, as VariadicSplit): ");
    expect_error<ModelError>([] { split(13, {5}, 2).read(); },
                             "axis 0 of data of shape [5] can't be split into 2 equal parts");
}

TEST(OnnxSplit, RefusesContradictingCounts) {
    auto model = split(18, {6}, 2);
    node(model).with("num_outputs", 3);
    expect_error<ModelError>([&] { model.read(); }, "num_outputs is 3; expected 2, one an output");
    model.initializer("lengths", tensor_of<std::int64_t>({2}, {4, 2}));
    model.graph().mutable_node(0)->add_input("lengths");
    expect_error<ModelError>([&] { model.read(); }, "both split and num_outputs are given");
    auto old = split(17, {6}, 2);
    node(old).with("num_outputs", 2);
    expect_error<UnsupportedError>([&] { old.read(); }, "attribute 'num_outputs' is not known");
}

TEST(OnnxSplit, RefusesAxesOutOfRange) {
    auto model = split(18, {6}, 2);
    node(model).with("num_outputs", 2).with("axis", 4);
    expect_error<ModelError>([&] { model.read(); }, "axis 4 is out of range for rank 1");
}

TEST(OnnxSplit, TakesLengthsOfTheDatasTypeInOpset1) {
    EXPECT_EQ(parts(split(1, {6}, 2), 6), (Extents{3, 3}));
    auto attribute = split(1, {6}, 2);
    node(attribute).with("split", Ints{1, 5});
    EXPECT_EQ(parts(attribute, 6), (Extents{1, 5}));
    auto input = split(1, {6}, 2);
    input.initializer("lengths", tensor_of<float>({2}, {2, 4}));
    input.graph().mutable_node(0)->add_input("lengths");
    EXPECT_EQ(parts(input, 6), (Extents{2, 4}));
    node(input).with("split", Ints{1, 5});
    expect_error<ModelError>([&] { input.read(); }, "split is given twice");
}

}  // namespace
}  // namespace rondo::onnx::split_test
