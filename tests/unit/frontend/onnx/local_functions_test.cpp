#include "frontend/onnx/local_functions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::local_functions_test {
namespace {

using test::expect_error;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr const char* kDomain = "local";

// A model whose functions are of one domain.
class OnnxLocalFunctions : public ::testing::Test {
protected:
    OnnxLocalFunctions() {
        auto& import = *model_.message().add_opset_import();
        import.set_domain(kDomain);
        import.set_version(1);
    }

    rondo_onnx::FunctionProto& function(const std::string& name,
                                        const std::vector<std::string>& inputs,
                                        const std::vector<std::string>& outputs,
                                        const std::string& domain = kDomain) {
        auto& made = *model_.message().add_functions();
        made.set_name(name);
        made.set_domain(domain);
        for (const auto& input : inputs) made.add_input(input);
        for (const auto& output : outputs) made.add_output(output);
        for (const auto& [imported, version] : {std::pair{"", 17}, std::pair{kDomain, 1}}) {
            auto& import = *made.add_opset_import();
            import.set_domain(imported);
            import.set_version(version);
        }
        return made;
    }

    static NodeBuilder node(rondo_onnx::FunctionProto& function, const std::string& op_type,
                            const std::vector<std::string>& inputs,
                            const std::vector<std::string>& outputs) {
        auto& made = *function.add_node();
        made.set_op_type(op_type);
        for (const auto& input : inputs) made.add_input(input);
        for (const auto& output : outputs) made.add_output(output);
        return NodeBuilder(made);
    }

    static void refer(rondo_onnx::FunctionProto& function, const std::string& attribute, int type,
                      const std::string& own) {
        auto& made = *function.mutable_node(function.node_size() - 1)->add_attribute();
        made.set_name(attribute);
        made.set_type(static_cast<rondo_onnx::AttributeProto::AttributeType>(type));
        made.set_ref_attr_name(own);
    }

    // y = alpha-leaky relu of x, and 2 x.
    void add_leaky() {
        auto& leaky = function("Leaky", {"a"}, {"b", "twice"});
        leaky.add_attribute("slope");
        node(leaky, "LeakyRelu", {"a"}, {"b"});
        refer(leaky, "alpha", rondo_onnx::AttributeProto::FLOAT, "slope");
        node(leaky, "Add", {"a", "a"}, {"twice"});
    }

    std::vector<float> run(const std::vector<float>& x) {
        const Tensor y = model_.run({tensor_of<float>({x.size()}, x)})[0];
        return {y.data<float>(), y.data<float>() + y.size()};
    }

