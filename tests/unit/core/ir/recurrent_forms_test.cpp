#include "core/ir/layer_node.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/graph/inference.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::recurrent_forms_test {
namespace {

using test::expect_error;
using test::tensor_of;

// A net of one op whose inputs are Parameters; "L" means lengths.
class Net {
public:
    Net(std::string type, std::string opset, std::string data)
        : type_(std::move(type)), opset_(std::move(opset)), data_(std::move(data)) {}

    Net& input(const std::string& shape, const std::string& element_type = "f32") {
        const std::string id = std::to_string(count_++);
        layers_ += "<layer id='" + id + "' name='in" + id +
                   "' type='Parameter' version='opset1'><data shape='" + shape +
                   "' element_type='" + element_type +
                   "'/><output><port id='0' precision='FP32'/></output></layer>";
        edges_ +=
            "<edge from-layer='" + id + "' from-port='0' to-layer='op' to-port='" + id + "'/>";
        return *this;
    }
    // From the first bytes of the weights.
    Net& constant(const std::string& shape, std::size_t bytes) {
        const std::string id = std::to_string(count_++);
        layers_ += "<layer id='" + id + "' name='in" + id +
                   "' type='Const' version='opset1'><data element_type='f32' shape='" + shape +
                   "' offset='0' size='" + std::to_string(bytes) +
                   "'/><output><port id='0' precision='FP32'/></output></layer>";
        edges_ +=
            "<edge from-layer='" + id + "' from-port='0' to-layer='op' to-port='" + id + "'/>";
        return *this;
    }

