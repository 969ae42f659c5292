// Tests a part of plugins/cpu/nodes/source/source_nodes.cpp.
#include "core/ops/source/source_ops.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::random_uniform_node_test {
namespace {

std::shared_ptr<Graph> graph_with(const ops::RandomSeed& seed, ElementType type,
                                  const Tensor& least, const Tensor& bound) {
    const auto shape = parameter("shape", {-1}, ElementType::i64);
    return graph_of({shape}, {make_node<ops::RandomUniform>(shape, constant(least), constant(bound),
                                                            type, seed)});
}

const Tensor kShape = tensor_of<std::int64_t>({2}, {50, 1001});

TEST(RandomUniformNode, DrawsAsTheReferenceDoes) {
    for (const ElementType type : {ElementType::f64, ElementType::f32, ElementType::f16,
                                   ElementType::bf16, ElementType::i64, ElementType::i32}) {
        const auto graph = graph_with({5, 6}, type, converted(scalar_of(-2.0F), type),
                                      converted(scalar_of(7.0F), type));
        expect_like_reference(*graph, {kShape});
        expect_like_reference(*graph, {tensor_of<std::int64_t>({0}, {})});
        expect_like_reference(*graph, {tensor_of<std::int64_t>({2}, {3, 0})});
        auto run = on_cpu(*graph);
        expect_same(run.run({kShape}).at(0), run.run({kShape}).at(0));
    }
}

TEST(RandomUniformNode, DrawsOtherNumbersInEachRunWithoutSeed) {
    const auto x = parameter("x", {-1});
    const auto draw = [] {
        return make_node<ops::RandomUniform>(constant(tensor_of<std::int64_t>({1}, {40})),
                                             constant(scalar_of(0.0F)), constant(scalar_of(1.0F)),
                                             ElementType::f32, ops::RandomSeed{});
    };
    const auto graph = graph_of({x}, {x, draw(), draw()});
    const Tensor input = tensor_of<float>({1}, {1});
    for (auto& device :
         {on_cpu, +[](const Graph&any, const Properties&) { return on_reference(any); }}) {
        auto run = device(*graph, {});
        const auto first = run.run({input}), second = run.run({input});
        const auto same = [](const Tensor& a, const Tensor& b) {
            return std::memcmp(a.data(), b.data(), a.byte_size()) == 0;
        };
        EXPECT_FALSE(same(first[1], second[1]));
        EXPECT_FALSE(same(first[1], first[2]));
    }
}

TEST(RandomUniformNode, RefusesAnEmptyRangeOfIntegers) {
    const auto graph = graph_with({1, 1}, ElementType::i64, scalar_of<std::int64_t>(3),
                                  scalar_of<std::int64_t>(3));
    expect_error<ModelError>([&] { on_cpu(*graph).run({kShape}); },
                             "the bound isn't above the least number");
}

}  // namespace
}  // namespace rondo::test::random_uniform_node_test
