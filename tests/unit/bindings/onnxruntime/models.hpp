// Models for the plugin's tests.
#pragma once

#include <map>
#include <string>

#include "rondo/core.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {

/// Tensors as W and R of an LSTM of 8 units.
inline Tensor lstm_weights(std::size_t columns) {
    Rng rng(columns);
    return random_tensor(ElementType::f32, {1, 32, columns}, rng, -0.5, 0.5);
}

/// Adds W, R and an LSTM from `x` to `y`: [T,1,N,8].
inline void add_lstm(ModelBuilder& model, const std::string& x, const std::string& y,
                     const std::string& name, std::size_t inputs = 4) {
    model.initializer(name + "_W", lstm_weights(inputs));
    model.initializer(name + "_R", lstm_weights(8));
    model.node("LSTM", {x, name + "_W", name + "_R"}, {y, "", ""}, name).with("hidden_size", 8);
}

/// x [T,N,4] -> LSTM -> Squeeze -> Relu -> out [T,N,8].
inline ModelBuilder lstm_model() {
    ModelBuilder model;
    model.input("x", ElementType::f32, {Dimension(), Dimension(), 4});
    add_lstm(model, "x", "y", "layer");
    model.initializer("axis", tensor_of<std::int64_t>({1}, {1}));
    model.node("Squeeze", {"y", "axis"}, {"z"});
    model.node("Relu", {"z"}, {"out"});
    model.output("out");
    return model;
}

/// One step of an LSTM, written out: x [1,4], h [1,8], c [1,8] -> next_h [1,8], next_c [1,8].
inline ModelBuilder lstm_step_model() {
    ModelBuilder model;
    Rng rng(3);
    model.input("x", ElementType::f32, {1, 4});
    for (const auto* state : {"h", "c"}) model.input(state, ElementType::f32, {1, 8});
    model.initializer("W", random_tensor(ElementType::f32, {4, 32}, rng, -0.5, 0.5));
    model.initializer("R", random_tensor(ElementType::f32, {8, 32}, rng, -0.5, 0.5));
    model.node("MatMul", {"x", "W"}, {"from_x"});
    model.node("MatMul", {"h", "R"}, {"from_h"});
    model.node("Add", {"from_x", "from_h"}, {"sums"});
    model.node("Split", {"sums"}, {"i_sum", "f_sum", "g_sum", "o_sum"}).with("axis", 1);
    for (const std::string gate : {"i", "f", "o"}) model.node("Sigmoid", {gate + "_sum"}, {gate});
    model.node("Tanh", {"g_sum"}, {"g"});
    model.node("Mul", {"f", "c"}, {"kept"});
    model.node("Mul", {"i", "g"}, {"new"});
    model.node("Add", {"kept", "new"}, {"next_c"});
    model.node("Tanh", {"next_c"}, {"squashed"});
    model.node("Mul", {"o", "squashed"}, {"next_h"});
    for (const auto* output : {"next_h", "next_c"}) model.output(output);
    return model;
}

/// The input of lstm_model().
inline Tensor sequence(std::size_t steps, std::size_t rows, int seed = 1) {
    Rng rng(static_cast<std::uint64_t>(seed));
    return random_tensor(ElementType::f32, {steps, rows, 4}, rng);
}

/// x -> LSTM -> Twice, which Rondo doesn't know -> LSTM -> out
inline ModelBuilder divided_model() {
    ModelBuilder model;
    auto& imported = *model.message().add_opset_import();
    imported.set_domain("test");
    imported.set_version(1);
    model.input("x", ElementType::f32, {Dimension(), Dimension(), 4});
    add_lstm(model, "x", "y", "first");
    model.initializer("axis", tensor_of<std::int64_t>({1}, {1}));
    model.node("Squeeze", {"y", "axis"}, {"z"});
    model.node("Twice", {"z"}, {"w"}).domain("test");
    add_lstm(model, "w", "v", "second", 8);
    model.node("Relu", {"v"}, {"out"});
    model.output("out");
    return model;
}

/// An If between x and out: a branch with an LSTM whose weights are the main graph's, and one that
/// has an operator of the tests.
inline ModelBuilder branching_model(bool is_supported) {
    ModelBuilder then_branch;
    then_branch.node("LSTM", {"x", "layer_W", "layer_R"}, {"y", "", ""}).with("hidden_size", 8);
    then_branch.initializer("axis", tensor_of<std::int64_t>({1}, {1}));
    then_branch.node("Squeeze", {"y", "axis"}, {"chosen"});
    then_branch.output("chosen");
    ModelBuilder else_branch;
    auto twice = else_branch.node(is_supported ? "Neg" : "Twice", {"other"}, {"another"});
    if (!is_supported) twice.domain("test");
    else_branch.output("another");

    ModelBuilder model;
    auto& imported = *model.message().add_opset_import();
    imported.set_domain("test");
    imported.set_version(1);
    model.input("x", ElementType::f32, {Dimension(), Dimension(), 4});
    model.input("other", ElementType::f32, {Dimension(), Dimension(), 8});
    model.input("choice", ElementType::boolean, Shape{});
    model.initializer("layer_W", lstm_weights(4));
    model.initializer("layer_R", lstm_weights(8));
    model.node("If", {"choice"}, {"out"})
        .with("then_branch", then_branch.graph())
        .with("else_branch", else_branch.graph());
    model.output("out");
    return model;
}

using Tensors = std::map<std::string, Tensor>;

/// Rondo's own inference of the model.
inline Tensors run_alone(const ModelBuilder& model, const Tensors& inputs) {
    const auto bytes = model.bytes();
    auto compiled = Core().compile_model(Core().read_model(bytes.data(), bytes.size()));
    auto request = compiled.create_infer_request();
    for (const auto& [name, value] : inputs) request.set_tensor(name, value);
    request.infer();
    Tensors outputs;
    for (const auto& port : compiled.outputs()) {
        outputs[port.any_name()] = request.get_tensor(port.any_name());
    }
    return outputs;
}

}  // namespace rondo::test
