#include "tests/unit/frontend/onnx/model_builder.hpp"

#include <stdexcept>
#include <unordered_map>

#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/source_ops.hpp"
#include "frontend/onnx/onnx.hpp"

namespace rondo::test {

using rondo_onnx::AttributeProto;

std::int32_t to_onnx(ElementType type) {
    switch (type) {
        case ElementType::f32: return 1;
        case ElementType::u8: return 2;
        case ElementType::i8: return 3;
        case ElementType::u16: return 4;
        case ElementType::i16: return 5;
        case ElementType::i32: return 6;
        case ElementType::i64: return 7;
        case ElementType::boolean: return 9;
        case ElementType::f16: return 10;
        case ElementType::f64: return 11;
        case ElementType::u32: return 12;
        case ElementType::u64: return 13;
        case ElementType::bf16: return 16;
        case ElementType::f8e4m3: return 17;
        case ElementType::f8e4m3fnuz: return 18;
        case ElementType::f8e5m2: return 19;
        case ElementType::f8e5m2fnuz: return 20;
        case ElementType::u4: return 21;
        case ElementType::i4: return 22;
        case ElementType::f4e2m1: return 23;
        case ElementType::f8e8m0: return 24;
        case ElementType::u2: return 25;
        case ElementType::i2: return 26;
        case ElementType::dynamic: break;
    }
    throw std::invalid_argument("no ONNX type");
}

rondo_onnx::TensorProto to_message(const std::string& name, const Tensor& tensor) {
    rondo_onnx::TensorProto message;
    message.set_name(name);
    message.set_data_type(to_onnx(tensor.element_type()));
    for (const std::size_t extent : tensor.shape()) {
        message.add_dims(static_cast<std::int64_t>(extent));
    }
    message.set_raw_data(tensor.data(), tensor.byte_size());
    return message;
}

AttributeProto& NodeBuilder::add(const std::string& name, int type) {
    AttributeProto& attribute = *node_.add_attribute();
    attribute.set_name(name);
    attribute.set_type(static_cast<AttributeProto::AttributeType>(type));
    return attribute;
}

NodeBuilder& NodeBuilder::with(const std::string& name, std::int64_t value) {
    add(name, AttributeProto::INT).set_i(value);
    return *this;
}

NodeBuilder& NodeBuilder::with(const std::string& name, float value) {
    add(name, AttributeProto::FLOAT).set_f(value);
    return *this;
}

NodeBuilder& NodeBuilder::with(const std::string& name, const std::string& value) {
    add(name, AttributeProto::STRING).set_s(value);
    return *this;
}

NodeBuilder& NodeBuilder::with(const std::string& name, const std::vector<std::int64_t>& values) {
    auto& attribute = add(name, AttributeProto::INTS);
    for (const std::int64_t value : values) attribute.add_ints(value);
    return *this;
}

NodeBuilder& NodeBuilder::with(const std::string& name, const std::vector<float>& values) {
    auto& attribute = add(name, AttributeProto::FLOATS);
    for (const float value : values) attribute.add_floats(value);
    return *this;
}

NodeBuilder& NodeBuilder::with(const std::string& name, const std::vector<std::string>& values) {
    auto& attribute = add(name, AttributeProto::STRINGS);
    for (const auto& value : values) attribute.add_strings(value);
    return *this;
}

NodeBuilder& NodeBuilder::with(const std::string& name, const Tensor& value) {
    *add(name, AttributeProto::TENSOR).mutable_t() = to_message("", value);
    return *this;
}

NodeBuilder& NodeBuilder::with(const std::string& name, const rondo_onnx::GraphProto& body) {
    *add(name, rondo_onnx::AttributeProto::GRAPH).mutable_g() = body;
    return *this;
}

NodeBuilder& NodeBuilder::domain(const std::string& name) {
    node_.set_domain(name);
    return *this;
}

ModelBuilder::ModelBuilder(std::int64_t opset) {
    model_.set_ir_version(8);
    model_.add_opset_import()->set_version(opset);
    graph().set_name("test");
}

ModelBuilder& ModelBuilder::input(const std::string& name, ElementType type,
                                  const PartialShape& shape) {
    auto& value = *graph().add_input();
    value.set_name(name);
    auto& tensor = *value.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(to_onnx(type));
    if (!shape.has_rank()) return *this;
    tensor.mutable_shape();
    for (const auto& extent : shape.dimensions()) {
        auto& dim = *tensor.mutable_shape()->add_dim();
        if (extent.is_static()) {
            dim.set_dim_value(extent.length());
        } else {
            dim.set_dim_param("open");
        }
    }
    return *this;
}

ModelBuilder& ModelBuilder::initializer(const std::string& name, const Tensor& tensor) {
    *graph().add_initializer() = to_message(name, tensor);
    return *this;
}

NodeBuilder ModelBuilder::node(const std::string& op_type, const std::vector<std::string>& inputs,
                               const std::vector<std::string>& outputs, const std::string& name) {
    auto& node = *graph().add_node();
    node.set_op_type(op_type);
    node.set_name(name == "-" ? "the_" + op_type : name);
    for (const auto& input : inputs) node.add_input(input);
    for (const auto& output : outputs) node.add_output(output);
    return NodeBuilder(node);
}

ModelBuilder& ModelBuilder::output(const std::string& name) {
    graph().add_output()->set_name(name);
    return *this;
}

std::string ModelBuilder::bytes() const { return model_.SerializeAsString(); }

std::shared_ptr<Graph> ModelBuilder::read() const { return read_bytes(bytes()); }

std::vector<Tensor> ModelBuilder::run(const std::vector<Tensor>& inputs) const {
    return evaluate(*read(), inputs);
}

std::shared_ptr<Graph> read_bytes(const std::string& bytes, const std::string& path) {
    ModelSource source;
    source.path = path;
    source.data = reinterpret_cast<const std::byte*>(bytes.data());
    source.size = bytes.size();
    return onnx::read(source);
}

std::vector<Tensor> evaluate(const Graph& graph, const std::vector<Tensor>& inputs) {
    std::unordered_map<const Node*, std::vector<Tensor>> values;
    for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
        values[graph.parameters()[i].get()] = {inputs.at(i)};
    }
    std::vector<Tensor> results;
    for (const auto& node : graph.ordered_nodes()) {
        if (values.contains(node.get())) continue;
        std::vector<Tensor> arguments;
        for (const auto& source : node->inputs()) {
            arguments.push_back(values.at(&source.node()).at(source.index()));
        }
        if (const auto constant = as<ops::Constant>(node)) {
            values[node.get()] = {constant->value()};
        } else if (node->type_name() == "Result") {
            results.push_back(arguments.front());
        } else {
            values[node.get()] = reference::evaluate(*node, arguments);
        }
    }
    return results;
}

}  // namespace rondo::test
