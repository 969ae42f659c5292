#include <gtest/gtest.h>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/ops/recurrent/onnx_recurrent.hpp"

namespace rondo::onnx::dynamic_quantize_lstm_test {
namespace {

using test::expect_error;
using test::ModelBuilder;
using test::OnnxRecurrent;
using test::random_tensor;

// On the CPU device, whose steps quantise X and H to 8 bits.
constexpr double kQuantizedRows = 5e-3;

// A weight as the operator has it: q [D,K,4H], scale and zero point [D] or [D,4H].
struct Quantized {
    Tensor q, scale, zero;
};

Quantized quantized(ElementType type, const Shape& shape, bool by_column, test::Rng& rng) {
    const Shape parameters = by_column ? Shape{shape[0], shape[2]} : Shape{shape[0]};
    const bool is_signed = type == ElementType::i8;
    const double least = is_signed ? -128 : 0;
    return {random_tensor(type, shape, rng, least, least + 255),
            random_tensor(ElementType::f32, parameters, rng, 0.001, 0.008),
            random_tensor(type, parameters, rng, is_signed ? -9 : 119, is_signed ? 9 : 137)};
}

// (q - zero) * scale as ONNX's own operator has it: [D,4H,K].
Tensor dequantized(const Quantized& weights) {
    const Shape& shape = weights.q.shape();
    Tensor result(ElementType::f32, {shape[0], shape[2], shape[1]});
    const bool by_column = weights.scale.shape().size() == 2;
    for (std::size_t at = 0; at < weights.q.size(); ++at) {
        const std::size_t column = at % shape[2];
        const std::size_t k = at / shape[2] % shape[1];
        const std::size_t d = at / shape[2] / shape[1];
        const std::size_t parameter = by_column ? d * shape[2] + column : d;
        const auto value = static_cast<float>(test::element_at(weights.q, at) -
                                              test::element_at(weights.zero, parameter));
        result.data<float>()[(d * shape[2] + column) * shape[1] + k] =
            value * weights.scale.data<float>()[parameter];
    }
    return result;
}

// The quantized node, and what it must come to.
struct Case {
    OnnxRecurrent node;
    Quantized w, r;
    bool constant = true;

    Case(ElementType type, const std::string& direction, bool by_column, bool all) {
        auto rng = test::test_rng();
        node.op_type = "LSTM";
        node.direction = direction;
        node.fill(rng, all);
        w = quantized(type, {node.directions(), node.i, 4 * node.h}, by_column, rng);
        r = quantized(type, {node.directions(), node.h, 4 * node.h}, by_column, rng);
        node.w = dequantized(w);
        node.r = dequantized(r);
    }

    // ONNX's own model with another operator and other weights.
    ModelBuilder model() const {
        ModelBuilder model = node.model();
        auto& proto = *model.graph().mutable_node(0);
        proto.set_op_type("DynamicQuantizeLSTM");
        proto.set_domain("com.microsoft");
        auto& import = *model.message().add_opset_import();
        import.set_domain("com.microsoft");
        import.set_version(1);
        model.graph().mutable_initializer()->DeleteSubrange(0, 2);  // W and R
        while (proto.input_size() < 8) proto.add_input("");
        const std::pair<const char*, Tensor> added[] = {
            {"W", w.q},           {"R", r.q},
            {"W_scale", w.scale}, {"W_zero_point", w.zero},
            {"R_scale", r.scale}, {"R_zero_point", r.zero}};
        for (const auto& [name, tensor] : added) {
            if (constant) {
                model.initializer(name, tensor);
            } else {
                model.input(name, tensor.element_type(), tensor.shape());
            }
            if (std::string(name).size() > 1) proto.add_input(name);
        }
        return model;
    }

