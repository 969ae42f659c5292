#include "benchmark/benchmark_inputs.hpp"

#include <algorithm>
#include <random>

#include "inputs/inputs.hpp"
#include "inputs/shape_arguments.hpp"
#include "rondo/error.hpp"

namespace rondo::tool {
namespace {

constexpr std::size_t kChunks = 16;  // random ones, which live streams take in turn

// Known shapes show which values fit an integer input. But a branch that never runs with them may
// refuse them.
Model fixed_model(const Model& model, const std::map<std::string, Shape>& shapes) {
    try {
        return with_shapes(model, shapes);
    } catch (const ModelError&) {
        return model;
    }
}

// The inputs that have no data shape.
std::vector<PortInfo> unshaped(const Model& model,
                               const std::map<std::string, std::vector<Shape>>& data_shapes) {
    std::vector<PortInfo> ports;
    for (const auto& port : model.inputs()) {
        if (data_shapes.count(port.any_name()) == 0) ports.push_back(port);
    }
    return ports;
}

}  // namespace

void reshape(Model& model, const BenchmarkOptions& options) {
    const auto layouts = parse_layouts(options.layout, model.inputs(), model.constant_inputs());
    auto shapes = parse_shapes(options.shape, model.inputs(), model.constant_inputs());
    if (!shapes.empty()) model.reshape(shapes);
    if (options.batch > 0) model.reshape(with_batch(model.inputs(), layouts, options.batch));
}

std::vector<InputSet> make_inputs(const Model& model, const BenchmarkOptions& options) {
    const auto files = read_inputs(options.inputs, model);
    const auto data_shapes =
        parse_data_shapes(options.data_shape, model.inputs(), model.constant_inputs());
    const auto chunks = options.live.streams.empty()
                            ? std::map<std::string, Shape>()
                            : chunk_shapes(unshaped(model, data_shapes), options.live.chunk);
    std::size_t count = options.live.streams.empty() ? 1 : kChunks;
    for (const auto& [name, list] : data_shapes) count = std::max(count, list.size());
    std::mt19937 random(options.seed);
    std::vector<InputSet> sets(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::map<std::string, Shape> shapes = chunks;
        for (const auto& [name, list] : data_shapes) shapes[name] = list[i % list.size()];
        for (const auto& [name, tensor] : files) shapes[name] = tensor.shape();
        shapes = complete_shapes(model, shapes);
        const Model fixed = fixed_model(model, shapes);
        sets[i] = files;
        for (const auto& port : model.inputs()) {
            const std::string& name = port.any_name();
            if (files.count(name) > 0) continue;
            sets[i][name] = make_input(fixed, fixed.input(name), shapes.at(name), random);
        }
    }
    return sets;
}

std::string shapes_text(const InputSet& inputs) {
    std::string text;
    for (const auto& [name, tensor] : inputs) {
        text += (text.empty() ? "" : ", ") + name + to_string(tensor.shape());
    }
    return text;
}

}  // namespace rondo::tool
