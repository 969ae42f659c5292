#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/graph/inference.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/ops/scaled_weights.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"
#include "transformations/simplify/passes.hpp"

namespace rondo::test::keep_int8_weights_test {
namespace {

struct Stored {
    ElementType type = ElementType::i8;
    float zero_point = 0;        // 0: no Subtract
    bool by_row = true;          // a scale for each row, else one for all
    float scale = 0;             // of all rows; 0: random
    const char* rows = nullptr;  // bits to which X and H may be rounded: "" (8) or "16"
    std::size_t input_size = 11;
};

Output dequantized(const Stored& stored, const Shape& shape, Rng& rng) {
    const double least = stored.type == ElementType::i8 ? -128 : 0;
    const Tensor values = random_tensor(stored.type, shape, rng, least, least + 255);
    Output value = make_node<ops::Convert>(constant(values), ElementType::f32);
    if (stored.zero_point != 0) {
        const Tensor zero = tensor_of<float>(Shape(shape.size(), 1), {stored.zero_point});
        value = make_node<ops::Binary>(ops::BinaryFunction::subtract, value, constant(zero));
    }
    Shape rows;
    if (stored.by_row) {
        rows = shape;
        rows.back() = 1;
    }
    Tensor scale = random_tensor(ElementType::f32, rows, rng, 0.001, 0.004);
    if (stored.scale != 0) std::fill_n(scale.data<float>(), scale.size(), stored.scale);
    return make_node<ops::Binary>(ops::BinaryFunction::multiply, value, constant(scale));
}

// A layer of 6 units whose W and R are (Convert(constant) - zero point) * scale.
template <typename Sequence>
RecurrentGraph layer_of(const Stored& stored, bool bidirectional = true) {
    RecurrentCase test;
    test.attributes.hidden_size = 6;
    test.open_shapes = false;
    test.input_size = stored.input_size;
    if (bidirectional) test.attributes.direction = ops::Direction::bidirectional;
    auto made = make_recurrent<Sequence>(test);
    const auto op = as<ops::RecurrentOp>(made.graph->results()[0]->input(0));
    auto rng = test_rng();
    for (const std::size_t port : {op->w_port(), op->r_port()}) {
        const Shape shape = known_value(op->input(port)).shape();
        const Output weights = dequantized(stored, shape, rng);
        weights.node().set_name("weights_" + std::to_string(port));
        op->set_input(port, weights);
    }
    if (stored.rows != nullptr) op->rt_info()[kDynamicQuantization] = stored.rows;
    made.graph->validate();
    return made;
}

// What is held for W (0) or R (1); empty where nothing is.
Tensor held_values(const Graph& graph, std::size_t port) {
    const auto op = as<ops::RecurrentOp>(graph.results()[0]->input(0));
    const auto held = as<cpu::ScaledWeights>(op->input(op->w_port() + port));
    return held ? held->values() : Tensor();
}

void expect_same_outputs(const RecurrentGraph& made, const std::vector<Tensor>& before) {
    const auto after = on_reference(*made.graph).run(made.inputs);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) expect_same(after[i], before[i]);
}

TEST(KeepInt8Weights, KeepsIntegersAndScales) {
    const Stored cases[] = {{ElementType::i8, 0, true, 0, "16"},
                            {ElementType::u8, 128, true, 0, "16"},
                            {ElementType::u8, 7, true, 0, "16"},
                            {ElementType::i8, 0, false, 0, ""}};
    for (const Stored& stored : cases) {
        const auto made = layer_of<ops::LSTMSequence>(stored);
        const auto before = on_reference(*made.graph).run(made.inputs);
        EXPECT_TRUE(cpu::keep_int8_weights(*made.graph));
        made.graph->validate();
        check_graph(*made.graph);
        for (const std::size_t port : {0u, 1u}) {
            const Tensor values = held_values(*made.graph, port);
            ASSERT_TRUE(values);
            EXPECT_EQ(values.element_type(),
                      stored.zero_point == 7 ? ElementType::i16 : ElementType::i8);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const auto value = static_cast<double>(element_at(values, i));
                EXPECT_EQ(value, std::nearbyint(value));
            }
        }
        expect_unchanged(*made.graph, cpu::keep_int8_weights);
        EXPECT_TRUE(cpu::expand_fused(*made.graph));
        made.graph->validate();
        EXPECT_EQ(count_nodes(*made.graph, "Multiply"), 2u);
        expect_same_outputs(made, before);
    }
}

template <typename Layer>
void expect_same_layer(const Stored& stored, bool bidirectional, const std::string& kernel) {
    const auto made = layer_of<Layer>(stored, bidirectional);
    EXPECT_TRUE(kernel_of(*made.graph, "layer").ends_with(kernel));
    expect_like_reference(*made.graph, made.inputs, 1e-4);
}

// The layer's numbers are those of the reference on the product, except that rows have 16 bits.
TEST(KeepInt8Weights, TheDeviceComputesTheSameLayer) {
    const std::pair<Stored, const char*> cases[] = {
        {{ElementType::i8, 0, true, 0, "16"}, "_w8r16"},
        {{ElementType::u8, 128, true, 0, "16"}, "_w8r16"},
        {{ElementType::u8, 117, true, 0, "16"}, "_w16r16"}};
    for (const auto& [stored, kernel] : cases) {
        for (const bool bidirectional : {false, true}) {
            expect_same_layer<ops::LSTMSequence>(stored, bidirectional, kernel);
            expect_same_layer<ops::GRUSequence>(stored, bidirectional, kernel);
            expect_same_layer<ops::RNNSequence>(stored, bidirectional, kernel);
        }
        expect_same_layer<ops::LSTMCell>(stored, false, kernel);
        expect_same_layer<ops::GRUCell>(stored, false, kernel);
        expect_same_layer<ops::RNNCell>(stored, false, kernel);
    }
}

