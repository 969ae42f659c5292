// Malformed recurrent nodes: each is refused in one line that names the node, the
// attribute or input, what was got and what was expected.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "rondo/rondo.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test::malformed_nodes_test {
namespace {

using Strings = std::vector<std::string>;
using Floats = std::vector<float>;

// T = 5, N = 2, I = 4, H = 3, one direction by default.
struct NodeModel {
    explicit NodeModel(const std::string& type, std::int64_t opset = 22)
        : op_type(type), builder(opset) {
        const std::size_t gates = type == "LSTM" ? 4 : type == "GRU" ? 3 : 1;
        input("X", {5, 2, 4});
        weight("W", {1, gates * 3, 4});
        weight("R", {1, gates * 3, 3});
        weight("B", {1, 2 * gates * 3});
        tensor("sequence_lens", ElementType::i32, {2}, true);
        input("initial_h", {1, 2, 3});
        if (type == "LSTM") {
            input("initial_c", {1, 2, 3});
            weight("P", {1, 9});
        }
        outputs = {"Y", "Y_h"};
        if (type == "LSTM") outputs.emplace_back("Y_c");
        node().set_op_type(op_type);
        node().set_name("layer");
        with("hidden_size", std::int64_t{3});
    }

    rondo_onnx::NodeProto& node() {
        if (builder.graph().node_size() == 0) builder.graph().add_node();
        return *builder.graph().mutable_node(0);
    }

    template <typename T>
    NodeModel& with(const std::string& attribute, const T& value) {
        without(attribute);
        NodeBuilder(node()).with(attribute, value);
        return *this;
    }
    NodeModel& without(const std::string& attribute) {
        auto& all = *node().mutable_attribute();
        for (int k = all.size() - 1; k >= 0; --k) {
            if (all[k].name() == attribute) all.DeleteSubrange(k, 1);
        }
        return *this;
    }

    // Replaces an existing one.
    void tensor(const std::string& name, ElementType type, const PartialShape& shape,
                bool is_input) {
        Port port{name, type, shape, is_input, {}};
        for (auto& known : ports) {
            if (known.name == name) {
                known = port;
                return;
            }
        }
        ports.push_back(port);
    }
    void input(const std::string& name, const PartialShape& shape) {
        tensor(name, ElementType::f32, shape, true);
    }
    void weight(const std::string& name, const Shape& shape) {
        tensor(name, ElementType::f32, shape, false);
    }
    void constant(const std::string& name, const Tensor& value) {
        tensor(name, value.element_type(), value.shape(), false);
        for (auto& port : ports) {
            if (port.name == name) port.value = value;
        }
    }
    void omit(const std::string& name) {
        for (auto& port : ports) {
            if (port.name == name) port.name.clear();
        }
    }

    Model read() {
        for (const auto& port : ports) {
            node().add_input(port.name);
            if (port.name.empty()) continue;
            if (port.is_input) {
                builder.input(port.name, port.type, port.shape);
            } else {
                builder.initializer(
                    port.name, port.value ? port.value : Tensor(port.type, port.shape.to_shape()));
            }
        }
        for (const auto& output : outputs) {
            node().add_output(output);
            builder.output(output);
        }
        const std::string bytes = builder.bytes();
        return Core().read_model(bytes.data(), bytes.size(), {});
    }

