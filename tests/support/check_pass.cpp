#include "tests/support/check_pass.hpp"

#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "core/graph/printer.hpp"
#include "core/runtime/ports.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/source_location.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

// The ports as users see them: a pass may make a shape more exact, but not change the rest.
std::vector<std::string> visible_ports(const Graph& graph) {
    std::vector<std::string> texts;
    for (const auto& ports : {input_ports(graph), output_ports(graph)}) {
        for (const auto& port : ports) {
            std::string text(to_string(port.element_type));
            for (const auto& name : port.names) text += " " + name;
            texts.push_back(std::move(text));
        }
    }
    return texts;
}

void expect_sound(const Graph& graph) {
    try {
        check_graph(graph);
    } catch (const std::exception& error) {
        ADD_FAILURE() << error.what() << "\n" << to_text(graph);
    }
}

}  // namespace

std::vector<Tensor> random_inputs(const Graph& graph, std::size_t open_extent) {
    Rng rng = test_rng();
    std::vector<Tensor> inputs;
    for (const auto& parameter : graph.parameters()) {
        Shape shape;
        for (const auto& extent : parameter->output_shape(0).dimensions()) {
            shape.push_back(extent.is_static() ? static_cast<std::size_t>(extent.length())
                                               : open_extent);
        }
        inputs.push_back(random_tensor(parameter->output_type(0), shape, rng));
    }
    return inputs;
}

void expect_rewritten(Graph& graph, const PassFunction& pass, std::vector<Tensor> inputs,
                      SourceLocation where) {
    const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()),
                                     "before:\n" + to_text(graph));
    const auto ports = visible_ports(graph);
    if (inputs.empty()) inputs = random_inputs(graph);
    const auto expected = evaluate_graph(graph, inputs);
    EXPECT_TRUE(pass(graph)) << "the pass found nothing to do";
    graph.validate();
    expect_sound(graph);
    const auto actual = evaluate_graph(graph, inputs);
    for (std::size_t i = 0; i < expected.size(); ++i) expect_same(actual[i], expected[i], where);
    EXPECT_EQ(visible_ports(graph), ports) << "after:\n" << to_text(graph);
    expect_unchanged(graph, pass, where);
}

void expect_unchanged(Graph& graph, const PassFunction& pass, SourceLocation where) {
    const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()),
                                     "expect_unchanged");
    const std::string before = to_text(graph);
    EXPECT_FALSE(pass(graph)) << "the pass should find nothing to do";
    EXPECT_EQ(to_text(graph), before);
}

std::size_t count_nodes(const Graph& graph, std::string_view type) {
    std::size_t count = 0;
    for (const auto& node : graph.ordered_nodes()) count += node->type_name() == type ? 1 : 0;
    return count;
}

}  // namespace rondo::test
