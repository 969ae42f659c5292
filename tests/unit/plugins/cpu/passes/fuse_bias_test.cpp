#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "core/graph/printer.hpp"
#include "core/ir/ir.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::fuse_bias_test {
namespace {

constexpr std::size_t kInner = 6;
constexpr std::size_t kColumns = 24;

Output weights(GraphBuilder& b, Rng& rng) {
    return b.constant(random_tensor(ElementType::f32, {kInner, kColumns}, rng), "w");
}

Output product_of(GraphBuilder& b, const Output& a, const Output& w) {
    return b.make<ops::MatMul>("product", a, w);
}

// x -> MatMul -> Add -> y, with a bias of that shape.
std::shared_ptr<Graph> dense(const Shape& bias, bool bias_first = false) {
    auto rng = test_rng();
    GraphBuilder b;
    const Output product = product_of(b, b.input("x", "[?,?,6]"), weights(b, rng));
    const Output row = b.constant(random_tensor(ElementType::f32, bias, rng), "bias");
    b.output("y", bias_first ? b.make<ops::Binary>("sum", ops::BinaryFunction::add, row, product)
                             : b.make<ops::Binary>("sum", ops::BinaryFunction::add, product, row));
    return b.graph();
}

//   x   w           x   w   bias
//   |   |            \  |  /
//   MatMul  bias =>  FusedMatMul
//       \   /
//        Add
TEST(FuseBias, JoinsProductAndRow) {
    for (const Shape& shape : {Shape{24}, Shape{1, 24}, Shape{1, 1, 24}}) {
        for (const bool bias_first : {false, true}) {
            const auto graph = dense(shape, bias_first);
            const auto before = dense(shape, bias_first);
            EXPECT_TRUE(cpu::fuse_bias(*graph));
            graph->validate();
            check_graph(*graph);
            expect_unchanged(*graph, cpu::fuse_bias);
            const auto fused = as<cpu::FusedMatMul>(graph->results()[0]->input(0));
            ASSERT_NE(fused, nullptr);
            EXPECT_EQ(fused->name(), "sum");
            EXPECT_EQ(fused->output(0).names(), std::set<std::string>{"y"});
            EXPECT_EQ(to_string(fused->output_shape(0)), "[?,?,24]");
            EXPECT_TRUE(cpu::expand_fused(*graph));
            graph->validate();
            check_graph(*graph);
            EXPECT_EQ(to_text(*graph), to_text(*before));
            expect_unchanged(*graph, cpu::expand_fused);
        }
    }
}

TEST(FuseBias, LeavesOtherAddsAlone) {
    for (const Shape& shape :
         {Shape{}, Shape{1}, Shape{5, 24}, Shape{5, 1}, Shape{1, 2, 5, 24}, Shape{1, 1, 1, 24}}) {
        expect_unchanged(*dense(shape), cpu::fuse_bias);
    }
}

TEST(FuseBias, IsPrintedButNotWritten) {
    const auto graph = dense({24});
    cpu::fuse_bias(*graph);
    EXPECT_NE(to_text(*graph).find("{ops=MatMul, Add}"), std::string::npos) << to_text(*graph);
    const std::string path = temporary_path("model.xml");
    expect_error<UnsupportedError>([&] { ir::write(*graph, path); },
                                   "node 'sum' (Add, as FusedMatMul): this op is made by");
}

// The part itself says what is wrong with shapes that come with an inference.
TEST(FuseBias, ErrorsNameTheOriginalOp) {
    const auto graph = dense({24});
    auto device = on_cpu(*graph);
    expect_error<ModelError>(
        [&] {
            device.run({Tensor(ElementType::f32, {2, 3, 5})});
        },
        "node 'product' (MatMul)");
}

// A product whose left side follows from the shape of x: zeros, as the first state of a loop that
// was written out. Its bias must not get lost where the plan knows the product.
std::shared_ptr<Graph> product_of_zeros(bool twice) {
    auto rng = test_rng();
    GraphBuilder b;
    const Output x = b.input("x", "[?,3]");
    const Output extents = b.make<ops::ShapeOf>("shape", x);
    const Output rows =
        b.make<ops::Gather>("rows", extents, b.ints({0}), b.constant(scalar_of<std::int64_t>(0)));
    const Output target = b.make<ops::Concat>(
        "target", std::vector<Output>{rows, b.ints({static_cast<std::int64_t>(kInner)})}, 0);
    const Output zeros = b.make<ops::Broadcast>("zeros", b.constant(scalar_of<float>(0)), target);
    const Output bias = b.constant(random_tensor(ElementType::f32, {kColumns}, rng), "bias");
    const Output sum = b.make<ops::Binary>("sum", ops::BinaryFunction::add,
                                           product_of(b, zeros, weights(b, rng)), bias);
    b.output("y", twice ? Output(b.make<ops::Binary>("twice", ops::BinaryFunction::add, sum, sum))
                        : sum);
    return b.graph();
}

TEST(FuseBias, KeepsTheBiasOfAProductKnownFromShapes) {
    for (const bool twice : {false, true}) {
        const auto graph = product_of_zeros(twice);
        auto device = on_cpu(*graph);
        auto reference = on_reference(*graph);
        for (const std::size_t rows : {1, 5, 2}) {
            const std::vector<Tensor> inputs{Tensor(ElementType::f32, {rows, 3})};
            expect_near(device.run(inputs)[0], reference.run(inputs)[0], 1e-6);
        }
    }
}

}  // namespace
}  // namespace rondo::test::fuse_bias_test