    std::shared_ptr<Graph> read(const Tensor& weights = tensor_of<float>({1}, {0})) const {
        const std::string op = std::to_string(count_);
        const std::string result = std::to_string(count_ + 1);
        std::string ports;
        for (std::size_t i = 0; i < count_; ++i) ports += "<port id='" + std::to_string(i) + "'/>";
        std::string edges = edges_;
        for (auto at = edges.find("'op'"); at != std::string::npos; at = edges.find("'op'")) {
            edges.replace(at, 4, "'" + op + "'");
        }
        Tensor bytes(ElementType::u8, {weights.byte_size()});
        std::memcpy(bytes.data(), weights.data(), weights.byte_size());
        return test::read_text(
            "<net name='n' version='11'><layers>" + layers_ + "<layer id='" + op +
                "' name='layer' type='" + type_ + "' version='" + opset_ + "'><data " + data_ +
                "/><input>" + ports + "</input><output><port id='" + op +
                "' precision='FP32'/></output></layer><layer id='" + result +
                "' name='y' type='Result' version='opset1'><input><port id='0'/></input></layer>"
                "</layers><edges>" +
                edges + "<edge from-layer='" + op + "' from-port='" + op + "' to-layer='" + result +
                "' to-port='0'/></edges></net>",
            bytes);
    }

private:
    std::string type_, opset_, data_, layers_, edges_;
    std::size_t count_ = 0;
};

const ops::RecurrentOp& layer_of(const Graph& graph) {
    return dynamic_cast<const ops::RecurrentOp&>(graph.results()[0]->input(0).node());
}

Net lstm_cell(const std::string& opset, const std::string& data = "hidden_size='2'") {
    return Net("LSTMCell", opset, data)
        .input("1,3")
        .input("1,2")
        .input("1,2")
        .input("8,3")
        .input("8,2");
}

Net lstm_sequence(const std::string& data) {
    return Net("LSTMSequence", "opset5", "hidden_size='2' " + data)
        .input("1,4,3")
        .input("1,1,2")
        .input("1,1,2")
        .input("1", "i64")
        .input("1,8,3")
        .input("1,8,2")
        .input("1,8");
}

// The numbers are those of OpenVINO 2026.4's CPU plugin, in f32.
TEST(RecurrentForms, OpenVinosCellsGiveItsNumbers) {
    const auto graph = test::read_file(RONDO_SOURCE_DIR "/tests/data/ir/openvino_cells.xml");
    check_graph(*graph);
    const std::vector<std::vector<float>> expected = {
        {-0.14294781f, -0.024174578f, 0.33320776f, -0.0112585f},
        {-0.47915712f, -0.044882301f, 0.65793538f, -0.039143536f},
        {-0.17677911f, 0.3380051f, 0.10631147f, 0.24690109f},
        {-0.5078119f, 0.60842228f, 0.18877032f, 0.4196721f},
        {-0.31976932f, 0.23450206f, -0.17654027f, 0.43697697f},
        {0, 0, 0.53125f, 0}};
    const auto outputs = test::evaluate_graph(
        *graph, {tensor_of<float>({2, 3}, {-0.5f, -0.25f, 0, 0.25f, 0.5f, 0.75f}),
                 tensor_of<float>({2, 2}, {0.5f, -0.25f, 1, 0}),
                 tensor_of<float>({2, 2}, {-1, 0.75f, 0.5f, 0.25f})});
    ASSERT_EQ(outputs.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
        test::expect_near(outputs[k], tensor_of<float>({2, 2}, expected[k]), 1e-6);
    }
    for (const auto& result : graph->results()) {
        EXPECT_TRUE(dynamic_cast<const ops::RecurrentOp&>(result->input(0).node()).is_standard());
    }
}

TEST(RecurrentForms, ACellWithoutBHasZeros) {
    const auto check = [](const std::shared_ptr<Graph>& graph, std::size_t width) {
        check_graph(*graph);
        const auto& cell = layer_of(*graph);
        const auto b = as<ops::Constant>(cell.input(cell.b_port()));
        ASSERT_TRUE(b);
        EXPECT_EQ(b->name(), "layer/B");
        test::expect_same(b->value(), Tensor(ElementType::f32, {width}));
    };
    check(lstm_cell("opset1").read(), 8);
    check(lstm_cell("opset4").read(), 8);
    check(Net("GRUCell", "opset3", "hidden_size='2' linear_before_reset='1'")
              .input("1,3")
              .input("1,2")
              .input("6,3")
              .input("6,2")
              .read(),
          8);
}

TEST(RecurrentForms, BIsWantedByTheOthers) {
    expect_error<ModelError>(
        [] {
            Net("RNNCell", "opset1", "hidden_size='2'")
                .input("1,3")
                .input("1,2")
                .input("2,3")
                .input("2,2")
                .read();
        },
        "'layer' (RNNCell): got 4 inputs; expected 5");
    expect_error<ModelError>([] { lstm_cell("opset4", "hidden_size='0'").read(); },
                             "hidden_size is 0 or missing; LSTMCell of opset4 must have it");
    // rondo1 is written by Rondo, which leaves nothing out.
    expect_error<ModelError>([] { lstm_cell("rondo1").read(); }, "got 5 inputs; expected 6");
}

TEST(RecurrentForms, ZeroPeepholesOfTheFirstFormGo) {
    const auto with_p = [](const std::string& shape, float value) {
        return lstm_cell("opset2").input("8").constant(shape, 24).read(
            tensor_of<float>({6}, std::vector<float>(6, value)));
    };
    const auto graph = with_p("6", 0);
    EXPECT_EQ(layer_of(*graph).input_count(), 6u);
    EXPECT_TRUE(layer_of(*graph).is_standard());
    expect_error<UnsupportedError>([&] { with_p("6", 0.5f); },
                                   "'layer' (LSTMCell): P is not a constant of zeros");
    expect_error<UnsupportedError>([] { lstm_cell("opset1").input("8").input("6").read(); },
                                   "P is not a constant of zeros");
    expect_error<ModelError>([&] { with_p("2, 3", 0); }, "P has shape [2,3]; expected [6]");
    expect_error<ModelError>(
        [] {
            lstm_cell("opset1", "hidden_size='4611686018427387904'").input("8").input("6").read();
        },
        "hidden_size is 4611686018427387904; expected 1 to");
}

TEST(RecurrentForms, LaterStandardFormsHaveNoPeepholes) {
    expect_error<UnsupportedError>([] { lstm_cell("opset4").input("8").input("6").read(); },
                                   "'layer' (LSTMCell): input 6 (P) is not known for LSTMCell of "
                                   "opset4; rondo1 has it");
    const auto graph = lstm_cell("rondo1").input("8").input("6").read();
    EXPECT_EQ(layer_of(*graph).input_count(), 7u);
    EXPECT_FALSE(layer_of(*graph).is_standard());
}

TEST(RecurrentForms, TheFirstFormHasAttributesOfItsOwn) {
    const auto with = [](const std::string& opset, const std::string& data) {
        return lstm_cell(opset, "hidden_size='2' " + data).input("8").read();
    };
    EXPECT_TRUE(layer_of(*with("opset1", "input_forget='true' weights_format='fico'"))
                    .attributes()
                    .input_forget);
    expect_error<UnsupportedError>([&] { with("opset1", "weights_format='ifco'"); },
                                   "attribute 'weights_format' is 'ifco'; expected 'fico'");
    expect_error<UnsupportedError>([&] { with("opset4", "input_forget='true'"); },
                                   "attribute 'input_forget' is not known for LSTMCell of opset4");
    expect_error<UnsupportedError>([&] { lstm_sequence("input_forget='1'").read(); },
                                   "'input_forget' is not known for LSTMSequence of opset5");
}

// By the pages their meaning depends on the functions, and none of the three takes one.
TEST(RecurrentForms, AlphasAndBetasOfStandardFunctionsMeanNothing) {
    const auto graph = lstm_sequence(
                           "activations='Sigmoid,Tanh,relu' activations_alpha='0.5, 1' "
                           "activations_beta='2'")
                           .read();
    const auto& attributes = layer_of(*graph).attributes();
    EXPECT_TRUE(attributes.activations_alpha.empty());
    EXPECT_TRUE(attributes.activations_beta.empty());
    EXPECT_TRUE(layer_of(*graph).is_standard());
}

TEST(RecurrentForms, StandardFormsRefuseWhatTheirPagesForbid) {
    const auto refused = [](const std::string& data, const std::string& message) {
        expect_error<ModelError>([&] { lstm_sequence(data).read(); },
                                 "'layer' (LSTMSequence): " + message);
    };
    refused("direction='sideways'", "attribute 'direction' is 'sideways'; expected one of");
    refused("clip='-1'", "clip is -1; expected 0 (no clip) or more");
    refused("clip='nan'", "clip is nan; expected 0 (no clip) or more");
    refused("clip='much'", "attribute 'clip' is 'much'; expected a number");
    refused("activations='sigmoid, tanh'", "activations has 2 entries; expected 3");
    refused("activations='sigmoid, tanh, tanh, relu'", "activations has 4 entries; expected 3");
    refused("activations='sigmoid, swish, tanh'", "unknown activation 'swish'");
    const auto unsupported = [](const std::string& data, const std::string& message) {
        expect_error<UnsupportedError>([&] { lstm_sequence(data).read(); }, message);
    };
    unsupported("activations='sigmoid, HardSigmoid, tanh'",
                "activations has 'hardsigmoid'; LSTMSequence of opset5 knows 'sigmoid', 'tanh', "
                "'relu', rondo1 the others");
    unsupported("direction='bidirectional' activations='sigmoid,tanh,tanh,sigmoid,relu,tanh'",
                "activations differ by direction; LSTMSequence of opset5 has 3 for both");
    unsupported("layout='1'", "attribute 'layout' (\"1\") is not known for this op");
}

TEST(RecurrentForms, AnInfiniteClipIsTheDefaultOfThePages) {
    EXPECT_TRUE(std::isinf(layer_of(*lstm_sequence("clip='inf'").read()).attributes().clip));
}

}  // namespace
}  // namespace rondo::recurrent_forms_test
