// The whole list of passes for OpenVINO on random layers.
#include <gtest/gtest.h>

#include "core/runtime/transforms.hpp"
#include "rondo/core.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/transformations/lowering/layers.hpp"
#include "transformations/pipelines.hpp"

namespace rondo::passes::random_layers_test {
namespace {

using namespace test;  // NOLINT: tests only

void draw_functions(LayerSpec& spec, Rng& rng) {
    auto& attributes = spec.attributes;
    const auto per_set = static_cast<std::size_t>(ops::info_of(spec.cell).functions);
    const std::size_t sets = uniform_int(rng, 0, 1) == 0 ? 1 : spec.directions();
    for (std::size_t i = 0; i < sets * per_set; ++i) {
        const auto& info =
            ops::kActivations[uniform_int(rng, 0, std::ssize(ops::kActivations) - 1)];
        attributes.activations.emplace_back(info.name);
        if (info.takes_alpha) {
            attributes.activations_alpha.push_back(static_cast<float>(uniform(rng, 0.1, 0.9)));
        }
        if (info.takes_beta) {
            attributes.activations_beta.push_back(static_cast<float>(uniform(rng, -0.5, 0.9)));
        }
    }
}

LayerSpec draw_layer(Rng& rng) {
    constexpr ops::CellType kTypes[] = {ops::CellType::lstm, ops::CellType::gru,
                                        ops::CellType::rnn};
    constexpr const char* kShapes[] = {"[?,?,4]", "[3,5,4]", "[?,2,4]", "[3,?,4]"};
    const auto coin = [&] { return uniform_int(rng, 0, 1) == 1; };
    LayerSpec spec;
    spec.cell = kTypes[uniform_int(rng, 0, 2)];
    spec.attributes.direction = static_cast<ops::Direction>(uniform_int(rng, 0, 2));
    if (coin()) draw_functions(spec, rng);
    if (coin()) spec.attributes.clip = static_cast<float>(uniform(rng, 0.2, 2));
    spec.attributes.linear_before_reset = spec.cell == ops::CellType::gru && coin();
    spec.attributes.input_forget = spec.cell == ops::CellType::lstm && coin();
    spec.has_peepholes = spec.cell == ops::CellType::lstm && coin();
    spec.has_lengths = coin();
    spec.x_shape = kShapes[uniform_int(rng, 0, 3)];
    return spec;
}

std::vector<Tensor> run_on_cpu(const std::shared_ptr<Graph>& graph,
                               const std::vector<Tensor>& inputs) {
    auto request = Core().compile_model(Model(graph), "CPU").create_infer_request();
    for (std::size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
    request.infer();
    std::vector<Tensor> results;
    for (std::size_t i = 0; i < graph->results().size(); ++i) {
        results.push_back(request.get_output_tensor(i));
    }
    return results;
}

TEST(LoweringForOpenvino, KeepsTheNumbersOfRandomLayers) {
    Rng rng = test_rng();
    TransformOptions options;
    options.reader = "openvino";
    options.validate = true;
    for (int round = 0; round < 120; ++round) {
        const LayerSpec spec = draw_layer(rng);
        const auto graph = layer_graph(spec);
        SCOPED_TRACE(testing::Message() << "round " << round);
        const auto inputs = layer_inputs(spec);
        const auto expected = evaluate_graph(*graph, inputs);
        run_portable_passes(*graph, options);
        const auto by_reference = evaluate_graph(*graph, inputs);
        const auto by_cpu = run_on_cpu(graph, inputs);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expect_near(by_reference[i], expected[i], 1e-5, 1e-5);
            expect_near(by_cpu[i], expected[i], 1e-5, 1e-5);
        }
        if (testing::Test::HasFailure()) return;
    }
}

TEST(LoweringForOpenvino, RefusesAnotherReader) {
    TransformOptions options;
    options.reader = "other";
    const auto graph = layer_graph({});
    expect_error<ModelError>([&] { run_portable_passes(*graph, options); },
                             "there is no reader 'other'");
}

}  // namespace
}  // namespace rondo::passes::random_layers_test