    ModelBuilder model_;
};

using testing::ElementsAre;

TEST_F(OnnxLocalFunctions, ACallStandsForTheFunctionsNodes) {
    add_leaky();
    model_.input("x", f32, {2}).output("y");
    model_.node("Leaky", {"x"}, {"b", "a"}, "call").domain(kDomain).with("slope", 0.5F);
    model_.node("Add", {"a", "b"}, {"y"}, "sum");  // names that the function has too
    const auto graph = model_.read();
    check_graph(*graph);
    std::vector<std::string> names;
    for (const auto& node : graph->ordered_nodes()) names.push_back(node->name());
    EXPECT_THAT(names, testing::IsSupersetOf({"call/LeakyRelu_0", "call/Add_1", "sum"}));
    EXPECT_THAT(run({-2, 3}), ElementsAre(-5, 9));
}

TEST_F(OnnxLocalFunctions, AttributesAreTheCallersOrTheFunctionsDefaultsOrNone) {
    add_leaky();
    auto& leaky = *model_.message().mutable_functions(0);
    model_.input("x", f32, {2}).output("y");
    model_.node("Leaky", {"x"}, {"y"}, "call").domain(kDomain);
    EXPECT_THAT(run({-2, 3}), ElementsAre(-0.02F, 3));  // LeakyRelu's own default
    leaky.clear_attribute();
    auto& with_default = *leaky.add_attribute_proto();
    with_default.set_name("slope");
    with_default.set_type(rondo_onnx::AttributeProto::FLOAT);
    with_default.set_f(0.25F);
    EXPECT_THAT(run({-2, 3}), ElementsAre(-0.5F, 3));
    NodeBuilder(*model_.graph().mutable_node(0)).with("slope", 2.0F);
    EXPECT_THAT(run({-2, 3}), ElementsAre(-4, 3));
}

TEST_F(OnnxLocalFunctions, FunctionsCallEachOtherAndHandInputsOn) {
    add_leaky();
    auto& outer = function("Outer", {"p", "unused"}, {"q", "p"});
    node(outer, "Leaky", {"p"}, {"", "t"}).domain(kDomain).with("slope", 0.5F);
    node(outer, "Leaky", {"t"}, {"q"}).domain(kDomain).with("slope", 3.0F);
    model_.input("x", f32, {2}).output("y");
    model_.node("Outer", {"x"}, {"q", "same"}, "call").domain(kDomain);
    model_.node("Sub", {"q", "same"}, {"y"});
    EXPECT_THAT(run({-2, 3}), ElementsAre(-10, 3));
}

TEST_F(OnnxLocalFunctions, WhatACallOmitsIsNotHandedOn) {
    auto& hands = function("Hands", {"a", "b"}, {"c", "b"});
    node(hands, "Relu", {"a"}, {"c"});
    function("Alone", {"b"}, {"b"});
    model_.input("x", f32, {2}).output("y");
    model_.node("Hands", {"x"}, {"y", "unread"}, "call").domain(kDomain);
    model_.node("Alone", {}, {"lost"}).domain(kDomain);
    EXPECT_THAT(run({-2, 3}), ElementsAre(0, 3));
    model_.output("lost");
    expect_error<UnsupportedError>([&] { model_.read(); }, "'lost'");
}

// A megabyte, as often as it is called.
TEST_F(OnnxLocalFunctions, ConstantsOfAFunctionCountInEachCall) {
    auto& adds = function("Adds", {"a"}, {"b"});
    node(adds, "Constant", {}, {"large"}).with("value", Tensor(ElementType::u8, {1, 1U << 20}));
    node(adds, "Add", {"a", "large"}, {"b"});
    model_.input("x", ElementType::u8, {1, 1}).output("y");
    std::string last = "x";
    for (int i = 0; i < 100; ++i) {
        const std::string next = "v" + std::to_string(i);
        model_.node("Adds", {last}, {next}).domain(kDomain);
        last = next;
    }
    model_.node("Identity", {last}, {"y"});
    expect_error<ModelError>([&] { model_.read(); }, "property 'MAX_CONSTANT_BYTES'");
}

// Each call brings an If whose branches have 2,000 nodes.
TEST_F(OnnxLocalFunctions, NodesInBodiesOfAFunctionCount) {
    ModelBuilder yes, no;
    for (ModelBuilder* branch : {&yes, &no}) {
        for (int i = 0; i < 1000; ++i) branch->node("Neg", {"a"}, {"n" + std::to_string(i)});
        branch->output("n999");
    }
    auto& chooses = function("Chooses", {"a", "c"}, {"b"});
    node(chooses, "If", {"c"}, {"b"})
        .with("then_branch", yes.graph())
        .with("else_branch", no.graph());
    const rondo_onnx::FunctionProto& made = model_.message().functions(0);
    EXPECT_EQ(node_count(made), 2001U);
    EXPECT_EQ(node_count(made.node(0).attribute(0).g()), 1000U);
}

TEST_F(OnnxLocalFunctions, BodiesOfAFunctionReadItsTensors) {
    ModelBuilder yes, no;
    yes.node("Add", {"a", "inner"}, {"r"});
    yes.output("r");
    no.node("Neg", {"a"}, {"s"});
    no.output("s");
    auto& choose = function("Choose", {"a"}, {"r"});
    node(choose, "ReduceSum", {"a"}, {"sum"}).with("keepdims", 0);
    node(choose, "Sub", {"sum", "sum"}, {"zero"});
    node(choose, "Less", {"zero", "sum"}, {"is_positive"});
    node(choose, "Mul", {"a", "a"}, {"inner"});
    node(choose, "If", {"is_positive"}, {"r"})
        .with("then_branch", yes.graph())
        .with("else_branch", no.graph());
    model_.input("x", f32, {2}).output("y");
    model_.node("Choose", {"x"}, {"a"}, "first").domain(kDomain);
    model_.node("Choose", {"a"}, {"y"}, "second").domain(kDomain);
    EXPECT_THAT(run({-1, 2}), ElementsAre(0, 42));
    EXPECT_THAT(run({-1, -2}), ElementsAre(2, 6));
}

TEST_F(OnnxLocalFunctions, BodiesOfAFunctionHaveSparseTensors) {
    ModelBuilder body;
    auto& sparse = *body.graph().add_sparse_initializer();
    *sparse.mutable_values() = test::to_message("s", tensor_of<float>({1}, {5}));
    *sparse.mutable_indices() = test::to_message("", tensor_of<std::int64_t>({1}, {1}));
    sparse.add_dims(2);
    body.node("Add", {"a", "s"}, {"r"});
    body.output("r");
    auto& choose = function("Choose", {"a", "c"}, {"r"});
    node(choose, "If", {"c"}, {"r"})
        .with("then_branch", body.graph())
        .with("else_branch", body.graph());
    model_.input("x", f32, {2}).initializer("c", test::scalar_of<bool>(true)).output("y");
    model_.node("Choose", {"x", "c"}, {"y"}, "call").domain(kDomain);
    EXPECT_THAT(run({1, 2}), ElementsAre(1, 7));
}

// The call makes a tensor "call/inner" of the function's "inner", which the body must not read.
TEST_F(OnnxLocalFunctions, TheirTensorsStandForNoneOfTheCallers) {
    auto& power = function("Power", {"a"}, {"b"});
    node(power, "Mul", {"a", "a"}, {"inner"});
    node(power, "Mul", {"inner", "a"}, {"b"});
    ModelBuilder yes, no;
    yes.node("Power", {"x"}, {"cube"}, "call").domain(kDomain);
    yes.node("Add", {"cube", "call/inner"}, {"r"});
    yes.output("r");
    no.node("Neg", {"x"}, {"s"});
    no.output("s");
    model_.input("x", f32, {2}).input("c", ElementType::boolean, {}).output("y");
    model_.node("Add", {"x", "x"}, {"call/inner"});
    model_.node("If", {"c"}, {"y"})
        .with("then_branch", yes.graph())
        .with("else_branch", no.graph());
    const Tensor y = model_.run({tensor_of<float>({2}, {2, 3}), test::scalar_of<bool>(true)})[0];
    test::expect_same(y, tensor_of<float>({2}, {12, 33}));
}

TEST_F(OnnxLocalFunctions, TheirTensorsStandForNoneOfOtherCalls) {
    auto& inner = function("Inner", {"a"}, {"b"});
    node(inner, "Add", {"a", "a"}, {"t"});
    node(inner, "Neg", {"t"}, {"b"});
    auto& outer = function("Outer", {"a"}, {"b"});
    node(outer, "Mul", {"a", "a"}, {"call/t"});
    auto& call = *outer.add_node();
    call.set_op_type("Inner");
    call.set_domain(kDomain);
    call.set_name("call");
    call.add_input("a");
    call.add_output("twice");
    node(outer, "Add", {"twice", "call/t"}, {"b"});
    model_.input("x", f32, {2}).output("y");
    model_.node("Outer", {"x"}, {"out/call/t"}, "out").domain(kDomain);
    model_.node("Identity", {"out/call/t"}, {"y"});
    EXPECT_THAT(run({-1, 3}), ElementsAre(3, 3));
}

TEST_F(OnnxLocalFunctions, TakePrecedenceOverOperators) {
    auto& own = function("Relu", {"a"}, {"b"}, "");
    node(own, "Neg", {"a"}, {"b"});
    model_.input("x", f32, {2}).output("y").node("Relu", {"x"}, {"y"});
    EXPECT_THAT(run({-2, 3}), ElementsAre(2, -3));
}

TEST_F(OnnxLocalFunctions, AreFoundByTheirOverload) {
    node(function("F", {"a"}, {"b"}), "Neg", {"a"}, {"b"});
    auto& second = function("F", {"a"}, {"b"});
    second.set_overload("second");
    node(second, "Abs", {"a"}, {"b"});
    model_.input("x", f32, {2}).output("y").node("F", {"x"}, {"y"}).domain(kDomain);
    EXPECT_THAT(run({-2, 3}), ElementsAre(2, -3));
    model_.graph().mutable_node(0)->set_overload("second");
    EXPECT_THAT(run({-2, 3}), ElementsAre(2, 3));
}

TEST_F(OnnxLocalFunctions, NamesWhatIsUnsupportedInThem) {
    auto& own = function("F", {"a"}, {"b"});
    node(own, "Strange", {"a"}, {"b"});
    model_.input("x", f32, {2}).output("y").node("F", {"x"}, {"y"}).domain(kDomain);
    expect_error<UnsupportedError>([&] { model_.read(); },
                                   "1 unsupported operator: Strange (opset 17)");
}

TEST_F(OnnxLocalFunctions, RefusesBrokenCalls) {
    add_leaky();
    model_.input("x", f32, {2}).output("y");
    model_.node("Leaky", {"x"}, {"y"}, "call").domain(kDomain);
    const auto refuses = [&](auto change, const char* message) {
        ModelBuilder changed = model_;
        change(changed);
        expect_error<ModelError>([&] { changed.read(); }, message);
    };
    refuses([](auto& m) { m.graph().mutable_node(0)->add_input("x"); },
            "node 'call' (Leaky): the call has 2 inputs; the function has 1");
    refuses([](auto& m) { NodeBuilder(*m.graph().mutable_node(0)).with("alpha", 1.0F); },
            "the function has no attribute 'alpha'");
    refuses([](auto& m) { *m.message().add_functions() = m.message().functions(0); },
            "the model has two functions 'Leaky' of the domain 'local'");
    refuses([](auto& m) { m.message().mutable_functions(0)->mutable_node(0)->set_input(0, "no"); },
            "there is no tensor 'call/no'");
}

TEST_F(OnnxLocalFunctions, RefusesCallsWithoutEnd) {
    auto& own = function("F", {"a"}, {"b"});
    node(own, "F", {"a"}, {"b"}).domain(kDomain);
    model_.input("x", f32, {2}).output("y").node("F", {"x"}, {"y"}).domain(kDomain);
    expect_error<UnsupportedError>([&] { model_.read(); }, "functions call each other too deep");
}

TEST_F(OnnxLocalFunctions, RefusesCallsThatMultiply) {
    constexpr int kFunctions = 20;
    for (int i = 0; i < kFunctions; ++i) {
        auto& own = function("F" + std::to_string(i), {"a"}, {"b"});
        const std::string next = "F" + std::to_string(i + 1);
        node(own, next, {"a"}, {"t"}).domain(kDomain);
        node(own, next, {"t"}, {"u"}).domain(kDomain);
        node(own, next, {"u"}, {"b"}).domain(kDomain);
    }
    node(function("F" + std::to_string(kFunctions), {"a"}, {"b"}), "Relu", {"a"}, {"b"});
    model_.input("x", f32, {2}).output("y").node("F0", {"x"}, {"y"}).domain(kDomain);
    expect_error<UnsupportedError>([&] { model_.read(); }, "too often");
}

// 4096 nodes, of which the first 200 are named.
TEST_F(OnnxLocalFunctions, ReadingEndsWhereManyNodesAreRefused) {
    constexpr int kFunctions = 12;
    for (int i = 0; i < kFunctions; ++i) {
        auto& own = function("F" + std::to_string(i), {"a"}, {"b"});
        const std::string next = "F" + std::to_string(i + 1);
        node(own, next, {"a"}, {"t"}).domain(kDomain);
        node(own, next, {"a"}, {"u"}).domain(kDomain);
        node(own, "Add", {"t", "u"}, {"b"});
    }
    auto& last = function("F" + std::to_string(kFunctions), {"a"}, {"b"});
    node(last, "Cast", {"a"}, {"b"}).with("to", rondo_onnx::TensorProto::STRING);
    model_.input("x", f32, {2}).output("y").node("F0", {"x"}, {"y"}).domain(kDomain);
    const auto read = [&] { model_.read(); };
    expect_error<UnsupportedError>(
        read, "200 unsupported features: node 'the_F0' (F0, as Cast 'the_F0/F1_0/F2_0/");
    expect_error<UnsupportedError>(read, "; the rest isn't looked at");
}

}  // namespace
}  // namespace rondo::onnx::local_functions_test
