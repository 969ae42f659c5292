#include "frontend/onnx/writer/context/new_node.hpp"

#include <rondo_onnx.pb.h>

#include "frontend/onnx/messages/tensor_writer.hpp"

namespace rondo::onnx {

using rondo_onnx::AttributeProto;

AttributeProto& NewNode::add(const char* name, int type) {
    AttributeProto& attribute = *node_->add_attribute();
    attribute.set_name(name);
    attribute.set_type(static_cast<AttributeProto::AttributeType>(type));
    return attribute;
}

NewNode& NewNode::with_domain(const char* domain) {
    node_->set_domain(domain);
    return *this;
}

NewNode& NewNode::with_int(const char* name, std::int64_t value) {
    add(name, AttributeProto::INT).set_i(value);
    return *this;
}

NewNode& NewNode::with_float(const char* name, float value) {
    add(name, AttributeProto::FLOAT).set_f(value);
    return *this;
}

NewNode& NewNode::with_text(const char* name, const std::string& value) {
    add(name, AttributeProto::STRING).set_s(value);
    return *this;
}

NewNode& NewNode::with_ints(const char* name, const std::vector<std::int64_t>& values) {
    add(name, AttributeProto::INTS).mutable_ints()->Add(values.begin(), values.end());
    return *this;
}

NewNode& NewNode::with_floats(const char* name, const std::vector<float>& values) {
    add(name, AttributeProto::FLOATS).mutable_floats()->Add(values.begin(), values.end());
    return *this;
}

NewNode& NewNode::with_texts(const char* name, const std::vector<std::string>& values) {
    AttributeProto& attribute = add(name, AttributeProto::STRINGS);
    for (const std::string& value : values) attribute.add_strings(value);
    return *this;
}

NewNode& NewNode::with_tensor(const char* name, const Tensor& value) {
    write_tensor(value, *add(name, AttributeProto::TENSOR).mutable_t());
    return *this;
}

rondo_onnx::GraphProto& NewNode::add_graph(const char* attribute, const std::string& name) {
    rondo_onnx::GraphProto& graph = *add(attribute, AttributeProto::GRAPH).mutable_g();
    graph.set_name(name);
    return graph;
}

void NewNode::drop_output(std::size_t index) { node_->set_output(static_cast<int>(index), ""); }

std::string NewNode::output(std::size_t index) const {
    return node_->output(static_cast<int>(index));
}

std::vector<std::string> NewNode::outputs() const {
    return {node_->output().begin(), node_->output().end()};
}

}  // namespace rondo::onnx
