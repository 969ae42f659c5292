#include "transformations/recurrent/stored_weights.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::stored_weights_test {
namespace {

using test::GraphBuilder;
using test::make_gru;

// A GRU of 4 inputs and 3 units; R [1,9,3].
struct Layer {
    GraphBuilder b;
    std::shared_ptr<ops::GRUSequence> gru = make_gru(b, "gru", b.input("x", "[5,2,4]"), 4, 3);

    Output convert(const Output& from, ElementType to) {
        return b.make<ops::Convert>("", from, to);
    }
    Output constant(ElementType type) { return b.constant(Tensor(type, {1, 9, 3})); }
    void set_r(const Output& source) { gru->set_input(gru->r_port(), source); }
    bool reads_stored() const { return reads_stored_weights(*gru, gru->r_port()); }
};

TEST(StoredWeights, AreThoseBeforeTheConvert) {
    for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
        Layer layer;
        const Output wide = layer.convert(layer.constant(type), ElementType::f32);
        layer.set_r(wide);
        EXPECT_TRUE(has_constant_weights(*layer.gru));
        EXPECT_TRUE(layer.reads_stored());
        EXPECT_TRUE(is_read_as_stored(wide.node()));
        EXPECT_EQ(stored_weights(*layer.gru, layer.gru->r_port()).element_type(), type);
    }
}

TEST(StoredWeights, OfPlainConstantsAreTheConstants) {
    Layer layer;
    EXPECT_FALSE(layer.reads_stored());
    EXPECT_EQ(stored_weights(*layer.gru, layer.gru->w_port()).element_type(), ElementType::f32);
}

TEST(StoredWeights, NotOfOtherTypesOrPorts) {
    Layer layer;
    const Output wide = layer.convert(layer.constant(ElementType::f64), ElementType::f32);
    layer.set_r(wide);
    EXPECT_FALSE(layer.reads_stored());
    EXPECT_FALSE(is_read_as_stored(wide.node()));
    const Tensor bias(ElementType::f16, {1, 9});
    layer.gru->set_input(layer.gru->b_port(),
                         layer.convert(layer.b.constant(bias), ElementType::f32));
    EXPECT_FALSE(reads_stored_weights(*layer.gru, layer.gru->b_port()));
    EXPECT_TRUE(has_constant_weights(*layer.gru));
}

TEST(StoredWeights, NotWhereAnotherWeightIsComputed) {
    Layer layer;
    const Output wide = layer.convert(layer.constant(ElementType::f16), ElementType::f32);
    layer.set_r(wide);
    layer.gru->set_input(layer.gru->w_port(), layer.b.input("w", "[1,9,4]"));
    EXPECT_FALSE(has_constant_weights(*layer.gru));
    EXPECT_FALSE(is_read_as_stored(wide.node()));
}

TEST(StoredWeights, AnotherReaderNeedsTheConvert) {
    Layer layer;
    const Output wide = layer.convert(layer.constant(ElementType::f16), ElementType::f32);
    layer.set_r(wide);
    layer.b.output("weights", wide);
    EXPECT_TRUE(layer.reads_stored());
    EXPECT_FALSE(is_read_as_stored(wide.node()));
}

}  // namespace
}  // namespace rondo::passes::stored_weights_test
