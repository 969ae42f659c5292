#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/window/convolutions.hpp"
#include "tests/support/bodies.hpp"
#include "tests/unit/transformations/batching/vmap/expect_lifted.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::test::merged_rule_test {
namespace {

Output weights(GraphBuilder& b, const Shape& shape) {
    Rng rng(5);
    return b.constant(random_tensor(ElementType::f32, shape, rng, -0.5, 0.5));
}

Output convolution(GraphBuilder& b, const Output& x, std::size_t channels) {
    ops::ConvolutionAttributes attributes;
    attributes.strides = {1};
    attributes.pads_begin = {1};
    attributes.pads_end = {1};
    attributes.dilations = {1};
    return b.make<ops::Convolution>("", x, weights(b, {channels, channels, 3}), attributes);
}

TEST(LiftMerged, RunsConvolutionsOnTheRowsOfAll) {
    for (const char* shape : {"[1,2,5]", "[4,2,5]", "[?,2,5]", "[2,2,?]", "[?,2,?]"}) {
        SCOPED_TRACE(shape);
        GraphBuilder b;
        const Output first = convolution(b, b.input("x", shape), 2);
        const Output tanh = b.make<ops::Unary>("tanh", ops::UnaryFunction::tanh, first);
        b.output("y", convolution(b, tanh, 2));
        const auto graph = expect_lifted(b.graph());
        EXPECT_EQ(find<ops::Unary>(*graph, "tanh").output_shape(0).rank(), 3U)
            << "the rows stay merged between the convolutions";
    }
}

TEST(LiftMerged, KeepsAKnownNumberOfRows) {
    GraphBuilder b;
    b.output("y", convolution(b, b.input("x", "[4,2,5]"), 2));
    const auto graph = expect_lifted(b.graph(), 3);
    EXPECT_EQ(graph->results()[0]->output_shape(0), PartialShape::parse("3,4,2,5"));
}

TEST(LiftMerged, RunsLayersOnTheRowsOfAll) {
    for (const char* shape : {"[4,1,3]", "[4,2,3]", "[?,1,3]", "[?,?,3]"}) {
        SCOPED_TRACE(shape);
        GraphBuilder b;
        const auto gru = make_gru(b, "gru", b.input("x", shape), 3, 2);
        b.output("y", onnx_y(b, gru));
        b.output("h", gru->output(1));
        expect_lifted(b.graph());
    }
}

TEST(LiftMerged, RepeatsConstantsOfOneRow) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,2]");
    const Output one = b.constant(tensor_of<float>({1, 3}, {1, 2, 3}));
    b.output("y", b.make<ops::Concat>("joined", std::vector<Output>{x, one}, 1));
    expect_lifted(b.graph());
}

}  // namespace
}  // namespace rondo::test::merged_rule_test