    struct Port {
        std::string name;
        ElementType type;
        PartialShape shape;
        bool is_input;
        Tensor value;
    };
    std::string op_type;
    ModelBuilder builder;
    std::vector<Port> ports;
    Strings outputs;
};

struct Fault {
    const char* name;
    const char* op_type;
    std::function<void(NodeModel&)> make;
    const char* message;
};

std::ostream& operator<<(std::ostream& stream, const Fault& fault) { return stream << fault.name; }

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const Fault kAttributes[] = {
    {"DirectionUnknown", "LSTM", [](auto& m) { m.with("direction", "sideways"); },
     "attribute 'direction' is 'sideways'; expected 'forward', 'reverse', 'bidirectional'"},
    {"DirectionNumber", "LSTM", [](auto& m) { m.with("direction", 1); },
     "attribute 'direction' is INT; expected STRING"},
    {"LayoutTwo", "GRU", [](auto& m) { m.with("layout", 2); },
     "attribute 'layout' is 2; expected 0 or 1"},
    {"InputForgetTwo", "LSTM", [](auto& m) { m.with("input_forget", 2); },
     "attribute 'input_forget' is 2; expected 0 or 1"},
    {"InputForgetOfGru", "GRU", [](auto& m) { m.with("input_forget", 1); },
     "attribute 'input_forget' is not known for this operator in this opset"},
    {"LinearBeforeResetOfLstm", "LSTM", [](auto& m) { m.with("linear_before_reset", 1); },
     "attribute 'linear_before_reset' is not known for this operator in this opset"},
    {"ClipNegative", "LSTM", [](auto& m) { m.with("clip", -0.5f); },
     "attribute 'clip' is -0.500000; expected 0 (no clip) or more"},
    {"ClipNan", "RNN", [](auto& m) { m.with("clip", kNan); },
     "attribute 'clip' is nan; expected 0 (no clip) or more"},
    {"ClipInteger", "LSTM", [](auto& m) { m.with("clip", 1); },
     "attribute 'clip' is INT; expected FLOAT"},
    {"HiddenSizeZero", "RNN", [](auto& m) { m.with("hidden_size", 0); },
     "hidden_size is 0; expected 1 or more"},
    {"HiddenSizeFloat", "RNN", [](auto& m) { m.with("hidden_size", 3.0f); },
     "attribute 'hidden_size' is FLOAT; expected INT"},
    {"HiddenSizeOther", "LSTM", [](auto& m) { m.with("hidden_size", 5); },
     "hidden_size is 5 but R has shape [1,12,3]; expected [1,20,5]"},
    {"HiddenSizeTwice", "LSTM", [](auto& m) { NodeBuilder(m.node()).with("hidden_size", 3); },
     "attribute 'hidden_size' is given twice"},
    {"ActivationUnknown", "LSTM",
     [](auto& m) {
         m.with("activations", Strings{"Sigmoid", "Swish", "Tanh"});
     },
     "unknown activation 'Swish'; expected one of 'Affine', 'Relu', 'LeakyRelu'"},
    {"ActivationsTooFew", "LSTM",
     [](auto& m) {
         m.with("activations", Strings{"Tanh", "Tanh"});
     },
     "attribute 'activations' has 2 entries; expected 3"},
    {"ActivationsOfOneDirection", "GRU",
     [](auto& m) {
         m.with("direction", "bidirectional").with("activations", Strings{"Tanh", "Tanh"});
     },
     "attribute 'activations' has 2 entries; expected 4 (2 a direction)"},
    {"AlphaNan", "RNN",
     [](auto& m) {
         m.with("activations", Strings{"Elu"})
             .with("activation_alpha", Floats{std::numeric_limits<float>::quiet_NaN()});
     },
     "activation_alpha is nan at 0; expected a number"},
    {"AlphaIntegers", "RNN",
     [](auto& m) {
         m.with("activations", Strings{"Elu"})
             .with("activation_alpha", std::vector<std::int64_t>{1});
     },
     "attribute 'activation_alpha' is INTS; expected FLOATS"},
    {"AttributeUnknown", "RNN", [](auto& m) { m.with("dropout", 0.5f); },
     "attribute 'dropout' is not known for this operator in this opset"},
};

const Fault kInputs[] = {
    {"XMissing", "GRU", [](auto& m) { m.omit("X"); }, "input 0 (X) is missing"},
    {"WMissing", "LSTM", [](auto& m) { m.omit("W"); }, "input 1 (W) is missing"},
    {"RMissing", "RNN", [](auto& m) { m.omit("R"); }, "input 2 (R) is missing"},
    {"XRankTwo", "LSTM",
     [](auto& m) {
         m.input("X", {5, 4});
     },
     "X has shape [5,4]; expected [?,?,?]"},
    {"WRankTwo", "LSTM",
     [](auto& m) {
         m.weight("W", {12, 4});
     },
     "W has shape [12,4]; expected [1,12,?]"},
    {"RRankTwoNoHiddenSize", "LSTM",
     [](auto& m) {
         m.without("hidden_size");
         m.weight("R", {12, 3});
     },
     "R has shape [12,3]; expected [?,?,?]"},
    {"WGatesOfGru", "LSTM",
     [](auto& m) {
         m.weight("W", {1, 9, 4});
     },
     "hidden_size is 3 but W has shape [1,9,4]; expected [1,12,?]"},
    {"RGatesOfLstm", "GRU",
     [](auto& m) {
         m.weight("R", {1, 12, 3});
     },
     "hidden_size is 3 but R has shape [1,12,3]; expected [1,9,3]"},
    {"WInputSize", "RNN",
     [](auto& m) {
         m.weight("W", {1, 3, 7});
     },
     "X has shape [5,2,4] but W has shape [1,3,7]; expected [1,3,4]"},
    {"WDirections", "LSTM",
     [](auto& m) {
         m.weight("W", {2, 12, 4});
     },
     "num_directions is 1 but W has shape [2,12,4]; expected [1,12,?]"},
    {"RDirections", "GRU", [](auto& m) { m.with("direction", "bidirectional"); },
     "num_directions is 2 but R has shape [1,9,3]; expected [2,9,3]"},
    {"BHalf", "LSTM",
     [](auto& m) {
         m.weight("B", {1, 12});
     },
     "hidden_size is 3 but B has shape [1,12]; expected [1,24]"},
    {"BRankOne", "RNN", [](auto& m) { m.weight("B", {6}); }, "B has shape [6]; expected [1,6]"},
    {"PWidth", "LSTM",
     [](auto& m) {
         m.weight("P", {1, 12});
     },
     "hidden_size is 3 but P has shape [1,12]; expected [1,9]"},
    {"PRankOne", "LSTM", [](auto& m) { m.weight("P", {9}); }, "P has shape [9]; expected [1,9]"},
    {"POfGru", "GRU",
     [](auto& m) {
         m.ports.push_back({"", ElementType::f32, {}, false, {}});
         m.weight("P", {1, 9});
     },
     "input 7 is not known for this operator in this opset"},
    {"NinthInput", "LSTM",
     [](auto& m) {
         m.weight("Q", {1, 9});
     },
     "input 8 is not known for this operator in this opset"},
    {"FourthOutput", "LSTM", [](auto& m) { m.outputs.emplace_back("Z"); },
     "output 3 ('Z') is not known for this operator in this opset"},
    {"CellStateOfRnn", "RNN", [](auto& m) { m.outputs.emplace_back("Y_c"); },
     "output 2 ('Y_c') is not known for this operator in this opset"},
    {"InitialHShape", "GRU",
     [](auto& m) {
         m.input("initial_h", {1, 3, 3});
     },
     "initial_h has shape [1,3,3]; expected [1,2,3]"},
    {"InitialHBatchFirst", "RNN",
     [](auto& m) {
         m.input("initial_h", {2, 1, 3});
     },
     "num_directions is 1 but initial_h has shape [2,1,3]; expected [1,2,3]"},
    {"InitialHLayoutOne", "RNN",
     [](auto& m) {
         m.with("layout", 1);
         m.input("X", {2, 5, 4});
     },
     "num_directions is 1 but initial_h has shape [1,2,3]; expected [2,1,3]"},
    {"InitialCShape", "LSTM",
     [](auto& m) {
         m.input("initial_c", {1, 2, 4});
     },
     "hidden_size is 3 but initial_c has shape [1,2,4]; expected [1,2,3]"},
    {"LengthsShape", "LSTM",
     [](auto& m) { m.tensor("sequence_lens", ElementType::i32, {3}, true); },
     "sequence_lens has shape [3]; expected [2]"},
    {"LengthsRank", "LSTM",
     [](auto& m) {
         m.tensor("sequence_lens", ElementType::i32, {2, 1}, true);
     },
     "sequence_lens has shape [2,1]; expected [2]"},
    {"LengthsType", "LSTM", [](auto& m) { m.tensor("sequence_lens", ElementType::f32, {2}, true); },
     "sequence_lens has type f32; expected i32 or i64"},
    {"LengthsNegative", "RNN",
     [](auto& m) {
         m.constant("sequence_lens", tensor_of<std::int32_t>({2}, {3, -1}));
     },
     "the length of row 1 is -1; expected 0 to 5"},
    {"LengthsTooLong", "GRU",
     [](auto& m) {
         m.constant("sequence_lens", tensor_of<std::int32_t>({2}, {6, 5}));
     },
     "the length of row 0 is 6; expected 0 to 5"},
    {"TypesMixed", "LSTM",
     [](auto& m) {
         m.tensor("R", ElementType::f16, {1, 12, 3}, false);
     },
     "R has type f16; expected f32 as X has"},
    {"StateTypeMixed", "GRU",
     [](auto& m) {
         m.tensor("initial_h", ElementType::f64, {1, 2, 3}, true);
     },
     "initial_h has type f64; expected f32 as X has"},
    {"XIntegers", "RNN",
     [](auto& m) {
         m.tensor("X", ElementType::i32, {5, 2, 4}, true);
     },
     "X has type i32; expected f32, f64, f16 or bf16"},
};

class MalformedNodes : public ::testing::TestWithParam<Fault> {};

TEST_P(MalformedNodes, AreRefused) {
    const Fault& fault = GetParam();
    NodeModel model(fault.op_type);
    fault.make(model);
    const std::string place = "node 'layer' (" + std::string(fault.op_type);
    try {
        model.read();
        FAIL() << "it was read";
    } catch (const InternalError& error) {
        FAIL() << error.what();
    } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find(place), std::string::npos) << message;
        EXPECT_NE(message.find(fault.message), std::string::npos)
            << message << "\nexpected " << fault.message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        // An attribute that the operator doesn't have may be a newer one; the rest is wrong.
        const std::string expected = fault.message;
        const bool newer =
            expected.starts_with("attribute") && expected.find("is not known") != std::string::npos;
        EXPECT_EQ(dynamic_cast<const UnsupportedError*>(&error) != nullptr, newer) << message;
    }
}

// The unchanged node is accepted, so the change is the reason of the refusal.
TEST(MalformedNodes, AreReadWithoutTheirFault) {
    for (const char* op_type : {"LSTM", "GRU", "RNN"}) EXPECT_NO_THROW(NodeModel(op_type).read());
}

const auto kName = [](const auto& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Attributes, MalformedNodes, ::testing::ValuesIn(kAttributes), kName);
INSTANTIATE_TEST_SUITE_P(Inputs, MalformedNodes, ::testing::ValuesIn(kInputs), kName);

}  // namespace
}  // namespace rondo::test::malformed_nodes_test
