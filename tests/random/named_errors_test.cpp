// Errors of runs whose nodes passes have made of others: each first names a node of the file.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "rondo/rondo.hpp"
#include "tests/random/inject_faults.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test::named_errors_test {
namespace {

constexpr ElementType kF32 = ElementType::f32;
constexpr ElementType kI64 = ElementType::i64;

Tensor zeros(const Shape& shape) {
    return tensor_of<float>(shape, std::vector<float>(element_count(shape)));
}

PartialShape open(std::size_t rank) { return PartialShape(std::vector<Dimension>(rank)); }

// Both devices refuse the inputs, and name what the file has.
void expect_named(const ModelBuilder& model, const std::vector<NamedTensor>& inputs) {
    RandomModel random;
    random.bytes = model.bytes();
    random.inputs = {inputs};
    const FaultReport report = report_of_faults(random);
    EXPECT_EQ(report.failure, "");
    EXPECT_EQ(report.errors_of_runs, 2);
}

std::string sum_of_products(ModelBuilder& model, const std::string& x, const std::string& h) {
    model.node("MatMul", {x, "W"}, {"from_x"}, "product_of_x");
    model.node("MatMul", {h, "R"}, {"from_h"}, "product_of_h");
    model.node("Add", {"from_x", "from_h"}, {"sum"}, "sum_of_both");
    return "sum";
}

// One step of an LSTM, as torch.nn.LSTMCell is exported, with three units.
ModelBuilder lstm_cell() {
    ModelBuilder model;
    model.input("x", kF32, {Dimension(), 2}).input("h", kF32, {Dimension(), 3});
    model.input("c", kF32, {Dimension(), 3});
    model.initializer("W", zeros({2, 12})).initializer("R", zeros({3, 12}));
    model.initializer("sizes", tensor_of<std::int64_t>({4}, {3, 3, 3, 3}));
    const std::string sum = sum_of_products(model, "x", "h");
    model.node("Split", {sum, "sizes"}, {"i", "f", "g", "o"}, "gates").with("axis", 1);
    for (const std::string gate : {"i", "f", "o"}) {
        model.node("Sigmoid", {gate}, {gate + "_open"}, "sigmoid_" + gate);
    }
    model.node("Tanh", {"g"}, {"g_new"}, "tanh_g");
    model.node("Mul", {"f_open", "c"}, {"kept"}, "keep");
    model.node("Mul", {"i_open", "g_new"}, {"added"}, "add_new");
    model.node("Add", {"kept", "added"}, {"next_c"}, "new_state");
    model.node("Tanh", {"next_c"}, {"tanh_c"}, "tanh_of_state");
    model.node("Mul", {"o_open", "tanh_c"}, {"next_h"}, "new_output");
    return std::move(model.output("next_h").output("next_c"));
}

TEST(NamedErrors, OfCellsWhoseStatesHaveOtherRowsThanX) {
    expect_named(lstm_cell(), {{"x", zeros({2, 2})}, {"h", zeros({3, 3})}, {"c", zeros({3, 3})}});
    expect_named(lstm_cell(), {{"x", zeros({3, 2})}, {"h", zeros({3, 3})}, {"c", zeros({2, 3})}});
    expect_named(lstm_cell(), {{"x", zeros({4, 2})}, {"h", zeros({2, 3})}, {"c", zeros({4, 3})}});
}

TEST(NamedErrors, OfLayersWhoseStatesHaveOtherRowsThanX) {
    ModelBuilder model;
    model.input("x", kF32, open(3)).input("h", kF32, open(3));
    model.input("lengths", ElementType::i32, open(1));
    model.initializer("W", zeros({1, 9, 2})).initializer("R", zeros({1, 9, 3}));
    model.node("GRU", {"x", "W", "R", "", "lengths", "h"}, {"y", "y_h"}, "layer")
        .with("hidden_size", 3);
    model.output("y").output("y_h");
    const auto lengths = [](std::vector<std::int32_t> values) {
        return tensor_of<std::int32_t>({values.size()}, values);
    };
    const Tensor x = zeros({4, 2, 2}), h = zeros({1, 2, 3});
    expect_named(model, {{"x", x}, {"h", zeros({1, 3, 3})}, {"lengths", lengths({4, 4})}});
    expect_named(model, {{"x", x}, {"h", h}, {"lengths", lengths({4, -1})}});
    expect_named(model, {{"x", x}, {"h", h}, {"lengths", lengths({5, 4})}});
    expect_named(model, {{"x", x}, {"h", h}, {"lengths", lengths({4})}});
}

std::string error_of_run(CompiledModel compiled, const std::vector<NamedTensor>& inputs) {
    auto request = compiled.create_infer_request();
    for (const auto& [name, value] : inputs) request.set_tensor(name, value);
    try {
        request.infer();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(NamedErrors, OfAnImportedModelAreThoseOfTheExportedOne) {
    const std::vector<NamedTensor> inputs{
        {"x", zeros({2, 2})}, {"h", zeros({3, 3})}, {"c", zeros({3, 3})}};
    const std::string bytes = lstm_cell().bytes();
    const Core core;
    for (const char* device : {"CPU", "REFERENCE"}) {
        auto compiled = core.compile_model(core.read_model(bytes.data(), bytes.size()), device);
        std::stringstream stream;
        compiled.export_model(stream);
        const std::string expected = error_of_run(compiled, inputs);
        EXPECT_NE(expected, "");
        EXPECT_EQ(error_of_run(core.import_model(stream, device), inputs), expected);
    }
}

// Carries a state h, to which each iteration adds `step`, and a list that it makes longer by the
// state. The list has no rows at first.
ModelBuilder growing_loop() {
    ModelBuilder body;
    body.input("i", kI64, {}).input("goes_on", ElementType::boolean, {});
    body.input("h", kF32, PartialShape()).input("list", kF32, PartialShape());
    body.initializer("first", tensor_of<std::int64_t>({1}, {0}));
    body.node("Identity", {"goes_on"}, {"goes_on_too"}, "keep_going");
    body.node("Add", {"h", "step"}, {"next"}, "new_state");
    body.node("Unsqueeze", {"next", "first"}, {"row"}, "as_row");
    body.node("Concat", {"list", "row"}, {"longer"}, "append").with("axis", 0);
    body.output("goes_on_too").output("next").output("longer");
    ModelBuilder model;
    model.input("n", kI64, {}).input("h0", kF32, open(1)).input("step", kF32, open(1));
    model.input("start", kF32, {0, Dimension()});
    model.node("Loop", {"n", "", "h0", "start"}, {"h_n", "all"}, "/Loop")
        .with("body", body.graph());
    return std::move(model.output("h_n").output("all"));
}

TEST(NamedErrors, OfLoopsThatJoinRowsToNone) {
    const auto expect_refused = [](std::size_t h, std::size_t width, std::size_t step) {
        expect_named(growing_loop(), {{"n", scalar_of<std::int64_t>(3)},
                                      {"h0", zeros({h})},
                                      {"step", zeros({step})},
                                      {"start", zeros({0, width})}});
    };
    expect_refused(2, 3, 2);
    expect_refused(1, 1, 2);
    expect_refused(2, 2, 3);
}

// No machine has so much memory.
TEST(NamedErrors, OfSizesThatTakeTooMuch) {
    ModelBuilder model;
    model.input("shape", kI64, {2});
    model.node("ConstantOfShape", {"shape"}, {"zeros"}, "fill");
    model.node("Relu", {"zeros"}, {"y"}, "activate");
    model.output("y");
    const std::int64_t extent = std::int64_t{1} << 28;
    expect_named(model, {{"shape", tensor_of<std::int64_t>({2}, {extent, extent})}});
}

}  // namespace
}  // namespace rondo::test::named_errors_test
