// The graph around the nodes: names, types, constants, refusals.
#include <gtest/gtest.h>
#include <rondo_onnx.pb.h>

#include <set>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/op_list.hpp"
#include "frontend/onnx/onnx.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"
#include "rondo/version.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"
#include "tests/unit/frontend/onnx/writer/round_trip.hpp"

namespace rondo::test::graph_writer_test {
namespace {

rondo_onnx::ModelProto message_of(const Graph& graph) {
    rondo_onnx::ModelProto model;
    EXPECT_TRUE(model.ParseFromString(onnx::to_bytes(graph)));
    return model;
}

Output relu(GraphBuilder& builder, const Output& x, const std::string& name = "") {
    return builder.make<ops::Unary>(name, ops::UnaryFunction::relu, x);
}

TEST(OnnxGraphWriter, HasAWriterForEveryOpButVariables) {
    for (const auto& entry : ops::op_list()) {
        const std::string name(entry.type->name);
        const bool is_edge = name == "Parameter" || name == "Const" || name == "Result";
        const bool is_state = name == "ReadValue" || name == "Assign";
        EXPECT_EQ(onnx::find_op_writer(name) == nullptr, is_edge || is_state) << name;
    }
}

TEST(OnnxGraphWriter, KeepsNamesTypesAndOpenExtents) {
    GraphBuilder builder;
    const Output x = builder.input("x:0", "?,3,2..5", ElementType::f16);
    builder.output("a/b:0", relu(builder, x, "the node"));
    const auto model = message_of(*builder.graph());
    EXPECT_EQ(model.opset_import(0).version(), 22);
    EXPECT_EQ(model.ir_version(), 10);
    EXPECT_EQ(model.producer_name(), "rondo");
    EXPECT_EQ(model.producer_version(), RONDO_VERSION);
    EXPECT_EQ(model.graph().name(), "test");
    EXPECT_EQ(model.graph().node(0).name(), "the node");
    const auto& input = model.graph().input(0);
    EXPECT_EQ(input.name(), "x:0");
    EXPECT_EQ(input.type().tensor_type().elem_type(), 10);
    EXPECT_FALSE(input.type().tensor_type().shape().dim(0).has_dim_value());
    EXPECT_EQ(input.type().tensor_type().shape().dim(1).dim_value(), 3);
    EXPECT_EQ(model.graph().output(0).name(), "a/b:0");
}

TEST(OnnxGraphWriter, LeavesTheShapeOutWhereTheRankIsUnknown) {
    GraphBuilder builder;
    builder.output("y", relu(builder, builder.input("x", "...")));
    const auto model = message_of(*builder.graph());
    EXPECT_FALSE(model.graph().input(0).type().tensor_type().has_shape());
    expect_round_trip(*builder.graph(), {tensor_of<float>({2}, {-1, 1})});
}

TEST(OnnxGraphWriter, KeepsADeclaredRankThatNothingElseSays) {
    GraphBuilder builder;
    builder.output("y", relu(builder, builder.input("x", "...")));
    rondo_onnx::ModelProto model = message_of(*builder.graph());
    auto& declared = *model.mutable_graph()->mutable_output(0)->mutable_type();
    declared.mutable_tensor_type()->mutable_shape()->add_dim();
    declared.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(3);
    const auto graph = read_bytes(model.SerializeAsString());
    EXPECT_FALSE(graph->results()[0]->output_shape(0).has_rank());
    EXPECT_EQ(message_of(*graph).graph().output(0).type().tensor_type().shape().dim_size(), 2);
    EXPECT_EQ(message_of(*graph->clone()).graph().output(0).type().tensor_type().shape().dim_size(),
              2);
    graph->results()[0]->rt_info()[kDeclaredRank] = "many";
    EXPECT_FALSE(message_of(*graph).graph().output(0).type().tensor_type().has_shape());
}

TEST(OnnxGraphWriter, NamesResultsThatHaveNoNodeOfTheirOwn) {
    GraphBuilder builder;
    const Output x = builder.input("x", "2");
    const Output constant = builder.constant(tensor_of<float>({2}, {3, 4}), "c");
    const auto result = [&](const Output& source, const std::string& name) {
        const auto node = builder.make<ops::Result>(name, source);
        Output(node).set_names({name});
        return node;
    };
    const Output y = relu(builder, x, "y");
    const Graph graph(
        "", {x.node_ptr()},
        {result(x, "same"), result(constant, "fixed"), result(y, "one"), result(y, "two")});
    expect_round_trip(graph, {tensor_of<float>({2}, {-1, 1})});
    EXPECT_EQ(operators_of(graph), "Relu Identity Identity Identity");
    EXPECT_EQ(message_of(graph).graph().name(), "model");
}

TEST(OnnxGraphWriter, NamesAreUnique) {
    GraphBuilder builder;
    const Output x = builder.input("x", "2");
    Output value = relu(builder, x, "same");
    value = relu(builder, value, "same");
    value = relu(builder, value, "Relu_1");
    builder.output("x_1", relu(builder, value, "x"));
    const auto model = message_of(*builder.graph());
    std::set<std::string> values{"x"};
    for (const auto& node : model.graph().node()) {
        EXPECT_TRUE(values.insert(node.output(0)).second) << node.output(0);
    }
    expect_round_trip(*builder.graph(), {tensor_of<float>({2}, {-1, 1})});
}

TEST(OnnxGraphWriter, WritesConstantsOfEveryType) {
    for (const ElementType type :
         {ElementType::boolean,    ElementType::f64,        ElementType::f32,
          ElementType::f16,        ElementType::bf16,       ElementType::i64,
          ElementType::i32,        ElementType::i16,        ElementType::i8,
          ElementType::u64,        ElementType::u32,        ElementType::u16,
          ElementType::u8,         ElementType::f8e4m3,     ElementType::f8e5m2,
          ElementType::f8e4m3fnuz, ElementType::f8e5m2fnuz, ElementType::f8e8m0,
          ElementType::f4e2m1,     ElementType::i4,         ElementType::u4,
          ElementType::i2,         ElementType::u2}) {
        for (const Shape& shape : {Shape{}, Shape{3, 5}, Shape{2, 0}, Shape{400}}) {
            GraphBuilder builder;
            Rng rng = test_rng();
            const Output x = builder.input("x", "2");
            builder.output("c", builder.constant(random_tensor(type, shape, rng), "w"));
            builder.output("y", relu(builder, x));
            expect_round_trip(*builder.graph(), {tensor_of<float>({2}, {-1, 1})});
        }
    }
}

TEST(OnnxGraphWriter, SharesSmallConstantsAndLeavesUnusedOnesOut) {
    const WriteCase one{"Transpose", {given({2, 3}), ints({1, 0})}};
    EXPECT_EQ(message_of(*graph_of(one)).graph().initializer_size(), 0);
    GraphBuilder builder;
    Output value = builder.input("x", "2");
    for (int i = 0; i < 3; ++i) {
        value = builder.make<ops::Binary>("", ops::BinaryFunction::add, value,
                                          builder.constant(scalar_of<float>(5)));
    }
    builder.output("y", value);
    EXPECT_EQ(message_of(*builder.graph()).graph().initializer_size(), 1);
}

TEST(OnnxGraphWriter, StoresWeightsIn16Bits) {
    GraphBuilder builder;
    Rng rng = test_rng();
    const Tensor weights = random_tensor(ElementType::f32, {100}, rng);
    const Output w = builder.constant(weights, "w");
    builder.output(
        "y", builder.make<ops::Binary>("", ops::BinaryFunction::add, builder.input("x", "100"), w));
    for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
        rondo_onnx::ModelProto model;
        model.ParseFromString(onnx::to_bytes(*builder.graph(), type));
        EXPECT_EQ(model.graph().initializer(0).data_type(), type == ElementType::f16 ? 10 : 16);
        EXPECT_EQ(model.graph().node(0).op_type(), "Cast");
        const auto again = written_and_read(*builder.graph(), type);
        EXPECT_EQ(again->results()[0]->output_type(0), ElementType::f32);
    }
}

TEST(OnnxGraphWriter, RaisesTheOpsetOnlyWhereAnOperatorNeedsIt) {
    const auto cast = [](const char* type) {
        const WriteCase one{"Convert", {given({3})}, {{"destination_type", type}}};
        const auto model = message_of(*graph_of(one));
        return std::make_pair(model.opset_import(0).version(), model.ir_version());
    };
    EXPECT_EQ(cast("f8e4m3"), std::make_pair(std::int64_t{22}, std::int64_t{10}));
    EXPECT_EQ(cast("f4e2m1"), std::make_pair(std::int64_t{23}, std::int64_t{11}));
    EXPECT_EQ(cast("f8e8m0"), std::make_pair(std::int64_t{24}, std::int64_t{12}));
    EXPECT_EQ(cast("i2"), std::make_pair(std::int64_t{25}, std::int64_t{13}));
}

TEST(OnnxGraphWriter, RefusesEveryNodeInOneMessage) {
    GraphBuilder builder;
    const Output x = builder.input("x", "2,3");
    const Output order = builder.input("order", "2", ElementType::i64);
    const Output moved = builder.make<ops::Transpose>("move", x, order);
    const Output v = builder.read("v", "[2,3]");
    builder.assign("v", builder.make<ops::Binary>("sum", ops::BinaryFunction::add, moved, v));
    builder.output("y", v);
    const auto graph = builder.graph();
    const std::string text =
        "ONNX can't say 3 nodes: node 'move' (Transpose): the axes' order (input 1) are known only "
        "when the model runs; ONNX has them as an attribute; node 'read_v' (ReadValue): ONNX has "
        "no "
        "variables; node 'assign_v' (Assign): ONNX has no variables";
    expect_error<UnsupportedError>([&] { onnx::to_bytes(*graph); }, text);
}

// Memory that is reserved but never touched.
TEST(OnnxGraphWriter, RefusesMoreThanAFileHolds) {
    GraphBuilder builder;
    const std::size_t bytes = (std::size_t{1} << 31) + 16;
    static const char place = 0;
    const Tensor huge(ElementType::u8, {bytes}, &place, std::shared_ptr<const void>());
    builder.output("y", builder.constant(huge, "w"));
    const auto graph = builder.graph();
    expect_error<UnsupportedError>(
        [&] { onnx::to_bytes(*graph); },
        "the model has 2 GiB or more; an ONNX message holds less: write a file");
}

TEST(OnnxGraphWriter, KeepsThatExtentsAreFixed) {
    GraphBuilder builder;
    builder.output("y", relu(builder, builder.input("x", "2")));
    const auto graph = builder.graph();
    EXPECT_FALSE(written_and_read(*graph)->rt_info().contains(kFixedExtents));
    graph->rt_info()[kFixedExtents] = "true";
    EXPECT_EQ(written_and_read(*graph)->rt_info().at(kFixedExtents), "true");
}

}  // namespace
}  // namespace rondo::test::graph_writer_test
