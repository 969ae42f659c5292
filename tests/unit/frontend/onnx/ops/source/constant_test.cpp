#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::constant_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

using Ints = std::vector<std::int64_t>;

template <typename Value>
ModelBuilder constant(const char* name, const Value& value) {
    ModelBuilder model(13);
    model.output("y").node("Constant", {}, {"y"}).with(name, value);
    return model;
}

TEST(OnnxConstant, TakesEveryForm) {
    const auto tensor = tensor_of<std::int32_t>({2, 1}, {3, 4});
    expect_same(constant("value", tensor).run({}).at(0), tensor);
    expect_same(constant("value_float", 1.5f).run({}).at(0), scalar_of<float>(1.5f));
    expect_same(constant("value_floats", std::vector<float>{1, 2}).run({}).at(0),
                tensor_of<float>({2}, {1, 2}));
    expect_same(constant("value_int", 7).run({}).at(0), scalar_of<std::int64_t>(7));
    expect_same(constant("value_ints", Ints{7, 8}).run({}).at(0),
                tensor_of<std::int64_t>({2}, {7, 8}));
    EXPECT_EQ(constant("value_ints", Ints{}).run({}).at(0).shape(), Shape{0});
}

TEST(OnnxConstant, TakesASparseTensor) {
    ModelBuilder model;
    model.output("y").node("Constant", {}, {"y"});
    auto& attribute = *model.graph().mutable_node(0)->add_attribute();
    attribute.set_name("sparse_value");
    attribute.set_type(rondo_onnx::AttributeProto::SPARSE_TENSOR);
    auto& sparse = *attribute.mutable_sparse_tensor();
    *sparse.mutable_values() = test::to_message("s", tensor_of<std::int32_t>({1}, {5}));
    *sparse.mutable_indices() = test::to_message("", tensor_of<std::int64_t>({1, 2}, {1, 0}));
    sparse.add_dims(2);
    sparse.add_dims(1);
    expect_same(model.run({}).at(0), tensor_of<std::int32_t>({2, 1}, {0, 5}));
}

TEST(OnnxConstant, RefusesText) {
    expect_error<UnsupportedError>([] { constant("value_string", "text").read(); },
                                   "attribute 'value_string' is not supported");
    auto strings = constant("value_strings", std::vector<std::string>{"a"});
    expect_error<UnsupportedError>([&] { strings.read(); }, "attribute 'value_strings'");
}

TEST(OnnxConstant, RefusesNoneAndTwo) {
    auto model = constant("value_int", 1);
    test::NodeBuilder(*model.graph().mutable_node(0)).with("value_float", 1.0f);
    expect_error<ModelError>([&] { model.read(); }, "it has 2 values; expected one");
    model.graph().mutable_node(0)->clear_attribute();
    expect_error<ModelError>([&] { model.read(); }, "it has 0 values; expected one");
}

}  // namespace
}  // namespace rondo::onnx::constant_test
