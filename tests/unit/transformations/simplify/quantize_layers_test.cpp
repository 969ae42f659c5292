#include "transformations/simplify/quantize_layers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/support/integer_weights.hpp"
#include "rondo/error.hpp"
#include "rondo/model.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test::quantize_layers_test {
namespace {

RecurrentCase layer_of(std::int64_t hidden) {
    RecurrentCase test;
    test.attributes.hidden_size = hidden;
    test.attributes.direction = ops::Direction::bidirectional;
    test.open_shapes = false;
    return test;
}

// f32: what the product of 8 bits and more loses at most.
double loss(const std::string& format) {
    return format == "w8r8" ? 0.05 : format == "w8r16" ? 0.02 : 2e-4;
}

template <typename Layer>
void expect_quantized(RecurrentCase test, const std::string& format) {
    const auto made = make_recurrent<Layer>(test);
    const auto before = on_reference(*made.graph).run(made.inputs);
    const auto layers = passes::quantize_layers(*made.graph, {format});
    made.graph->validate();
    ASSERT_EQ(layers.size(), 1u);
    EXPECT_EQ(layers[0].name, "layer");
    EXPECT_EQ(layers[0].kept, "");
    const double before_bytes =
        static_cast<double>(layers[0].bytes) * (test.stored == ElementType::f16 ? 2 : 1);
    EXPECT_GT(layers[0].decibels, format == "w16r16" ? 90 : 40);
    EXPECT_LT(layers[0].new_bytes, before_bytes * (format == "w16r16" ? 0.6 : 0.35));
    EXPECT_TRUE(kernel_of(*made.graph, "layer").ends_with("_" + format));
    const auto after = on_cpu(*made.graph).run(made.inputs);
    for (std::size_t i = 0; i < before.size(); ++i) {
        expect_near(after[i], before[i], loss(format));
    }
    // Once more: all is done.
    EXPECT_EQ(passes::quantize_layers(*made.graph, {format})[0].kept, "it is quantised already");
}

TEST(QuantizeLayers, StoreIntegersInAllFormats) {
    for (const char* format : {"w8r16", "w8r8", "w16r16"}) {
        RecurrentCase test = layer_of(128);
        expect_quantized<ops::LSTMSequence>(test, format);
        expect_quantized<ops::GRUSequence>(test, format);
        test.attributes.linear_before_reset = true;
        expect_quantized<ops::GRUSequence>(test, format);
        test.attributes.linear_before_reset = false;
        test.attributes.direction = ops::Direction::forward;
        expect_quantized<ops::LSTMCell>(test, format);
        expect_quantized<ops::GRUCell>(test, format);
        test.attributes.hidden_size = 192;
        expect_quantized<ops::RNNSequence>(test, format);
        test.stored = ElementType::f16;
        expect_quantized<ops::LSTMSequence>(test, format);
    }
}

std::string kept(const RecurrentGraph& made, const QuantizationOptions& options = {}) {
    const auto layers = passes::quantize_layers(*made.graph, options);
    EXPECT_EQ(layers[0].bytes, layers[0].new_bytes);
    EXPECT_TRUE(kernel_of(*made.graph, "layer").find("_w8") == std::string::npos);
    return layers[0].kept;
}

TEST(QuantizeLayers, KeepWhatGainsNothingOrLosesTooMuch) {
    RecurrentCase test = layer_of(96);
    EXPECT_EQ(kept(make_recurrent<ops::LSTMSequence>(layer_of(16))), "too small to gain");
    EXPECT_EQ(passes::quantize_layers(*make_recurrent<ops::LSTMSequence>(layer_of(16)).graph,
                                      {"w8r8", {}, 20, 1})[0]
                  .kept,
              "");
    const auto big = make_recurrent<ops::LSTMSequence>(test);
    EXPECT_EQ(kept(big, {"w8r16", {"layer"}}), "asked for");
    EXPECT_EQ(kept(big, {"w8r16", {}, 90}), "the weights would lose too much");
    test.constant_weights = false;
    EXPECT_EQ(kept(make_recurrent<ops::LSTMSequence>(test)),
              "its weights and biases are no constants of a floating type");
    test.constant_weights = true;
    test.type = ElementType::f16;
    EXPECT_EQ(kept(make_recurrent<ops::LSTMSequence>(test)), "it computes in f16");
    test.type = ElementType::f32;
    test.input_size = static_cast<std::size_t>(kMaxQuantized) + 1;
    EXPECT_EQ(kept(make_recurrent<ops::RNNSequence>(test)), "its rows are too long");
    test.input_size = 11;
    const auto infinite = make_recurrent<ops::LSTMSequence>(test);
    const auto op = as<ops::RecurrentOp>(infinite.graph->results()[0]->input(0));
    const Tensor w = known_value(op->input(op->w_port()));
    Tensor changed(w.element_type(), w.shape());
    w.copy_to(changed);
    changed.data<float>()[5] = std::numeric_limits<float>::infinity();
    op->set_input(op->w_port(), constant(changed));
    EXPECT_EQ(kept(infinite), "its weights aren't all finite");
}

// Rows without a number count as zeros, and one of a scale of its own keeps it.
TEST(QuantizeLayers, KnowEachRowByItself) {
    const auto made = make_recurrent<ops::GRUSequence>(layer_of(96));
    const auto op = as<ops::RecurrentOp>(made.graph->results()[0]->input(0));
    const Tensor r = known_value(op->input(op->r_port()));
    Tensor changed(r.element_type(), r.shape());
    r.copy_to(changed);
    for (std::size_t i = 0; i < 96; ++i) {
        changed.data<float>()[i] = 0;
        changed.data<float>()[96 + i] *= 1e4F;
        changed.data<float>()[192 + i] *= 1e-20F;
    }
    op->set_input(op->r_port(), constant(changed));
    const auto layers = passes::quantize_layers(*made.graph, {});
    made.graph->validate();
    EXPECT_GT(layers[0].decibels, 40);
    const auto multiply = op->input(op->r_port());
    const Tensor back = on_reference(*graph_of({}, {multiply})).run({})[0];
    for (std::size_t i = 0; i < 3 * 96; ++i) {
        const float wanted = changed.data<float>()[i];
        const float most = i < 96 ? 0 : i < 192 ? 1e4F / 9.7F : 1e-20F / 9.7F;
        EXPECT_NEAR(back.data<float>()[i], wanted, most / 254 * 1.001F) << i;
    }
}

// Weights that another tool has rounded, with a scale for all rows or one a row, are these integers
// again: nothing is lost.
TEST(QuantizeLayers, FindIntegersThatWeightsWere) {
    for (const bool by_row : {false, true}) {
        for (const ElementType stored : {ElementType::i8, ElementType::i16}) {
            if (by_row && stored == ElementType::i16) continue;
            const auto made = make_recurrent<ops::LSTMSequence>(layer_of(128));
            const auto op = as<ops::RecurrentOp>(made.graph->results()[0]->input(0));
            auto rng = test_rng();
            for (const std::size_t port : {op->w_port(), op->r_port()}) {
                const Shape shape = known_value(op->input(port)).shape();
                const double most = stored == ElementType::i8 ? 128 : 30'000;
                const Tensor integers = random_tensor(stored, shape, rng, -most, most - 1);
                Tensor values(ElementType::f32, shape);
                const std::size_t k = shape.back();
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const float scale = by_row ? 1e-3F / static_cast<float>(1 + i / k) : 1e-3F;
                    values.data<float>()[i] = static_cast<float>(element_at(integers, i)) * scale;
                }
                op->set_input(port, constant(values));
            }
            const auto layers = passes::quantize_layers(
                *made.graph, {stored == ElementType::i8 ? "w8r8" : "w16r16"});
            made.graph->validate();
            EXPECT_GT(layers[0].decibels, 130) << by_row << to_string(stored);
        }
    }
}

