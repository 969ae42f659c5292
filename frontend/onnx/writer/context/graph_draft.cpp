#include "frontend/onnx/writer/context/graph_draft.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>

#include "core/ir/compressed_weights.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/messages/tensor_writer.hpp"

namespace rondo::onnx {
namespace {

// Larger ones are neither compared nor shared.
constexpr std::size_t kSmallBytes = 256;

void write_type(ElementType type, const PartialShape& shape, rondo_onnx::ValueInfoProto& info) {
    auto& tensor = *info.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(onnx_from_element_type(type));
    if (!shape.has_rank()) return;
    auto& message = *tensor.mutable_shape();
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        auto& extent = *message.add_dim();
        if (shape[i].is_static()) extent.set_dim_value(shape[i].length());
    }
}

}  // namespace

NewNode& NewNode::with(const char* name, const Attribute& value) {
    using Proto = rondo_onnx::AttributeProto;
    constexpr Proto::AttributeType kTypes[] = {Proto::INT,  Proto::FLOAT,  Proto::STRING,
                                               Proto::INTS, Proto::FLOATS, Proto::STRINGS};
    Proto& attribute = *node_->add_attribute();
    attribute.set_name(name);
    attribute.set_type(kTypes[value.index()]);
    const auto add = [](const auto& values, auto& list) {
        for (const auto& each : values) *list.Add() = each;
    };
    if (const auto* number = std::get_if<std::int64_t>(&value)) attribute.set_i(*number);
    if (const auto* number = std::get_if<float>(&value)) attribute.set_f(*number);
    if (const auto* text = std::get_if<std::string>(&value)) attribute.set_s(*text);
    if (const auto* ints = std::get_if<Ints>(&value)) add(*ints, *attribute.mutable_ints());
    if (const auto* floats = std::get_if<4>(&value)) add(*floats, *attribute.mutable_floats());
    if (const auto* texts = std::get_if<Names>(&value)) add(*texts, *attribute.mutable_strings());
    return *this;
}

rondo_onnx::GraphProto& NewNode::add_graph(const char* attribute, const std::string& name) {
    rondo_onnx::AttributeProto& added = *node_->add_attribute();
    added.set_name(attribute);
    added.set_type(rondo_onnx::AttributeProto::GRAPH);
    added.mutable_g()->set_name(name);
    return *added.mutable_g();
}

void NewNode::set_domain(const char* domain) { node_->set_domain(domain); }

void NewNode::drop_output(std::size_t index) { node_->set_output(static_cast<int>(index), ""); }

std::string NewNode::output(std::size_t index) const {
    return node_->output(static_cast<int>(index));
}

NewNode::operator Names() const { return {node_->output().begin(), node_->output().end()}; }

void FileDraft::use_type(ElementType type) {
    const bool is_2_bits = type == ElementType::i2 || type == ElementType::u2;
    const std::int64_t since = type == ElementType::f4e2m1   ? 23
                               : type == ElementType::f8e8m0 ? 24
                               : is_2_bits                   ? 25
                                                             : 1;
    opset = std::max(opset, since);
}

std::string GraphDraft::name_of(const Output& value) {
    const auto known = names_.find({&value.node(), value.index()});
    if (known != names_.end()) return known->second;
    const auto node = as<ops::Constant>(value);
    internal_check(node != nullptr, "a value is read before it is written");
    std::string name = compressed(*node);
    set_name(value, name);
    return name;
}

void GraphDraft::set_name(const Output& value, std::string name) {
    names_[{&value.node(), value.index()}] = std::move(name);
}

NewNode GraphDraft::emit(std::string_view type, const Names& inputs, std::size_t outputs) {
    const std::string name(type);
    rondo_onnx::NodeProto& node = *graph_->add_node();
    node.set_op_type(name);
    for (const std::string& input : inputs) node.add_input(input);
    while (node.input_size() > 0 && node.input(node.input_size() - 1).empty()) {
        node.mutable_input()->RemoveLast();
    }
    for (std::size_t i = 0; i < outputs; ++i) node.add_output(file_->names.take_numbered(name));
    return NewNode(node);
}

bool GraphDraft::makes(const std::string& value, int first) const {
    const auto& nodes = graph_->node();
    return std::any_of(nodes.begin() + first, nodes.end(), [&](const auto& node) {
        return std::find(node.output().begin(), node.output().end(), value) != node.output().end();
    });
}

std::string GraphDraft::initializer(const Tensor& value, const std::string& name) {
    file_->use_type(value.element_type());
    rondo_onnx::TensorProto& tensor = *graph_->add_initializer();
    tensor.set_name(file_->names.take(name));
    if (file_->external != nullptr && file_->external->takes(value)) {
        file_->external->add(value, tensor);
    } else {
        write_tensor(value, tensor);
    }
    return tensor.name();
}

std::string GraphDraft::constant(const Tensor& value, const std::string& name) {
    if (value.byte_size() > kSmallBytes || !value.is_contiguous()) return initializer(value, name);
    SmallConstant key{value.element_type(), value.shape(), {}};
    if (value.byte_size() > 0) {
        std::get<2>(key).assign(static_cast<const char*>(value.data()), value.byte_size());
    }
    const auto known = small_constants_.find(key);
    if (known != small_constants_.end()) return known->second;
    return small_constants_[std::move(key)] = initializer(value, name);
}

// As the IR's writer does it: the constant in 16 bits, and what widens it.
std::string GraphDraft::compressed(const ops::Constant& node) {
    const Tensor half = ir::compressed(node, file_->weights);
    if (!half) return constant(node.value(), node.name());
    return emit("Cast", {initializer(half, node.name() + "_compressed")})
        .with("to", onnx_from_element_type(node.value().element_type()));
}

std::string GraphDraft::add_input(const std::string& wanted, ElementType type,
                                  const PartialShape& shape) {
    file_->use_type(type);
    auto& info = *graph_->add_input();
    info.set_name(file_->names.take(wanted));
    write_type(type, shape, info);
    return info.name();
}

void GraphDraft::add_output(const std::string& name, ElementType type, const PartialShape& shape) {
    auto& info = *graph_->add_output();
    info.set_name(name);
    write_type(type, shape, info);
}

}  // namespace rondo::onnx
