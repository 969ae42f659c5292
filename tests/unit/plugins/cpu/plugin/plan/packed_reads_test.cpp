#include "plugins/cpu/plugin/plan/packed_reads.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/graph/printer.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "tests/unit/plugins/cpu/stacked_graph.hpp"

namespace rondo::cpu::packed_reads_test {
namespace {

using namespace test;  // NOLINT: tests only

using Names = std::set<std::string>;

Rng& rng() {
    static Rng generator(5);
    return generator;
}

// 128 KiB of f32.
Tensor large(const Shape& shape = {64, 512}) {
    return random_tensor(ElementType::f32, shape, rng());
}

Output product(GraphBuilder& b, const Output& x, const Output& weights) {
    return b.make<ops::MatMul>("", x, weights);
}

// On the CPU, which may release constants.
class LeanRun : public DeviceRun {
public:
    explicit LeanRun(const Graph& graph) : DeviceRun(make_cpu_plugin(), graph) {
        executor.reset();
        const auto plugin = make_cpu_plugin();
        executable = plugin->compile_and_release(graph.clone(), plugin->properties());
        executor = executable->create_executor();
    }
};

// The large constants that are there, and those that were released, each by its name.
Names names_of(const Graph& graph, bool released) {
    Names names;
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            const auto* constant = as_op<ops::Constant>(*node);
            if (constant == nullptr || constant->value().byte_size() < kWorthReleasing) continue;
            if (constant->is_released() == released) names.insert(constant->name());
        }
    });
    return names;
}

// Compiles both ways: the results must have the same bits, run after run, and the runtime model
// that is made again must be the other one. Returns the names of the released constants.
Names check_released(const Graph& graph, const std::vector<Tensor>& inputs) {
    DeviceRun whole = on_cpu(graph);
    LeanRun lean(graph);
    const auto expected = whole.run(inputs);
    for (int i = 0; i < 2; ++i) {
        const auto actual = lean.run(inputs);
        EXPECT_EQ(actual.size(), expected.size());
        for (std::size_t j = 0; j < actual.size(); ++j) expect_same(actual[j], expected[j]);
    }
    EXPECT_FALSE(whole.executable->has_released());
    const auto again = lean.executable->make_again(graph.clone());
    EXPECT_TRUE(names_of(*again, true).empty());
    EXPECT_TRUE(same_graph(*lean.executable->runtime_graph(again), *runtime_graph(whole)));
    Names names = names_of(*lean.executable->graph(), true);
    EXPECT_TRUE(names.empty() || lean.executable->has_released());
    return names;
}

TEST(PackedReads, WeightsOfProductsAreReleased) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,64]");
    const Output shared = b.constant(large(), "shared");
    b.output("y", product(b, x, shared));
    b.output("z", product(b, b.make<ops::Unary>("", ops::UnaryFunction::tanh, x), shared));
    b.output("w", product(b, x, b.constant(large(), "own")));
    EXPECT_EQ(check_released(*b.graph(), {large({3, 64})}), (Names{"shared", "own"}));
}

TEST(PackedReads, WhatSomethingElseReadsStays) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,64]");
    const Output added = b.constant(large(), "added");
    b.output("y", b.make<ops::Binary>("", ops::BinaryFunction::add, product(b, x, added),
                                      b.input("z", "[?,512]")));
    b.output("sum",
             b.make<ops::Binary>("", ops::BinaryFunction::add, added, b.input("t", "[64,512]")));
    const Output handed = b.constant(large(), "handed_on");
    b.output("product", product(b, x, handed));
    b.output("itself", handed);
    const std::vector<Tensor> inputs{large({3, 64}), large({3, 512}), large()};
    EXPECT_EQ(check_released(*b.graph(), inputs), Names{});
}

