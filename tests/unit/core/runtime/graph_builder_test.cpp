#include "rondo/graph_builder.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/ir/composed_ops.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/core.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::graph_builder_test {
namespace {

GraphNode parameter(const std::string& name, const std::string& shape = "2,3") {
    return make_node(
        {"Parameter", "opset1", name, {}, {{"shape", shape}, {"element_type", "f32"}}});
}

GraphNode unary(const std::string& type, const GraphNode& x, const std::string& name) {
    return make_node({type, "opset15", name, {x.output(0)}});
}

Tensor run(const Model& model, const Tensor& x) {
    auto request = Core().compile_model(model, "REFERENCE").create_infer_request();
    request.set_tensor(model.inputs()[0].any_name(), x);
    request.infer();
    return request.get_output_tensor(0);
}

TEST(GraphBuilder, MakesAModelThatRuns) {
    const GraphNode x = parameter("x");
    const GraphNode w = make_constant(tensor_of<float>({1, 3}, {1, 2, 3}), "w");
    const GraphNode y = make_node(
        {"matmul", "opset13", "y", {x.output(0), w.output(0)}, {{"transpose_b", "true"}}});
    EXPECT_EQ(to_string(y.output(0).shape()), "[2,1]");
    EXPECT_EQ(y.type(), "MatMul");
    EXPECT_EQ(y.attributes().back(), (std::pair<std::string, std::string>{"transpose_b", "true"}));
    const Model model = make_model({"m", {x}, {y.output(0)}});
    EXPECT_EQ(model.outputs()[0].any_name(), "y");
    expect_near(run(model, tensor_of<float>({2, 3}, {1, 1, 1, 2, 0, 0})),
                tensor_of<float>({2, 1}, {6, 2}), 0);
}

TEST(GraphBuilder, ResultsNameTheirOutputs) {
    const GraphNode x = parameter("x");
    const GraphNode y = unary("ReLU", x, "relu");
    const GraphNode plain = unary("Exp", x, "exp");
    const auto result = [](const std::string& name, const GraphNode& node) {
        return make_node({"Result", "opset1", name, {node.output(0)}}).output(0);
    };
    const Model model = make_model(
        {"m",
         {x},
         {result("y", y), result("other", y), result("in", x), result("exp/sink_port_0", plain)}});
    std::vector<std::string> names;
    for (const PortInfo& port : model.outputs()) names.push_back(port.any_name());
    EXPECT_EQ(names, (std::vector<std::string>{"y", "y", "x", "exp"}));
    EXPECT_EQ(model.inputs()[0].any_name(), "x");
}

TEST(GraphBuilder, ComposesOpsAsTheReaderDoes) {
    const GraphNode x = parameter("x");
    const GraphNode bounded =
        make_node({"Clamp", "opset1", "bounded", {x.output(0)}, {{"min", "0"}, {"max", "1"}}});
    EXPECT_EQ(bounded.name(), "bounded");
    expect_near(run(make_model({"m", {x}, {bounded.output(0)}}),
                    tensor_of<float>({2, 3}, {-1, 0.5, 2, 0, 1, 7})),
                tensor_of<float>({2, 3}, {0, 0.5, 1, 0, 1, 1}), 0);
}

TEST(GraphBuilder, KnowsEveryOpThatAnIrMayHold) {
    std::set<std::string> known;
    for (const OpInfo& op : known_ops()) known.insert(op.type + "-" + op.opset);
    for (const ops::OpEntry& op : ops::op_list()) {
        EXPECT_TRUE(known.contains(std::string(op.type->name) + "-" + op.type->opset_name()));
    }
    for (const OpType& type : ir::composed_op_types()) {
        EXPECT_TRUE(known.contains(std::string(type.name) + "-" + type.opset_name()));
    }
    EXPECT_EQ(known.size(), ops::op_list().size() + ir::composed_op_types().size());
}

TEST(GraphBuilder, RefusesByTheNodesName) {
    const GraphNode x = parameter("x");
    const std::vector<GraphOutput> inputs{x.output(0), x.output(0)};
    expect_error<UnsupportedError>(
        [&] {
            make_node({"Nothing", "opset1", "n", inputs});
        },
        "no op 'Nothing' (opset1)");
    expect_error<UnsupportedError>(
        [&] {
            make_node({"LSTMSequence", "opset1", "n", inputs});
        },
        "known in opset5 and later");
    expect_error<ModelError>(
        [&] {
            make_node({"MatMul", "opset1", "n", inputs});
        },
        "node 'n' (MatMul): ");
    expect_error<UnsupportedError>(
        [&] {
            make_node({"Add", "opset1", "n", inputs, {{"colour", "red"}}});
        },
        "node 'n' (Add): attribute 'colour' (\"red\") is not known for this op");
    expect_error<ModelError>([&] { make_node({"Const", "opset1", "c"}); }, "make_constant() makes");
    expect_error<ModelError>([&] { make_node({"If", "opset8", "i"}); }, "make_body_node() makes");
    expect_error<ModelError>([] { make_constant({}, "c"); },
                             "node 'c' (Const): the tensor is empty");
    expect_error<ModelError>([] { make_body_node({"Add", "a"}); }, "this is not an op with bodies");
    expect_error<ModelError>([] { make_body_node({"Loop", "l"}); }, "got 0 bodies; expected 1");
    expect_error<ModelError>([&] { x.output(1); },
                             "node 'x' (Parameter) has no output 1; there are 1");
    expect_error<ModelError>([&] { x.input(0); }, "has no input 0; there are 0");
    expect_error<ModelError>([] { (void)GraphNode().name(); }, "the node is empty");
}

TEST(GraphBuilder, RefusesModelsThatLackSomething) {
    const GraphNode x = parameter("x");
    const GraphNode y = unary("Exp", parameter("y"), "e");
    expect_error<ModelError>([&] { make_model({"m", {x}, {}}); }, "needs a result or a sink");
    expect_error<ModelError>(
        [&] {
            make_model({"m", {x}, {y.output(0)}});
        },
        "node 'y' (Parameter) is needed, but isn't among the model's");
    expect_error<ModelError>([&] { make_model({"m", {x, x}, {x.output(0)}}); }, "is given twice");
    expect_error<ModelError>(
        [&] {
            make_model({"m", {y}, {y.output(0)}});
        },
        "is not of type Parameter");
}

// Whether a variable's Assign is given as a sink or only needed by a result.
TEST(GraphBuilder, VariablesArePairs) {
    const GraphNode x = parameter("x");
    const auto assign = [&](const GraphNode& value) {
        return make_node({"Assign", "opset6", "assign", {value.output(0)}, {{"variable_id", "v"}}});
    };
    const GraphNode alone = assign(x);
    const char* message = "node 'assign' (Assign): variable 'v' is never read";
    expect_error<ModelError>([&] { make_model({"m", {x}, {x.output(0)}, {alone}}); }, message);
    expect_error<ModelError>([&] { make_model({"m", {x}, {alone.output(0)}}); }, message);
    const GraphNode read =
        make_node({"ReadValue",
                   "opset6",
                   "read",
                   {},
                   {{"variable_id", "v"}, {"variable_type", "f32"}, {"variable_shape", "2,3"}}});
    const GraphNode sum = make_node({"Add", "opset1", "sum", {x.output(0), read.output(0)}});
    const Model model = make_model({"m", {x}, {assign(sum).output(0)}});
    ASSERT_EQ(sink_nodes(model).size(), 1u);
    EXPECT_EQ(sink_nodes(model)[0].name(), "assign");
    auto request = Core().compile_model(model, "CPU").create_infer_request();
    for (const float expected : {1.f, 2.f}) {
        request.set_tensor("x", tensor_of<float>({2, 3}, {1, 1, 1, 1, 1, 1}));
        request.infer();
        EXPECT_EQ(request.get_output_tensor(0).data<float>()[0], expected);
    }
}

TEST(GraphBuilder, RunsBodies) {
    const GraphNode part = parameter("part", "1,3");
    const GraphNode sum = parameter("sum", "1,3");
    const GraphNode next = make_node({"Add", "opset1", "next", {part.output(0), sum.output(0)}});
    const Model body = make_model({"body", {part, sum}, {next.output(0)}});
    const GraphNode x = parameter("x");
    const GraphNode start = make_constant(tensor_of<float>({1, 3}, {0, 0, 0}), "start");
    BodyNodeParts parts{"TensorIterator",
                        "t",
                        {x.output(0), start.output(0)},
                        {{body, {{0, 0, BodyRange{0, 0, 1, 1, -1}, {}}, {1, 1, {}, 0}}, {}}}};
    parts.bodies[0].outputs = {{0, 0, {}}};
    const GraphNode loop = make_body_node(parts);
    EXPECT_EQ(loop.output_count(), 1u);
    parts.bodies[0].outputs.push_back({1, 0, BodyRange{}});
    change_body_node(loop, parts);
    EXPECT_EQ(to_string(loop.output(1).shape()), "[2,3]");
    ASSERT_EQ(node_bodies(loop).size(), 1u);
    EXPECT_EQ(node_bodies(loop)[0].to_text(), body.to_text());
    EXPECT_TRUE(node_bodies(x).empty());
    const Model model = make_model({"m", {x}, {loop.output(0), loop.output(1)}});
    expect_near(run(model, tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6})),
                tensor_of<float>({1, 3}, {5, 7, 9}), 0);
}

