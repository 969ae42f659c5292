#include "frontend/onnx/context/node_context.hpp"

#include <algorithm>

#include <rondo_onnx.pb.h>

#include "core/graph/infer_context.hpp"
#include "core/ops/op_list.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"
#include "frontend/onnx/context/readers.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

NodeContext::NodeContext(const rondo_onnx::NodeProto& node, std::string name, std::int64_t opset,
                         std::vector<Output> inputs, Shared shared)
    : node_(node),
      name_(std::move(name)),
      opset_(opset),
      inputs_(std::move(inputs)),
      shared_(shared),
      attributes_(node) {
    while (!inputs_.empty() && !inputs_.back()) inputs_.pop_back();
    read_.resize(inputs_.size());
}

void NodeContext::finish_node(Node& node, std::string_view role) {
    node.set_name(unique_name(role));
    node.set_origin(shared_.origin);
    adopt_ports(node, role);
    node.validate();
}

void NodeContext::adopt(const NodePtr& node) {
    const std::string role = "part_" + std::to_string(parts_.size());
    node->set_name(name_);  // for errors
    node->set_origin(shared_.origin);
    adopt_ports(*node, role);
    node->validate();
    node->set_name(unique_name(role));
    if (const auto* constant = as_op<ops::Constant>(*node)) count(*constant);
    parts_.push_back(node.get());
}

std::vector<Output> NodeContext::results(std::vector<Output> outputs) {
    const bool is_part = !own_name_used_ && !outputs.empty() && outputs[0] &&
                         std::ranges::count(parts_, &outputs[0].node()) > 0;
    if (is_part) finish_node(outputs[0].node(), "");
    return outputs;
}

bool NodeContext::attribute(const std::string& name, bool otherwise) {
    return attributes_.flag(name, otherwise);
}

std::int64_t NodeContext::attribute(const std::string& name, std::int64_t otherwise) {
    return attributes_.find_int(name).value_or(otherwise);
}

float NodeContext::attribute(const std::string& name, float otherwise) {
    return attributes_.find_float(name).value_or(otherwise);
}

std::string NodeContext::attribute(const std::string& name, const char* otherwise) {
    return attributes_.find_string(name).value_or(otherwise);
}

NodeContext::Ints NodeContext::attribute(const std::string& name, const Ints& otherwise) {
    return attributes_.find_ints(name).value_or(otherwise);
}

std::int64_t NodeContext::attribute_from(const std::string& name, std::int64_t otherwise,
                                         std::int64_t least) {
    const std::int64_t value = attribute(name, otherwise);
    if (value >= least) return value;
    throw ModelError("attribute '" + name + "' is " + std::to_string(value) + "; expected " +
                     std::to_string(least) + " or more");
}

namespace {

template <typename T>
T given(std::optional<T> value, const std::string& name) {
    if (!value) throw ModelError("attribute '" + name + "' is missing");
    return *std::move(value);
}

}  // namespace

std::int64_t NodeContext::required_int(const std::string& name) {
    return given(attributes_.find_int(name), name);
}

NodeContext::Ints NodeContext::required_ints(const std::string& name) {
    return given(attributes_.find_ints(name), name);
}

std::string NodeContext::required_string(const std::string& name) {
    return given(attributes_.find_string(name), name);
}

void NodeContext::refuse_choice(const std::string& name, const std::string& text,
                                const std::vector<std::string>& known) {
    std::string list;
    for (const std::string& one : known) {
        if (!list.empty()) list += &one == &known.back() ? " or " : ", ";
        list += "'" + one + "'";
    }
    throw ModelError("attribute '" + name + "' is '" + text + "'; expected " + list);
}

void NodeContext::count(const ops::Constant& constant) {
    shared_.tensors.memory().take(constant.value().byte_size());
}

bool NodeContext::has_input(std::size_t index) const {
    return index < inputs_.size() && inputs_[index];
}

Output NodeContext::input(std::size_t index) {
    const Output value = any_input(index);
    if (!find_sequence(value)) return value;
    throw UnsupportedError("input " + std::to_string(index) +
                           " is a sequence or optional value; expected a tensor");
}

const Sequence& NodeContext::sequence(std::size_t index) {
    if (const Sequence* sequence = find_sequence(any_input(index))) return *sequence;
    throw ModelError("input " + std::to_string(index) + " is a tensor; expected a sequence");
}

const std::vector<Output>& NodeContext::tensors(std::size_t index) {
    const Sequence& list = sequence(index);
    if (list.is_list()) return list.inputs();
    throw UnsupportedError("input " + std::to_string(index) +
                           " is a sequence whose number of tensors comes with the run");
}

