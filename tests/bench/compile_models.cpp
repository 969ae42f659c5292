#include "tests/bench/compile_models.hpp"

#include <algorithm>

#include "tests/bench/random_floats.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::cpu::bench {
namespace {

using rondo::test::ModelBuilder;

constexpr std::int64_t kModelTime = 100;

Tensor random_weights(std::int64_t directions, std::int64_t rows, std::int64_t columns = 0) {
    Shape shape = {static_cast<std::size_t>(directions), static_cast<std::size_t>(rows)};
    if (columns > 0) shape.push_back(static_cast<std::size_t>(columns));
    Tensor tensor(ElementType::f32, shape);
    const auto values = random_floats(static_cast<std::int64_t>(tensor.size()));
    std::copy(values.begin(), values.end(), tensor.data<float>());
    return tensor;
}

// The way exporters write a layer: Y, with both directions side by side. Returns the output's name.
std::string add_layer(ModelBuilder& model, const ModelSizes& sizes, const std::string& x,
                      std::int64_t input, const std::string& name) {
    const std::int64_t directions = sizes.both_directions ? 2 : 1;
    const std::int64_t rows = (std::string(sizes.op) == "LSTM" ? 4 : 3) * sizes.hidden;
    model.initializer(name + "_W", random_weights(directions, rows, input));
    model.initializer(name + "_R", random_weights(directions, rows, sizes.hidden));
    model.initializer(name + "_B", random_weights(directions, 2 * rows));
    model.node(sizes.op, {x, name + "_W", name + "_R", name + "_B"}, {name + "_Y"}, name)
        .with("hidden_size", sizes.hidden)
        .with("direction", sizes.both_directions ? "bidirectional" : "forward");
    model.node("Transpose", {name + "_Y"}, {name + "_turned"}, name + "_transpose")
        .with("perm", std::vector<std::int64_t>{0, 2, 1, 3});
    model.node("Reshape", {name + "_turned", "merged"}, {name + "_y"}, name + "_merge");
    return name + "_y";
}

}  // namespace

std::string onnx_model(const ModelSizes& sizes) {
    ModelBuilder model;
    model.input("x", ElementType::f32, PartialShape{kModelTime, 1, sizes.input});
    Tensor merged(ElementType::i64, {3});
    const std::int64_t pattern[] = {0, 0, -1};
    std::copy(std::begin(pattern), std::end(pattern), merged.data<std::int64_t>());
    model.initializer("merged", merged);
    std::string value = "x";
    std::int64_t width = sizes.input;
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
        value = add_layer(model, sizes, value, width, "layer_" + std::to_string(layer));
        width = sizes.hidden * (sizes.both_directions ? 2 : 1);
    }
    model.output(value);
    return model.bytes();
}

}  // namespace rondo::cpu::bench