Stored rounded(ElementType type, float zero_point, std::size_t input_size) {
    return {type, zero_point, true, 0, "", input_size};
}

// Where the model allows X and H to be rounded, and the numbers fit.
TEST(KeepInt8Weights, MultipliesBytesWhereRowsMayBeRounded) {
    for (const auto& [type, zero] : {std::pair(ElementType::i8, 0), {ElementType::u8, 128}}) {
        const auto made = layer_of<ops::LSTMSequence>(rounded(type, static_cast<float>(zero), 11));
        EXPECT_TRUE(kernel_of(*made.graph, "layer").ends_with("_w8r8"));
        expect_like_reference(*made.graph, made.inputs, 0.03);
        EXPECT_TRUE(cpu::keep_int8_weights(*made.graph));
        EXPECT_EQ(held_values(*made.graph, 0).element_type(), ElementType::i8);
        EXPECT_EQ(held_values(*made.graph, 1).element_type(), ElementType::i8);
    }
    const auto made = layer_of<ops::LSTMSequence>(rounded(ElementType::u8, 7, 12));
    EXPECT_TRUE(kernel_of(*made.graph, "layer").ends_with("_w16r16"));
}

// Sums of longer rows might not fit in 32 bits.
TEST(KeepInt8Weights, KnowsTheLongestRow) {
    for (const std::size_t size : {16384u, 16385u}) {
        const auto made = layer_of<ops::LSTMSequence>(rounded(ElementType::i8, 0, size));
        EXPECT_TRUE(cpu::keep_int8_weights(*made.graph));
        EXPECT_EQ(bool(held_values(*made.graph, 0)), size == 16384);
    }
}

// Where rows may not be rounded, with scales that aren't finite and with rows that are too long
// a constant takes the product's place.
TEST(KeepInt8Weights, WidensTheRest) {
    const auto made = layer_of<ops::GRUSequence>(rounded(ElementType::i8, 0, 16385));
    const auto before = on_reference(*made.graph).run(made.inputs);
    EXPECT_TRUE(cpu::keep_int8_weights(*made.graph));
    made.graph->validate();
    check_graph(*made.graph);
    EXPECT_EQ(count_nodes(*made.graph, "Multiply"), 0u);
    EXPECT_EQ(count_nodes(*made.graph, "ScaledWeights"), 0u);
    expect_same_outputs(made, before);
    const float infinity = std::numeric_limits<float>::infinity();
    const auto infinite = layer_of<ops::LSTMSequence>({ElementType::i8, 0, true, infinity, ""});
    EXPECT_TRUE(cpu::keep_int8_weights(*infinite.graph));
    EXPECT_EQ(count_nodes(*infinite.graph, "ScaledWeights"), 0u);
    const auto exact = layer_of<ops::LSTMSequence>({ElementType::i8});
    EXPECT_TRUE(kernel_of(*exact.graph, "layer").ends_with("_f32"));
    expect_like_reference(*exact.graph, exact.inputs, 2e-6);
}

// A model that is written after this pass keeps its formats.
TEST(KeepInt8Weights, HoldsWhatItHasExpanded) {
    for (const float zero : {128.0F, 7.0F}) {
        const auto made = layer_of<ops::GRUSequence>({ElementType::u8, zero, true, 0, "16"});
        EXPECT_TRUE(cpu::keep_int8_weights(*made.graph));
        made.graph->validate();
        const Tensor values = held_values(*made.graph, 1);
        EXPECT_TRUE(cpu::expand_fused(*made.graph));
        made.graph->validate();
        passes::fold_constants(*made.graph);  // which leaves the integers as they are
        EXPECT_TRUE(cpu::keep_int8_weights(*made.graph));
        made.graph->validate();
        expect_same(held_values(*made.graph, 1), values);
    }
}

TEST(KeepInt8Weights, LeavesOtherWeightsAlone) {
    RecurrentCase test;
    test.attributes.hidden_size = 6;
    const auto made = make_recurrent<ops::LSTMSequence>(test);
    expect_unchanged(*made.graph, cpu::keep_int8_weights);
}

// x, bytes -> GRU whose W is Convert(bytes) * 0.01
TEST(KeepInt8Weights, LeavesBytesThatComeAtRunTime) {
    RecurrentCase test;
    test.attributes.hidden_size = 6;
    test.open_shapes = false;
    auto made = make_recurrent<ops::GRUSequence>(test);
    const auto op = as<ops::RecurrentOp>(made.graph->results()[0]->input(0));
    const Shape shape = known_value(op->input(op->w_port())).shape();
    const auto bytes = make_node<ops::Parameter>(ElementType::u8, shape);
    bytes->set_name("bytes");
    const Output wide = make_node<ops::Convert>(bytes, ElementType::f32);
    op->set_input(op->w_port(), make_node<ops::Binary>(ops::BinaryFunction::multiply, wide,
                                                       constant(scalar_of<float>(0.01F))));
    std::vector<NodePtr> parameters = made.graph->parameters();
    parameters.push_back(bytes);
    made.graph->set_ends(parameters, made.graph->results(), {});
    made.graph->validate();
    auto rng = test_rng();
    made.inputs.push_back(random_tensor(ElementType::u8, shape, rng, 0, 255));
    expect_unchanged(*made.graph, cpu::keep_int8_weights);
    expect_like_reference(*made.graph, made.inputs, 2e-6);
}

}  // namespace
}  // namespace rondo::test::keep_int8_weights_test
