#include "tests/conformance/node_model.hpp"

#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {
namespace {

constexpr const char* kOutputNames[] = {"Y", "Y_h", "Y_c"};
constexpr const char* kNegated = "_negated";

// Each open axis of an input has a name of its own.
void open_axis(rondo_onnx::ValueInfoProto& value, int axis, const char* name) {
    value.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(axis)->set_dim_param(
        name);
}

void open_extents(const RecurrentNode& node, std::size_t index, rondo_onnx::ValueInfoProto& value) {
    const int batch = node.layout ? 0 : 1;
    switch (index) {
        case kX:
            open_axis(value, 1 - batch, "T");
            open_axis(value, batch, "N");
            break;
        case kLengths: open_axis(value, 0, "N"); break;
        case kInitialH:
        case kInitialC: open_axis(value, batch, "N"); break;
        default: break;
    }
}

// Adds the input and the nodes that compute it; returns the name that the node reads.
std::string add_input(ModelBuilder& model, const RecurrentNode& node, std::size_t index) {
    const NodeInput& input = node.inputs[index];
    const std::string name = kInputNames[index];
    if (!input) return "";
    if (input.source == Source::constant) {
        model.initializer(name, input.value);
        return name;
    }
    const bool computed = input.source == Source::computed;
    const std::string from = computed ? name + kNegated : name;
    model.input(from, input.value.element_type(), PartialShape(input.value.shape()));
    auto& value = *model.graph().mutable_input(model.graph().input_size() - 1);
    if (node.open_extents) open_extents(node, index, value);
    if (computed) model.node("Neg", {from}, {name}, "negate_" + name);
    return name;
}

void strip(std::vector<std::string>& names) {
    while (!names.empty() && names.back().empty()) names.pop_back();
}

void add_attributes(NodeBuilder builder, const RecurrentNode& node) {
    if (node.says_hidden_size) builder.with("hidden_size", static_cast<std::int64_t>(node.h));
    if (node.says_direction) builder.with("direction", node.direction);
    if (node.layout) builder.with("layout", 1);
    if (node.clip) builder.with("clip", *node.clip);
    if (node.input_forget) builder.with("input_forget", *node.input_forget ? 1 : 0);
    if (node.linear_before_reset) {
        builder.with("linear_before_reset", *node.linear_before_reset ? 1 : 0);
    }
    if (node.output_sequence) builder.with("output_sequence", *node.output_sequence ? 1 : 0);
    if (!node.activations.empty()) builder.with("activations", node.activations);
    if (!node.alpha.empty()) builder.with("activation_alpha", node.alpha);
    if (!node.beta.empty()) builder.with("activation_beta", node.beta);
}

template <typename T>
Tensor negated(const Tensor& tensor) {
    Tensor result(tensor.element_type(), tensor.shape());
    for (std::size_t k = 0; k < tensor.size(); ++k) {
        const T& from = tensor.data<T>()[k];
        if constexpr (std::is_arithmetic_v<T>) {
            result.data<T>()[k] = -from;
        } else {
            result.data<T>()[k] = T(-static_cast<float>(from));
        }
    }
    return result;
}

Tensor negated(const Tensor& tensor) {
    switch (tensor.element_type()) {
        case ElementType::f16: return negated<float16>(tensor);
        case ElementType::bf16: return negated<bfloat16>(tensor);
        case ElementType::f64: return negated<double>(tensor);
        case ElementType::i32: return negated<std::int32_t>(tensor);
        case ElementType::i64: return negated<std::int64_t>(tensor);
        default: return negated<float>(tensor);
    }
}

}  // namespace

std::string model_of(const RecurrentNode& node) {
    ModelBuilder model(node.opset);
    std::vector<std::string> inputs;
    for (std::size_t k = 0; k < node.input_count(); ++k) {
        inputs.push_back(add_input(model, node, k));
    }
    std::vector<std::string> outputs;
    for (std::size_t k = 0; k < node.output_count(); ++k) {
        outputs.emplace_back(node.outputs[k] ? kOutputNames[k] : "");
    }
    if (!node.names_omitted) {
        strip(inputs);
        strip(outputs);
    }
    add_attributes(model.node(node.op_type, inputs, outputs), node);
    for (const auto& name : model_outputs(node)) {
        model.output(name);
        auto& value = *model.graph().mutable_output(model.graph().output_size() - 1);
        value.mutable_type()->mutable_tensor_type()->set_elem_type(to_onnx(node.type));
    }
    return model.bytes();
}

std::vector<ModelInput> model_inputs(const RecurrentNode& node) {
    std::vector<ModelInput> inputs;
    for (std::size_t k = 0; k < node.input_count(); ++k) {
        const NodeInput& input = node.inputs[k];
        if (input.source == Source::input) inputs.push_back({kInputNames[k], input.value});
        if (input.source == Source::computed) {
            inputs.push_back({std::string(kInputNames[k]) + kNegated, negated(input.value)});
        }
    }
    return inputs;
}

std::vector<std::string> model_outputs(const RecurrentNode& node) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < node.output_count(); ++k) {
        if (node.outputs[k]) names.emplace_back(kOutputNames[k]);
    }
    return names;
}

}  // namespace rondo::test