TEST(GraphBuilder, NodesOfAModelMakeAnother) {
    const GraphNode x = parameter("x");
    const Model first = make_model({"m", {x}, {unary("Exp", x, "same").output(0)}});
    GraphNode exp = result_nodes(first)[0].input(0).node();
    exp.set_name("same");
    const GraphNode twin = unary("Abs", exp, "same");
    const Model second = make_model({"n", parameter_nodes(first), {twin.output(0)}});
    const auto nodes = graph_nodes(second);
    ASSERT_EQ(nodes.size(), 4u);
    EXPECT_EQ(nodes[1].name(), "same");
    EXPECT_EQ(nodes[2].name(), "same_1");
    EXPECT_TRUE(sink_nodes(second).empty());
    GraphOutput out = nodes[2].output(0);
    out.set_names({"b", "a"});
    EXPECT_EQ(second.outputs()[0].names, (std::vector<std::string>{"a", "b"}));
}

TEST(GraphBuilder, ReadersMoveToAnotherOutput) {
    const GraphNode x = parameter("x");
    GraphOutput first = x.output(0);
    first.set_names({"first"});
    const GraphNode y = unary("Abs", x, "y");
    const GraphNode z = parameter("z");
    const GraphNode shifted = unary("Negative", z, "shifted");
    GraphOutput second = shifted.output(0);
    second.set_names({"second"});
    move_readers(first, second);
    EXPECT_EQ(y.input(0), second);
    EXPECT_EQ(first.names(), std::vector<std::string>{"first"});
    EXPECT_EQ(second.names(), std::vector<std::string>{"second"});
    EXPECT_EQ(make_model({"m", {z}, {y.output(0)}}).inputs().size(), 1u);
    expect_error<ModelError>([&] { move_readers(second, parameter("w", "2,4").output(0)); },
                             "node 'shifted' (Negative) can't read node 'w' (Parameter), of "
                             "another type or shape");
}

}  // namespace
}  // namespace rondo::test::graph_builder_test
