// Einsum in an IR, which core/ops/einsum.hpp composes.
#include "core/ir/composed_ops.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/graph/attribute_text.hpp"
#include "core/graph/graph.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::ir::composed_einsum_test {
namespace {

using namespace test;  // NOLINT: tests only

// The layer on inputs of these shapes, or of these ranks whose extents are open.
Tensor run(const std::string& equation, const std::vector<Tensor>& inputs, bool is_open = true) {
    AttributeTextReader reader([&](std::string_view name) -> std::optional<std::string> {
        return name == "equation" ? std::optional(equation) : std::nullopt;
    });
    std::vector<NodePtr> parameters;
    std::vector<Output> sources;
    for (const Tensor& input : inputs) {
        parameters.push_back(make_node<ops::Parameter>(
            input.element_type(),
            is_open ? PartialShape::of_rank(input.shape().size()) : PartialShape(input.shape())));
        sources.emplace_back(parameters.back(), 0);
    }
    UniqueNames names;
    ComposedLayer layer{"n", sources, reader, names};
    const NodePtr last = find_composed("Einsum", "opset7")(layer);
    const Graph graph("g", parameters, {make_node<ops::Result>(last)});
    return evaluate_graph(graph, inputs).at(0);
}

Tensor run_known(const std::string& equation, const std::vector<Tensor>& inputs) {
    return run(equation, inputs, false);
}

Tensor counted(const Shape& shape) {
    Tensor tensor(ElementType::f32, shape);
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        tensor.data<float>()[i] = static_cast<float>(i + 1);
    }
    return tensor;
}

// Values: NumPy's einsum on the same inputs.
TEST(ComposedEinsum, MultipliesMatrices) {
    expect_same(run("ij,jk->ik", {counted({2, 3}), counted({3, 2})}),
                tensor_of<float>({2, 2}, {22, 28, 49, 64}));
    expect_same(run("ij,kj->ki", {counted({2, 3}), counted({2, 3})}),
                tensor_of<float>({2, 2}, {14, 32, 32, 77}));
    expect_same(run("ij,j->i", {counted({2, 3}), counted({3})}), tensor_of<float>({2}, {14, 32}));
    expect_same(run("j,ij->i", {counted({3}), counted({2, 3})}), tensor_of<float>({2}, {14, 32}));
    expect_same(run("i,i->", {counted({3}), counted({3})}), tensor_of<float>({}, {14}));
}

TEST(ComposedEinsum, KeepsGroupsApart) {
    // b = 1, t = 2, g = 2, i = 2, h = 1.
    expect_same(run("btgi,gih->btgh", {counted({1, 2, 2, 2}), counted({2, 2, 1})}),
                tensor_of<float>({1, 2, 2, 1}, {5, 25, 17, 53}));
    expect_same(run("...ij,...jk->...ik", {counted({2, 1, 2}), counted({2, 2, 1})}),
                tensor_of<float>({2, 1, 1}, {5, 25}));
}

TEST(ComposedEinsum, SumsTransposesAndMultiplies) {
    expect_same(run("ij->j", {counted({2, 3})}), tensor_of<float>({3}, {5, 7, 9}));
    expect_same(run("ij->ji", {counted({2, 2})}), tensor_of<float>({2, 2}, {1, 3, 2, 4}));
    expect_same(run("ij->ij", {counted({1, 2})}), counted({1, 2}));
    expect_same(run("i,j->ij", {counted({2}), counted({2})}),
                tensor_of<float>({2, 2}, {1, 2, 2, 4}));
    expect_same(run("ij,ij->", {counted({2, 2}), counted({2, 2})}), tensor_of<float>({}, {30}));
    expect_same(run("ij,jk,k->i", {counted({1, 2}), counted({2, 2}), counted({2})}),
                tensor_of<float>({1}, {27}));
}

// Values: NumPy's einsum on the same inputs.
TEST(ComposedEinsum, TakesDiagonals) {
    expect_same(run_known("ii->i", {counted({3, 3})}), tensor_of<float>({3}, {1, 5, 9}));
    expect_same(run_known("ii", {counted({3, 3})}), tensor_of<float>({}, {15}));
    expect_same(run_known("iii->i", {counted({2, 2, 2})}), tensor_of<float>({2}, {1, 8}));
    expect_same(run_known("bii->ib", {counted({2, 2, 2})}), tensor_of<float>({2, 2}, {1, 5, 4, 8}));
    expect_same(run_known("iji,j->i", {counted({2, 3, 2}), counted({3})}),
                tensor_of<float>({2}, {22, 64}));
    expect_same(run_known("ij,jj->i", {counted({2, 2}), counted({2, 2})}),
                tensor_of<float>({2}, {9, 19}));
    expect_same(run_known("ii->i", {Tensor(ElementType::f32, {0, 0})}),
                Tensor(ElementType::f32, {0}));
}

TEST(ComposedEinsum, TakesOpenDiagonals) {
    expect_same(run("ii->i", {counted({3, 3})}), tensor_of<float>({3}, {1, 5, 9}));
    expect_same(run("bii->ib", {counted({2, 2, 2})}), tensor_of<float>({2, 2}, {1, 5, 4, 8}));
}

TEST(ComposedEinsum, RefusesUnequalExtentsAndWrongText) {
    expect_error<ModelError>(
        [] {
            run_known("ii->i", {counted({2, 3})});
        },
        "an input has the extents 2 and 3 on axes of the same letter; expected equal ones");
    expect_error<ModelError>([] { run("ij->ik", {counted({2, 2})}); }, "the output has 'k'");
}

}  // namespace
}  // namespace rondo::ir::composed_einsum_test
