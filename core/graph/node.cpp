#include "core/graph/node.hpp"

#include <algorithm>
#include <utility>

#include "core/graph/infer_context.hpp"
#include "core/support/check.hpp"

namespace rondo {

std::string OpType::opset_name() const {
    return opset == 0 ? std::string(kRondoOpset) : "opset" + std::to_string(opset);
}

ElementType Output::element_type() const { return node_->output_type(index_); }
const PartialShape& Output::shape() const { return node_->output_shape(index_); }
const std::set<std::string>& Output::names() const { return node_->outputs_[index_].names; }

void Output::add_names(const std::set<std::string>& names) const {
    node_->outputs_[index_].names.insert(names.begin(), names.end());
}

void Output::set_names(std::set<std::string> names) const {
    node_->outputs_[index_].names = std::move(names);
}

const std::vector<Consumer>& Output::consumers() const { return node_->consumers(index_); }

void Output::replace_with(const Output& other) const {
    if (*this == other) return;
    const Output kept = *this;  // a consumer's input may be this node's only owner
    auto& source = kept.node_->outputs_[kept.index_].consumers;
    const std::vector<Consumer> moved = std::exchange(source, {});
    auto& target = other.node_->outputs_[other.index_].consumers;
    for (const auto& consumer : moved) {
        consumer.node->inputs_[consumer.input] = other;
        target.push_back(consumer);
    }
    other.add_names(kept.names());
    kept.set_names({});
}

Node::Node(const Node& other)
    : std::enable_shared_from_this<Node>(), name_(other.name_), rt_info_(other.rt_info_) {}

// Destroys producers without another owner one by one, not inside each other's destructors: a
// reader that fails half-way through a hostile file drops chains of any length.
Node::~Node() {
    std::vector<NodePtr> let_go;
    const auto take_inputs = [&let_go](Node& node) {
        for (std::size_t i = 0; i < node.inputs_.size(); ++i) node.leave(i);
        for (const auto& source : node.inputs_) {
            if (source) let_go.push_back(source.node_ptr());
        }
        node.inputs_.clear();
    };
    take_inputs(*this);
    while (!let_go.empty()) {
        const NodePtr node = std::move(let_go.back());
        let_go.pop_back();
        if (node.use_count() == 1) take_inputs(*node);
    }
}

const Output& Node::input(std::size_t index) const {
    internal_check(index < inputs_.size(), "a node has no such input");
    return inputs_[index];
}

void Node::join(std::size_t input) {
    const Output& source = inputs_[input];
    internal_check(static_cast<bool>(source), "an input joins nothing");
    auto& outputs = source.node().outputs_;
    if (outputs.size() <= source.index()) outputs.resize(source.index() + 1);
    outputs[source.index()].consumers.push_back({this, input});
}

void Node::leave(std::size_t input) {
    const Output& source = inputs_[input];
    if (!source) return;
    auto& consumers = source.node().outputs_[source.index()].consumers;
    // From the back: the last consumer is usually removed first.
    const auto at = std::find(consumers.rbegin(), consumers.rend(), Consumer{this, input});
    internal_check(at != consumers.rend(), "a node is not among its producer's consumers");
    consumers.erase(std::next(at).base());
}

void Node::set_input(std::size_t index, Output source) {
    internal_check(index < inputs_.size(), "a node has no such input");
    leave(index);
    inputs_[index] = std::move(source);
    join(index);
}

void Node::set_inputs(std::vector<Output> sources) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) leave(i);
    inputs_ = std::move(sources);
    for (std::size_t i = 0; i < inputs_.size(); ++i) join(i);
}

Output Node::output(std::size_t index) {
    internal_check(index < outputs_.size(), "a node has no such output");
    return {shared_from_this(), index};
}

const std::vector<Consumer>& Node::consumers(std::size_t output) const {
    internal_check(output < outputs_.size(), "a node has no such output");
    return outputs_[output].consumers;
}

void Node::validate() {
    std::vector<InferInput> seen;
    for (const auto& source : inputs_) {
        seen.push_back({source.element_type(), source.shape(),
                        source.node().known_value(source.index())});
    }
    InferContext context(name_, type_name(), std::move(seen));
    infer(context);
    if (outputs_.size() < context.outputs().size()) outputs_.resize(context.outputs().size());
    for (std::size_t i = 0; i < context.outputs().size(); ++i) {
        outputs_[i].type = context.outputs()[i].type;
        outputs_[i].shape = context.outputs()[i].shape;
    }
}

std::string describe(const Node& node) {
    return "node '" + node.name() + "' (" + std::string(node.type_name()) + ")";
}

}  // namespace rondo