// A file holds what the graph says: the same bits, and OpenVINO's ops alone.
TEST(QuantizeLayers, SaveAndReadTheSame) {
    const TemporaryFolder folder;
    for (const char* format : {"w8r16", "w16r16"}) {
        const auto made = make_recurrent<ops::LSTMSequence>(layer_of(96));
        Model model(made.graph);
        model.quantize({format});
        const auto before = on_cpu(*made.graph).run(made.inputs);
        const std::string path = folder / "quantized.xml";
        save_model(model, path);
        const Model again = Core().read_model(path);
        EXPECT_TRUE(kernel_of(*again.graph(), "layer").ends_with(std::string("_") + format));
        const auto after = on_cpu(*again.graph()).run(made.inputs);
        for (std::size_t i = 0; i < before.size(); ++i) expect_same(after[i], before[i]);
    }
}

TEST(QuantizeLayers, RefuseUnknownNames) {
    const auto made = make_recurrent<ops::LSTMSequence>(layer_of(96));
    Model model(made.graph);
    const std::string text = model.to_text();
    expect_error<ModelError>([&] { model.quantize({"w8r8", {"layr"}}); }, "did you mean 'layer'?");
    expect_error<ModelError>([&] { model.quantize({"int8"}); },
                             "there is no format 'int8'; there are: 'w8r16', 'w8r8', 'w16r16'");
    EXPECT_EQ(model.to_text(), text);
    expect_error<ModelError>([] { Model().quantize(); }, "empty");
}

}  // namespace
}  // namespace rondo::test::quantize_layers_test
