#include "frontend/onnx/ops/recurrent/recurrent.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/ops/recurrent/onnx_recurrent.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::onnx::recurrent_test {
namespace {

using test::expect_error;
using test::ModelBuilder;
using test::OnnxRecurrent;

OnnxRecurrent small(const std::string& op_type = "LSTM") {
    auto rng = test::test_rng();
    OnnxRecurrent node{.op_type = op_type};
    node.fill(rng, true);
    return node;
}

// Removes an attribute of the model's first node.
void drop_attribute(ModelBuilder& model, const std::string& name) {
    auto& attributes = *model.graph().mutable_node(0)->mutable_attribute();
    for (int i = attributes.size() - 1; i >= 0; --i) {
        if (attributes[i].name() == name) attributes.DeleteSubrange(i, 1);
    }
}

TEST(OnnxRecurrent, FindsAMissingHiddenSizeInR) {
    for (const char* op_type : {"LSTM", "GRU", "RNN"}) {
        const auto node = small(op_type);
        auto model = node.model();
        drop_attribute(model, "hidden_size");
        test::expect_near(model.run(node.inputs()).at(0), node.expected().at(0), 1e-5);
    }
}

// Everything is an input, and nothing says how long any axis is.
ModelBuilder without_sizes(const OnnxRecurrent& node) {
    auto model = node.model(14, true);
    drop_attribute(model, "hidden_size");
    for (auto& input : *model.graph().mutable_input()) {
        auto& shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
        int number = 0;
        for (auto& dim : *shape.mutable_dim()) {
            dim.set_dim_param(input.name() + std::to_string(number++));
        }
    }
    return model;
}

TEST(OnnxRecurrent, FollowsRWhereNothingElseSaysTheHiddenSize) {
    auto rng = test::test_rng();
    for (const char* op_type : {"LSTM", "GRU", "RNN"}) {
        for (const char* direction : {"forward", "bidirectional"}) {
            for (const int options : {0, 1, 2, 3}) {
                OnnxRecurrent node{.op_type = op_type, .direction = direction};
                node.linear_before_reset = (options & 1) != 0 && node.op_type == "GRU";
                node.layout = (options & 1) != 0;
                node.fill(rng, (options & 2) != 0);
                SCOPED_TRACE(node.op_type + " " + direction + " " + std::to_string(options));
                node.check_model(without_sizes(node), node.inputs(true));
            }
        }
    }
}

// One compiled model serves layers of different sizes.
TEST(OnnxRecurrent, FollowsRFromRunToRun) {
    auto rng = test::test_rng();
    for (const char* op_type : {"LSTM", "GRU", "RNN"}) {
        OnnxRecurrent node{.op_type = op_type};
        node.fill(rng, true);
        const auto graph = without_sizes(node).read();
        EXPECT_NE(to_text(*graph).find("Sequence-rondo1("), std::string::npos);
        auto cpu = test::on_cpu(*graph);
        auto reference = test::on_reference(*graph);
        for (const std::size_t h : {3, 17, 64, 3}) {
            node.h = h;
            node.fill(rng, true);
            const Tensor expected = node.expected().at(0);
            test::expect_near(cpu.run(node.inputs(true)).at(0), expected, 1e-5);
            test::expect_near(reference.run(node.inputs(true)).at(0), expected, 1e-5);
        }
        auto inputs = node.inputs(true);
        inputs[2] = Tensor(ElementType::f32, {1, node.gates() * 4, 3});
        expect_error<ModelError>([&] { cpu.run(inputs); }, "R has shape");
        expect_error<ModelError>([&] { reference.run(inputs); }, "R has shape");
        inputs[2] = Tensor(ElementType::f32, {1, 0, 0});
        expect_error<ModelError>([&] { cpu.run(inputs); }, "R has shape [1,0,0]");
    }
}

TEST(OnnxRecurrent, TakesAMissingHiddenSizeFromOtherInputs) {
    auto rng = test::test_rng();
    OnnxRecurrent node{.op_type = "LSTM"};
    node.fill(rng, true);
    auto model = node.model(14, true);
    drop_attribute(model, "hidden_size");
    auto& type = *model.graph().mutable_input(2)->mutable_type()->mutable_tensor_type();
    type.mutable_shape()->mutable_dim(2)->set_dim_param("H");
    EXPECT_NE(to_text(*model.read()).find("hidden_size=3"), std::string::npos);
    node.check_model(model, node.inputs(true));
}

TEST(OnnxRecurrent, RefusesShapesThatContradictTheHiddenSize) {
    const std::string place = "model.onnx: node 'the_LSTM' (LSTM): ";
    const auto refused = [&](const char* what, auto change) {
        auto node = small();
        change(node);
        expect_error<ModelError>([&] { node.model().read(); }, place + what);
    };
    const auto zeros = [](const Shape& shape) { return Tensor(ElementType::f32, shape); };
    refused("hidden_size is 3 but R has shape [1,16,4]; expected [1,12,3]", [&](auto& node) {
        node.r = zeros({1, 16, 4});
    });
    refused("hidden_size is 3 but W has shape [1,9,2]; expected [1,12,?]", [&](auto& node) {
        node.w = zeros({1, 9, 2});
    });
    refused("hidden_size is 3 but B has shape [1,12]; expected [1,24]", [&](auto& node) {
        node.b = zeros({1, 12});
    });
    refused("num_directions is 1 but initial_h has shape [2,2,3]; expected [1,2,3]",
            [&](auto& node) {
                node.initial_h = zeros({2, 2, 3});
            });
    refused("hidden_size is 3 but initial_c has shape [1,4,3]; expected [1,2,3]", [&](auto& node) {
        node.initial_c = zeros({1, 4, 3});
    });
    refused("num_directions is 1 but R has shape [2,12,3]; expected [1,12,3]", [&](auto& node) {
        node.r = zeros({2, 12, 3});
    });
}

TEST(OnnxRecurrent, RefusesOtherShapes) {
    auto node = small();
    node.x = Tensor(ElementType::f32, {3, 2});
    expect_error<ModelError>([&] { node.model().read(); }, "X has shape [3,2]; expected [?,?,?]");
    auto model = small().model();
    auto& lengths = *model.graph().mutable_input(1)->mutable_type()->mutable_tensor_type();
    lengths.mutable_shape()->mutable_dim(0)->set_dim_value(5);
    expect_error<ModelError>([&] { model.read(); }, "sequence_lens has shape [5]; expected [2]");
    auto narrow = small();
    narrow.w = Tensor(ElementType::f32, {1, 12, 5});  // X has 2 elements a step
    expect_error<ModelError>([&] { narrow.model().read(); },
                             "X has shape [3,2,2] but W has shape [1,12,5]; expected [1,12,2]");
}

TEST(OnnxRecurrent, RefusesMissingInputs) {
    const char* const names[] = {"X", "W", "R"};
    for (int i = 0; i < 3; ++i) {
        auto model = small().model();
        model.graph().mutable_node(0)->set_input(i, "");
        expect_error<ModelError>([&] { model.read(); }, "node 'the_LSTM' (LSTM): input " +
                                                            std::to_string(i) + " (" + names[i] +
                                                            ") is missing");
    }
}

// layout came with opset 14; before, it is an unknown attribute.
TEST(OnnxRecurrent, RefusesLayoutInOldOpsets) {
    auto node = small();
    node.layout = true;
    expect_error<UnsupportedError>([&] { node.model(13).read(); },
                                   "attribute 'layout' is not known for this operator");
    auto model = node.model();
    for (auto& attribute : *model.graph().mutable_node(0)->mutable_attribute()) {
        if (attribute.name() == "layout") attribute.set_i(2);
    }
    expect_error<ModelError>([&] { model.read(); }, "attribute 'layout' is 2; expected 0 or 1");
}

// With 0, the default, Y may be left out; a node that names it gets it.
TEST(OnnxRecurrent, TakesOutputSequenceOfTheFirstOpsets) {
    for (const char* op_type : {"LSTM", "GRU", "RNN"}) {
        const auto node = small(op_type);
        for (const std::int64_t opset : {1, 6}) {
            for (const int value : {0, 1}) {
                auto model = node.model(opset);
                test::NodeBuilder(*model.graph().mutable_node(0)).with("output_sequence", value);
                node.check_model(model, node.inputs());
            }
        }
    }
}

TEST(OnnxRecurrent, RefusesOutputSequenceElsewhere) {
    const auto with = [](std::int64_t opset, int value) {
        auto model = small("GRU").model(opset);
        test::NodeBuilder(*model.graph().mutable_node(0)).with("output_sequence", value);
        model.read();
    };
    expect_error<UnsupportedError>([&] { with(7, 1); },
                                   "attribute 'output_sequence' is not known for this operator");
    expect_error<ModelError>([&] { with(3, 2); },
                             "attribute 'output_sequence' is 2; expected 0 or 1");
}

TEST(OnnxRecurrent, RefusesMixedAndOtherTypes) {
    const auto refused = [&](const char* what, auto change) {
        auto node = small();
        change(node);
        expect_error<ModelError>([&] { node.model().read(); },
                                 std::string("node 'the_LSTM' (LSTM): ") + what);
    };
    const auto f16 = [](Tensor& tensor) { tensor = test::converted(tensor, ElementType::f16); };
    refused("W has type f16; expected f32 as X has", [&](auto& node) { f16(node.w); });
    refused("B has type f16; expected f32 as X has", [&](auto& node) { f16(node.b); });
    refused("initial_c has type f16; expected f32 as X has",
            [&](auto& node) { f16(node.initial_c); });
    refused("P has type f16; expected f32 as X has", [&](auto& node) { f16(node.p); });
    refused("X has type i32; expected f32, f64, f16 or bf16",
            [&](auto& node) { node.x = test::converted(node.x, ElementType::i32); });
    auto model = small().model();
    auto& lengths = *model.graph().mutable_input(1)->mutable_type()->mutable_tensor_type();
    lengths.set_elem_type(test::to_onnx(ElementType::f32));
    expect_error<ModelError>([&] { model.read(); },
                             "sequence_lens has type f32; expected i32 or i64");
}

// What replaces omitted inputs must follow X: neither time nor batch may be frozen.
TEST(OnnxRecurrent, TakesAnyTimeAndBatchWhereTheyAreOpen) {
    auto rng = test::test_rng();
    OnnxRecurrent node{.op_type = "LSTM", .direction = "bidirectional"};
    node.fill(rng, false);
    auto model = node.model();
    auto& shape =
        *model.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
    shape.mutable_dim(0)->set_dim_param("T");
    shape.mutable_dim(1)->set_dim_param("N");
    for (const auto& [t, n] : {std::pair<std::size_t, std::size_t>{3, 2}, {5, 1}, {1, 4}}) {
        node.t = t;
        node.n = n;
        node.x = test::random_tensor(ElementType::f32, {t, n, node.i}, rng);
        node.check_model(model, {node.x});
    }
}

TEST(OnnxRecurrent, TakesHugeZeroBiasesAsTheyCome) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {1, 1, 1}).output("y");
    model.input("w", ElementType::f32, {1, Dimension(), 1});
    model.input("r", ElementType::f32, {1, Dimension(), Dimension()});
    model.node("RNN", {"x", "w", "r"}, {"y"}).with("hidden_size", 1 << 30);
    EXPECT_NO_THROW(model.read());  // and allocates no gigabytes
}

TEST(OnnxRecurrent, RefusesHiddenSizesOutOfBounds) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {1, 1, 1}).output("y");
    model.input("w", ElementType::f32, {1, Dimension(), 1});
    model.input("r", ElementType::f32, {1, Dimension(), Dimension()});
    model.node("RNN", {"x", "w", "r"}, {"y"}).with("hidden_size", std::int64_t{1} << 62);
    expect_error<ModelError>([&] { model.read(); },
                             "hidden_size is 4611686018427387904; expected 1 to");
}

}  // namespace
}  // namespace rondo::onnx::recurrent_test