    std::vector<Tensor> inputs() const {
        auto inputs = node.inputs();
        if (!constant) {
            for (const auto& tensor : {w.q, r.q, w.scale, w.zero, r.scale, r.zero}) {
                inputs.push_back(tensor);
            }
        }
        return inputs;
    }
};

TEST(OnnxDynamicQuantizeLstm, IsTheLstmOfItsDequantizedWeights) {
    for (const auto type : {ElementType::i8, ElementType::u8}) {
        for (const char* direction : {"forward", "reverse", "bidirectional"}) {
            for (const bool by_column : {false, true}) {
                for (const bool all : {false, true}) {
                    const Case test(type, direction, by_column, all);
                    test.node.check_model(test.model(), test.inputs(), kQuantizedRows);
                }
            }
        }
    }
}

TEST(OnnxDynamicQuantizeLstm, TakesWeightsAtRunTime) {
    for (const bool by_column : {false, true}) {
        Case test(ElementType::u8, "bidirectional", by_column, true);
        test.constant = false;
        test.node.check_model(test.model(), test.inputs());
    }
}

TEST(OnnxDynamicQuantizeLstm, FindsHiddenSizeAndTakesTheAttributes) {
    Case test(ElementType::i8, "forward", false, true);
    test.node.clip = 0.3f;
    test.node.input_forget = true;
    auto model = test.model();
    auto& attributes = *model.graph().mutable_node(0)->mutable_attribute();
    ASSERT_EQ(attributes[0].name(), "hidden_size");
    attributes.DeleteSubrange(0, 1);
    test.node.check_model(model, test.inputs(), kQuantizedRows);
}

TEST(OnnxDynamicQuantizeLstm, NotesThatItsPrecisionIsAnother) {
    const Case test(ElementType::u8, "forward", false, false);
    const auto graph = test.model().read();
    for (const auto& node : graph->ordered_nodes()) {
        if (!as<ops::LSTMSequence>(node)) continue;
        EXPECT_EQ(node->rt_info().at("precision"), "W u8, R u8: dequantized");
        EXPECT_TRUE(node->rt_info().contains("dynamic_quantization"));
        EXPECT_EQ(node->name(), "the_LSTM");
        return;
    }
    FAIL() << "no LSTMSequence";
}

// W and R: Convert(u8) - zero point, times scale; no op moves their elements.
TEST(OnnxDynamicQuantizeLstm, KeepsConstantsInEightBits) {
    for (const bool by_column : {false, true}) {
        const Case test(ElementType::u8, "bidirectional", by_column, false);
        const auto graph = test.model().read();
        int found = 0;
        for (const auto& node : graph->ordered_nodes()) {
            const auto sequence = as<ops::LSTMSequence>(node);
            if (!sequence) continue;
            for (const std::size_t port : {sequence->w_port(), sequence->r_port()}) {
                const NodePtr product = sequence->input(port).node_ptr();
                ASSERT_EQ(product->type_name(), "Multiply");
                const NodePtr centred = product->input(0).node_ptr();
                ASSERT_EQ(centred->type_name(), "Subtract");
                const NodePtr wide = centred->input(0).node_ptr();
                ASSERT_EQ(wide->type_name(), "Convert");
                EXPECT_EQ(wide->rt_info().count("decompression"), 1u);
                EXPECT_EQ(known_value(wide->input(0)).element_type(), ElementType::u8);
                const Shape rows = {2, by_column ? std::size_t{12} : std::size_t{1}, 1};
                EXPECT_EQ(known_value(product->input(1)).shape(), rows);
                ++found;
            }
        }
        EXPECT_EQ(found, 2);
    }
}

template <typename Change>
void expect_refused(const std::string& message, Change change) {
    Case test(ElementType::u8, "forward", true, true);
    change(test);
    expect_error<ModelError>([&] { test.model().read(); },
                             "node 'the_LSTM' (DynamicQuantizeLSTM): " + message);
}

TEST(OnnxDynamicQuantizeLstm, RefusesWhatItsParametersForbid) {
    expect_refused("W has type f32; expected i8 or u8",
                   [](Case& test) { test.w.q = test::converted(test.w.q, ElementType::f32); });
    expect_refused("R_scale has type f16; expected f32", [](Case& test) {
        test.r.scale = test::converted(test.r.scale, ElementType::f16);
    });
    expect_refused("W_zero_point has type i8; expected u8 as W has", [](Case& test) {
        test.w.zero = Tensor(ElementType::i8, {1, 12});
    });
    expect_refused("W_scale has shape [2]; expected [1] or [1,12]",
                   [](Case& test) { test.w.scale = Tensor(ElementType::f32, {2}); });
    expect_refused("R_zero_point has shape []; expected [1] or [1,12]",
                   [](Case& test) { test.r.zero = Tensor(ElementType::u8, {}); });
    expect_refused("X has type f16; expected f32", [](Case& test) {
        test.node.x = test::converted(test.node.x, ElementType::f16);
    });
}

// W and R lie transposed: the layout of ONNX's own operator is no longer right.
TEST(OnnxDynamicQuantizeLstm, RefusesOtherShapes) {
    expect_refused("hidden_size is 3 but W has shape [1,12,2]; expected [?,?,12]", [](Case& test) {
        test.w = {Tensor(ElementType::u8, {1, 12, 2}), Tensor(ElementType::f32, {1}),
                  Tensor(ElementType::u8, {1})};
    });
    expect_refused("hidden_size is 3 but R has shape [1,4,12]; expected [?,3,12]", [](Case& test) {
        test.r.q = Tensor(ElementType::u8, {1, 4, 12});
    });
    expect_refused("W has shape [2,12]; expected [?,?,?]", [](Case& test) {
        test.w.q = Tensor(ElementType::u8, {2, 12});
    });
}

TEST(OnnxDynamicQuantizeLstm, RefusesMissingInputs) {
    const char* const names[] = {"W_scale", "W_zero_point", "R_scale", "R_zero_point"};
    for (int i = 0; i < 4; ++i) {
        auto model = Case(ElementType::u8, "forward", false, false).model();
        model.graph().mutable_node(0)->set_input(8 + i, "");
        expect_error<ModelError>([&] { model.read(); }, "input " + std::to_string(8 + i) + " (" +
                                                            names[i] + ") is missing");
    }
}

TEST(OnnxDynamicQuantizeLstm, RefusesHiddenSizesOutOfBounds) {
    for (const std::int64_t hidden : {std::int64_t{-5}, std::int64_t{1} << 62}) {
        auto model = Case(ElementType::u8, "forward", false, false).model();
        auto& attribute = *model.graph().mutable_node(0)->mutable_attribute(0);
        ASSERT_EQ(attribute.name(), "hidden_size");
        attribute.set_i(hidden);
        expect_error<ModelError>([&] { model.read(); },
                                 "hidden_size is " + std::to_string(hidden) + "; expected 1");
    }
}

TEST(OnnxDynamicQuantizeLstm, RefusesLayout) {
    Case test(ElementType::u8, "forward", false, false);
    auto model = test.model();
    test::NodeBuilder(*model.graph().mutable_node(0)).with("layout", 1);
    expect_error<UnsupportedError>([&] { model.read(); }, "attribute 'layout' is not known");
}

TEST(OnnxDynamicQuantizeLstm, RefusesShapesThatNothingTells) {
    Case test(ElementType::u8, "forward", false, false);
    test.constant = false;
    const auto refused = [&](int input, const char* message) {
        auto model = test.model();
        auto& type = *model.graph().mutable_input(input)->mutable_type()->mutable_tensor_type();
        type.clear_shape();
        expect_error<UnsupportedError>([&] { model.read(); }, message);
    };
    auto model = test.model();
    model.graph().mutable_input(1)->clear_type();
    expect_error<UnsupportedError>([&] { model.read(); }, "the element type of W isn't known");
    refused(1, "the shape of W isn't known");
    refused(3, "the rank of W_scale isn't known");
}

}  // namespace
}  // namespace rondo::onnx::dynamic_quantize_lstm_test