Output NodeContext::any_input(std::size_t index) {
    if (!has_input(index)) throw ModelError("input " + std::to_string(index) + " is missing");
    read_[index] = true;
    return inputs_[index];
}

Output NodeContext::optional_input(std::size_t index) {
    return has_input(index) ? input(index) : Output();
}

std::vector<Output> NodeContext::all_inputs(std::size_t min) {
    std::vector<Output> all;
    for (std::size_t i = 0; i < std::max(min, input_count()); ++i) all.push_back(input(i));
    return all;
}

std::size_t NodeContext::output_count() const {
    return static_cast<std::size_t>(node_.output_size());
}

bool NodeContext::has_output(std::size_t index) const {
    return index < output_count() && !node_.output(static_cast<int>(index)).empty();
}

std::optional<std::int64_t> NodeContext::joined_axis(std::size_t index) const {
    if (!has_output(index) || shared_.graph == nullptr) return {};
    return joined_axis_of(*shared_.graph, node_.output(static_cast<int>(index)));
}

std::optional<bool> NodeContext::transposed_right_side(std::size_t index) const {
    if (!has_output(index) || shared_.graph == nullptr) return {};
    return onnx::transposed_right_side(*shared_.graph, node_.output(static_cast<int>(index)));
}

Tensor NodeContext::read_tensor(const rondo_onnx::SparseTensorProto& tensor) {
    return shared_.tensors.read(tensor);
}

Tensor NodeContext::read_tensor(const rondo_onnx::TensorProto& tensor) {
    return shared_.tensors.read(tensor);
}

BodyGraph NodeContext::read_body(
    const std::string& attribute, BodyRequest& request,
    const std::function<bool(BodyGraph& body, BodyRequest& request)>& accept) {
    const auto* graph = attributes_.find_graph(attribute);
    if (graph == nullptr) throw ModelError("attribute '" + attribute + "' is missing");
    const UniqueNames::Mark before = shared_.names.mark();
    while (true) {
        try {
            BodyGraph body = at_place([&] { return attribute; },
                                      [&] { return shared_.read_body(*graph, request); });
            if (!accept || accept(body, request)) return body;
        } catch (const ListIsRead& read) {
            if (!prepare_to_read(read, request)) throw;
        }
        shared_.names.go_back_to(before);
    }
}

void NodeContext::check_shape(const Output& value, const PartialShape& expected,
                              std::string_view what) {
    if (value.shape().intersect(expected)) return;
    throw ModelError(std::string(what) + " has shape " + to_string(value.shape()) + "; expected " +
                     to_string(expected));
}

ElementType NodeContext::known_type(const Output& value, std::string_view what) {
    if (value.element_type() != ElementType::dynamic) return value.element_type();
    throw UnsupportedError("the element type of " + std::string(what) + " isn't known");
}

ElementType NodeContext::floating_type(const Output& value, std::string_view what) {
    const ElementType type = known_type(value, what);
    if (is_floating(type)) return type;
    throw UnsupportedError(std::string(what) + " is " + std::string(to_string(type)) +
                           "; expected a floating type");
}

std::size_t NodeContext::rank_of(const Output& value, std::size_t least, std::string_view what) {
    const PartialShape& shape = value.shape();
    if (!shape.has_rank()) {
        throw UnsupportedError("the rank of " + std::string(what) + " isn't known");
    }
    if (shape.rank() >= least) return shape.rank();
    throw ModelError(std::string(what) + " has shape " + to_string(shape) + "; expected rank " +
                     std::to_string(least) + " or more");
}

std::size_t NodeContext::normal_axis(std::int64_t axis, const PartialShape& shape) const {
    return normalize_axis(InferContext(name_, node_.op_type(), {}), axis, shape.rank());
}

std::optional<std::vector<std::int64_t>> NodeContext::known_ints(const Output& value) {
    const Tensor known = known_value(value);
    if (!known || !is_integral(known.element_type())) return std::nullopt;
    return to_int64_vector(known);
}

void NodeContext::check_all_read() const {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (read_[i] || !inputs_[i]) continue;
        throw ModelError("input " + std::to_string(i) +
                         " is not known for this operator in this opset");
    }
    attributes_.check_all_read();
}

void NodeContext::adopt_ports(Node& node, std::string_view role) {
    ops::adopt_ports(node, [&](std::string_view port) {
        return unique_name(role.empty() ? std::string(port)
                                        : std::string(role) + "/" + std::string(port));
    });
}

std::string NodeContext::unique_name(std::string_view role) {
    if (!role.empty()) return shared_.names.take(name_ + "/" + std::string(role));
    if (own_name_used_) return shared_.names.take(name_);
    own_name_used_ = true;
    return name_;
}

}  // namespace rondo::onnx
