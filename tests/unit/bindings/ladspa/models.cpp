#include "tests/unit/bindings/ladspa/models.hpp"

#include <cstdlib>
#include <filesystem>

#include <rondo/graph_builder.hpp>

#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/unit/bindings/ladspa/host.hpp"

namespace rondo::test {
namespace {

GraphNode input(const std::string& name, const PartialShape& shape) {
    const GraphNode node = make_node(
        {"Parameter", "opset1", name, {}, {{"element_type", "f32"}, {"shape", to_string(shape)}}});
    node.output(0).set_names({name});
    return node;
}

GraphOutput constant(const std::string& name, const Shape& shape,
                     const std::vector<float>& values) {
    Tensor tensor(ElementType::f32, shape);
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        tensor.data<float>()[i] = values[i % values.size()];
    }
    return make_constant(tensor, name).output(0);
}

GraphOutput binary(const std::string& type, const std::string& name, const GraphOutput& a,
                   const GraphOutput& b) {
    return make_node({type, "opset1", name, {a, b}}).output(0);
}

GraphOutput integers(const std::string& name, const Shape& shape, std::int64_t value) {
    Tensor tensor(ElementType::i64, shape);
    tensor.data<std::int64_t>()[0] = value;
    return make_constant(tensor, name).output(0);
}

// Frames of `size` samples, through an LSTM of as many units that starts from zeros.
Model lstm_model(const PartialShape& x_shape, std::size_t size) {
    const GraphNode x = input("x", x_shape);
    const GraphOutput zeros = constant("zeros", {1, 1, size}, {0});
    const GraphOutput shape = make_node({"ShapeOf", "opset3", "shape", {x.output(0)}}).output(0);
    const GraphOutput length =
        make_node(
            {"Gather", "opset8", "length", {shape, integers("time", {1}, 1), integers("0", {}, 0)}})
            .output(0);
    std::vector<float> weights = noise(4 * size * size);
    for (float& weight : weights) weight *= 0.2F;
    const GraphOutput w = constant("W", {1, 4 * size, size}, weights);
    const GraphNode lstm =
        make_node({"LSTMSequence",
                   "opset5",
                   "lstm",
                   {x.output(0), zeros, zeros, length, w, w, constant("B", {1, 4 * size}, {0.1F})},
                   {{"hidden_size", std::to_string(size)}, {"direction", "forward"}}});
    GraphOutput y =
        make_node({"Squeeze", "opset1", "y", {lstm.output(0), integers("direction", {1}, 1)}})
            .output(0);
    y.set_names({"y"});
    return make_model({"lstm", {x}, {y}});
}

}  // namespace

std::string write_model(const Model& model, const std::string& name) {
    const std::string path = temporary_path(name + ".xml");
    save_model(model, path);
    return path;
}

Model scaling(const PartialShape& shape, float factor) {
    const GraphNode x = input("x", shape);
    GraphOutput y = binary("Multiply", "scale", x.output(0), constant("factor", {}, {factor}));
    y.set_names({"y"});
    return make_model({"scaling", {x}, {y}});
}

Model ones_mask(std::int64_t bins) {
    const GraphNode x = input("x", {1, 1, bins});
    const GraphOutput nothing = binary("Multiply", "nothing", x.output(0), constant("0", {}, {0}));
    const GraphOutput much = binary("Add", "much", nothing, constant("100", {}, {100}));
    GraphOutput y = make_node({"Sigmoid", "opset1", "mask", {much}}).output(0);
    y.set_names({"y"});
    return make_model({"ones", {x}, {y}});
}

Model frames_lstm() { return lstm_model({1, Dimension(), 32}, 32); }

Model hidden_lstm() { return lstm_model({1, 1, 16}, 16); }

Model one_pole() {
    const GraphNode x = input("x", {1, 16});
    const GraphNode h = input("h", {1, 16});
    const GraphOutput kept = binary("Multiply", "kept", h.output(0), constant("half", {}, {0.5F}));
    GraphOutput next = binary("Add", "next", x.output(0), kept);
    GraphOutput y = binary("Multiply", "out", next, constant("one", {}, {2}));
    next.set_names({"h_out"});
    y.set_names({"y"});
    return make_model({"one_pole", {x, h}, {y, next}});
}

std::optional<std::string> real_model(const std::string& name) {
    const char* folder = std::getenv("RONDO_MODELS");
    const auto path =
        std::filesystem::path(folder == nullptr ? RONDO_SOURCE_DIR "/../shared/models" : folder) /
        name / "model.onnx";
    if (!RONDO_HAS_ONNX || !std::filesystem::exists(path)) return {};
    return path.string();
}

}  // namespace rondo::test
