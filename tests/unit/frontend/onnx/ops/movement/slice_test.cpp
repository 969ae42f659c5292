// Tests a part of frontend/onnx/ops/movement/moves.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::slice_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;
using Ints = std::vector<std::int64_t>;

const Tensor kData = tensor_of<float>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});

ModelBuilder attributes(const Ints& starts, const Ints& ends) {
    ModelBuilder model(9);
    model.input("x", f32, {2, 4}).output("y");
    model.node("Slice", {"x"}, {"y"}).with("starts", starts).with("ends", ends);
    return model;
}

// Empty vectors are omitted inputs.
ModelBuilder inputs(const std::vector<Ints>& values, std::int64_t opset = 13) {
    ModelBuilder model(opset);
    model.input("x", f32, {2, 4}).output("y");
    std::vector<std::string> names = {"x"};
    for (std::size_t i = 0; i < values.size(); ++i) {
        names.push_back(values[i].empty() ? "" : "i" + std::to_string(i));
        if (values[i].empty()) continue;
        model.initializer(names.back(), tensor_of<std::int64_t>({values[i].size()}, values[i]));
    }
    model.node("Slice", names, {"y"});
    return model;
}

TEST(OnnxSlice, TakesAttributesBeforeOpset10) {
    expect_same(attributes({0, 1}, {1, 1000}).run({kData}).at(0),
                tensor_of<float>({1, 3}, {2, 3, 4}));
    auto model = attributes({-2}, {-1});
    test::NodeBuilder(*model.graph().mutable_node(0)).with("axes", Ints{1});
    expect_same(model.run({kData}).at(0), tensor_of<float>({2, 1}, {3, 7}));
}

TEST(OnnxSlice, TakesInputsSinceOpset10) {
    for (const std::int64_t opset : {10, 11, 13}) {
        expect_same(inputs({{0, 1}, {1, 3}}, opset).run({kData}).at(0),
                    tensor_of<float>({1, 2}, {2, 3}));
        expect_same(inputs({{1}, {3}, {1}}, opset).run({kData}).at(0),
                    tensor_of<float>({2, 2}, {2, 3, 6, 7}));
        expect_same(inputs({{3}, {0}, {1}, {-2}}, opset).run({kData}).at(0),
                    tensor_of<float>({2, 2}, {4, 2, 8, 6}));
        expect_same(inputs({{0, 3}, {2, 0}, {}, {1, -1}}, opset).run({kData}).at(0),
                    tensor_of<float>({2, 3}, {4, 3, 2, 8, 7, 6}));
    }
}

TEST(OnnxSlice, ClampsTheLargestNumbers) {
    const auto most = std::numeric_limits<std::int64_t>::max();
    const auto least = std::numeric_limits<std::int64_t>::min();
    expect_same(inputs({{1}, {most}, {1}}).run({kData}).at(0),
                tensor_of<float>({2, 3}, {2, 3, 4, 6, 7, 8}));
    expect_same(inputs({{most}, {least}, {1}, {-3}}).run({kData}).at(0),
                tensor_of<float>({2, 2}, {4, 1, 8, 5}));
    expect_same(inputs({{most}, {least}, {1}, {least + 1}}).run({kData}).at(0),
                tensor_of<float>({2, 1}, {4, 8}));
}

TEST(OnnxSlice, CountsSlicesAtRunTime) {
    ModelBuilder model(13);
    model.input("x", f32, {2, 4}).output("y");
    model.input("s", i64, {Dimension()}).input("e", i64, {Dimension()});
    model.node("Slice", {"x", "s", "e"}, {"y"});
    expect_same(
        model.run({kData, tensor_of<std::int64_t>({1}, {1}), tensor_of<std::int64_t>({1}, {2})})
            .at(0),
        tensor_of<float>({1, 4}, {5, 6, 7, 8}));
}

TEST(OnnxSlice, RefusesMoreSlicesThanAxes) {
    const auto model_of = [](std::int64_t count) {
        ModelBuilder model(13);
        model.input("x", f32, {2, 4}).output("y");
        model.input("s", i64, {count}).input("e", i64, {count});
        model.node("Slice", {"x", "s", "e"}, {"y"});
        return model;
    };
    expect_error<ModelError>([&] { model_of(3).read(); }, "got 3 slices for data of shape");
    expect_error<UnsupportedError>([&] { model_of(std::int64_t{1} << 40).read(); },
                                   "start has 1099511627776 elements");
}

TEST(OnnxSlice, RefusesMissingAndContradictingParts) {
    auto model = attributes({0}, {1});
    model.graph().mutable_node(0)->mutable_attribute()->RemoveLast();
    expect_error<ModelError>([&] { model.read(); }, "attribute 'ends' is missing");
    expect_error<ModelError>([] { inputs({{0}}).read(); }, "input 2 is missing");
    expect_error<ModelError>([] { inputs({{0, 1}, {1}}).read(); }, "node 'the_Slice' (Slice): ");
}

}  // namespace
}  // namespace rondo::onnx::slice_test
