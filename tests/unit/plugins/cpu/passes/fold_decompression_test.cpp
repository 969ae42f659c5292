#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/runtime/transforms.hpp"
#include "plugins/cpu/passes/cpu_passes.hpp"
#include "rondo/core.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test::fold_decompression_test {
namespace {

//   x   w (f16)                x   w (f32)
//   |   Convert       ->       |   |
//   MatMul                     MatMul
std::shared_ptr<Graph> compressed_graph() {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, 8});
    const auto weights = constant(random_tensor(ElementType::f16, {8, 5}, rng), "w_f16");
    const auto wide = named(make_node<ops::Convert>(weights, ElementType::f32), "w");
    return graph_of({x}, {named(make_node<ops::MatMul>(x, wide), "product")});
}

TEST(FoldDecompression, ConvertsConstantsOnce) {
    const auto graph = compressed_graph();
    auto rng = test_rng();
    const Tensor x = random_tensor(ElementType::f32, {3, 8}, rng);
    const auto before = on_reference(*graph).run({x});
    EXPECT_TRUE(cpu::fold_decompression(*graph));
    graph->validate();
    check_graph(*graph);
    const auto product = graph->results()[0]->input(0).node_ptr();
    const auto weights = as<ops::Constant>(product->input(1));
    ASSERT_NE(weights, nullptr);
    EXPECT_EQ(weights->name(), "w");
    EXPECT_EQ(weights->value().element_type(), ElementType::f32);
    expect_same(on_reference(*graph).run({x})[0], before[0]);
    EXPECT_FALSE(cpu::fold_decompression(*graph));
}

TEST(FoldDecompression, LeavesAConvertOfAnInputAlone) {
    const auto x = parameter("x", {-1}, ElementType::f16);
    const auto graph = graph_of({x}, {make_node<ops::Convert>(x, ElementType::f32)});
    EXPECT_FALSE(cpu::fold_decompression(*graph));
    EXPECT_NE(as<ops::Convert>(graph->results()[0]->input(0)), nullptr);
}

TEST(FoldDecompression, KeepsTensorNamesOfAResult) {
    const auto value = constant(tensor_of<std::int32_t>({2}, {1, 2}));
    const auto convert = named(make_node<ops::Convert>(value, ElementType::f32), "out");
    convert->output(0).set_names({"tensor"});
    const auto graph = graph_of({}, {convert});
    cpu::run_cpu_passes(*graph);
    EXPECT_EQ(graph->results()[0]->input(0).names(), std::set<std::string>{"tensor"});
}

// W and R keep their Converts, B doesn't; another reader of R gets a constant of its own.
TEST(FoldDecompression, LeavesWhatLayersWidenThemselves) {
    RecurrentCase test;
    test.attributes.hidden_size = 6;
    test.stored = ElementType::f16;
    test.open_shapes = false;
    const auto made = make_recurrent<ops::GRUSequence>(test);
    const NodePtr layer = made.graph->results()[0]->input(0).node_ptr();
    const auto& op = dynamic_cast<const ops::RecurrentOp&>(*layer);
    const Output r = op.input(op.r_port());
    const auto graph = graph_of(made.graph->parameters(), {layer->output(0), r});
    const auto before = on_reference(*graph).run(made.inputs);
    EXPECT_TRUE(cpu::fold_decompression(*graph));
    graph->validate();
    check_graph(*graph);
    EXPECT_NE(as<ops::Convert>(op.input(op.w_port())), nullptr);
    EXPECT_NE(as<ops::Convert>(op.input(op.r_port())), nullptr);
    EXPECT_NE(as<ops::Constant>(op.input(op.b_port())), nullptr);
    const auto constant = as<ops::Constant>(graph->results()[1]->input(0));
    ASSERT_NE(constant, nullptr);
    EXPECT_EQ(constant->value().element_type(), ElementType::f32);
    const auto after = on_reference(*graph).run(made.inputs);
    expect_same(after[0], before[0]);
    expect_same(after[1], before[1]);
    EXPECT_FALSE(cpu::fold_decompression(*graph));
}

// B is the sum of two stored halves: a constant, so that the layer widens W and R itself. After a
// Transpose W gets there only once sink_decompression ran, as on every model that is compiled.
TEST(FoldDecompression, ComputesTheBiasOfALayerThatWidens) {
    RecurrentCase test;
    test.attributes.hidden_size = 6;
    test.stored = ElementType::f16;
    test.open_shapes = false;
    const auto made = make_recurrent<ops::GRUSequence>(test);
    const NodePtr layer = made.graph->results()[0]->input(0).node_ptr();
    const auto& op = dynamic_cast<const ops::RecurrentOp&>(*layer);
    const Output b = op.input(op.b_port());
    b.node().rt_info()["decompression"] = "";
    layer->set_input(op.b_port(),
                     named(make_node<ops::Binary>(ops::BinaryFunction::add, b, b), "sum"));
    auto rng = test_rng();
    const Tensor turned = random_tensor(ElementType::f16, {1, test.input_size, 18}, rng, -0.5, 0.5);
    const auto wide = named(make_node<ops::Convert>(constant(turned), ElementType::f32), "wide");
    wide->rt_info()["decompression"] = "";
    const auto order = constant(tensor_of<std::int64_t>({3}, {0, 2, 1}), "order");
    layer->set_input(op.w_port(), named(make_node<ops::Transpose>(wide, order), "turned"));
    op.input(op.r_port()).node().rt_info()["decompression"] = "";
    made.graph->validate();
    const auto before = on_reference(*made.graph).run(made.inputs);
    run_portable_passes(*made.graph, {});
    EXPECT_TRUE(cpu::fold_decompression(*made.graph));
    made.graph->validate();
    check_graph(*made.graph);
    EXPECT_NE(as<ops::Constant>(op.input(op.b_port())), nullptr);
    for (const std::size_t port : {op.w_port(), op.r_port()}) {
        const auto convert = as<ops::Convert>(op.input(port));
        ASSERT_NE(convert, nullptr);
        EXPECT_EQ(convert->input(0).element_type(), ElementType::f16);
    }
    const auto after = on_reference(*made.graph).run(made.inputs);
    for (std::size_t i = 0; i < after.size(); ++i) expect_same(after[i], before[i]);
    EXPECT_TRUE(kernel_of(*made.graph, "layer").ends_with("_f16w"));
    EXPECT_FALSE(cpu::fold_decompression(*made.graph));
}

TEST(FoldDecompression, LetsTheProductPackItsWeights) {
    const auto graph = compressed_graph();
    auto rng = test_rng();
    const auto rows = on_cpu(*graph).executable->kernels();
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].reason, "constant right side, packed once");
    expect_like_reference(*graph, {random_tensor(ElementType::f32, {3, 8}, rng)}, 1e-5);
}

}  // namespace
}  // namespace rondo::test::fold_decompression_test