// One column is read as it lies by many rows; a transposed left side packs the weights each time.
TEST(PackedReads, WhatSomeSizesReadStays) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,32768]");
    const Output turned = b.input("turned", "[64,?]");
    b.output("y", product(b, x, b.constant(large({32768, 1}), "column")));
    const auto product_of_turned = b.make<ops::MatMul>("", turned, b.constant(large(), "right"));
    product_of_turned->set_transpose_a(true);
    b.output("z", product_of_turned);
    EXPECT_EQ(check_released(*b.graph(), {large({70, 32768}), large({64, 5})}), Names{});
}

TEST(PackedReads, SmallConstantsStay) {
    GraphBuilder b;
    b.output("y", product(b, b.input("x", "[?,64]"), b.constant(large({64, 100}), "small")));
    EXPECT_EQ(check_released(*b.graph(), {large({3, 64})}), Names{});
}

TEST(PackedReads, IntegersAreReleased) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,256]", ElementType::u8);
    const Output weights =
        b.constant(random_tensor(ElementType::i8, {256, 512}, rng()), "integers");
    const Output zero = b.constant(scalar_of<std::uint8_t>(3));
    const Output zeros = b.constant(Tensor(ElementType::i8, {}));
    b.output("y", b.make<ops::MatMulInteger>("", x, weights, zero, zeros));
    const std::vector<Tensor> inputs{random_tensor(ElementType::u8, {5, 256}, rng())};
    EXPECT_EQ(check_released(*b.graph(), inputs), Names{"integers"});
}

// The product is computed once, while the model is planned.
TEST(PackedReads, ProductsOfConstantsAreStillComputedOnce) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,512]");
    const Output known = b.constant(large({2, 64}), "known");
    const Output shape = b.make<ops::ShapeOf>("", x, ElementType::i64);
    const Output rows = b.make<ops::Gather>("", shape, b.ints({0}), b.ints({0}));
    const Output target = b.make<ops::Concat>("", std::vector<Output>{rows, b.ints({64})}, 0);
    const Output zeros = b.make<ops::Broadcast>("", b.constant(scalar_of<float>(1)), target);
    const Output y = product(b, zeros, b.constant(large(), "weights"));
    b.output("y", b.make<ops::Binary>("", ops::BinaryFunction::add, x, y));
    b.output("known", known);
    EXPECT_EQ(check_released(*b.graph(), {large({3, 512})}), Names{"weights"});
}

TEST(PackedReads, WeightsInBodiesAreReleased) {
    const auto branch = [](const std::string& name) {
        GraphBuilder b;
        const Output x = b.input("x_" + name, "[?,64]");
        b.output("y_" + name, product(b, x, b.constant(large(), name)));
        return b.graph();
    };
    GraphBuilder b;
    const Output x = b.input("x", "[?,64]");
    const Output flag = b.input("flag", "[]", ElementType::boolean);
    const ops::BodyPorts ports{{{1, 0, {}, {}}}, {{0, 0, {}}}};
    const auto choice = b.make<ops::If>("choice", std::vector<Output>{flag, x},
                                        std::vector<GraphPtr>{branch("yes"), branch("no")},
                                        std::vector{ports, ports});
    b.output("y", choice);
    const std::vector<Tensor> inputs{large({3, 64}), scalar_of<bool>(true)};
    EXPECT_EQ(check_released(*b.graph(), inputs), (Names{"yes", "no"}));
}

// Their weights aren't in the graph if sequences were joined; 16-bit ones come after an op.
TEST(PackedReads, WeightsOfLayersAreReleased) {
    for (const auto stored : {ElementType::dynamic, ElementType::f16, ElementType::bf16}) {
        for (const bool apart : {false, true}) {
            StackedCase test;
            test.kinds = {ops::CellType::lstm, ops::CellType::gru, ops::CellType::rnn};
            test.input = 160;
            test.hidden = 256;
            test.stored = stored;
            test.apart = apart;
            const auto made = make_stacked(test);
            check_released(*made.graph, made.inputs);
            EXPECT_TRUE(LeanRun(*made.graph).executable->has_released());
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::packed_reads_test
