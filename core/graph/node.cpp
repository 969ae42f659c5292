#include "core/graph/node.hpp"

#include <utility>

#include "core/support/errors.hpp"

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

const Consumers& Output::consumers() const { return node_->consumers(index_); }

void Output::replace_with(const Output& other) const {
    if (*this == other) return;
    const Output kept = *this;  // a consumer's input may be this node's only owner
    auto& source = kept.node_->outputs_[kept.index_].consumers;
    auto& target = other.node_->outputs_[other.index_].consumers;
    for (const auto& consumer : source) consumer.node->inputs_[consumer.input] = other;
    kept.node_->consumer_count_ -= source.size();
    other.node_->consumer_count_ += source.size();
    target.splice(target.end(), source);
    other.add_names(kept.names());
    kept.set_names({});
}

Node::Node(std::vector<Output> inputs) { set_inputs(std::move(inputs)); }

Node::Node(const Node& other)
    : std::enable_shared_from_this<Node>(),
      name_(other.name_),
      origin_(other.origin_),
      rt_info_(other.rt_info_) {}

Node::~Node() {
    leave_all();
    while (!inputs_.empty()) {
        NodePtr source = std::move(inputs_.back().node_);
        inputs_.pop_back();
        release(std::move(source));
    }
}

// Producers without another owner are destroyed one by one, not inside each other's destructors: a
// reader that fails half-way through a hostile file drops chains of any length. On the way down, an
// input's place in its consumer holds the way back, so that nothing is allocated: memory may have
// run out.
void Node::release(NodePtr node) {
    NodePtr consumer;
    while (node) {
        const bool is_ours = node.use_count() == 1;
        if (is_ours) node->leave_all();
        if (is_ours && !node->inputs_.empty()) {
            NodePtr source = std::move(node->inputs_.back().node_);
            node->inputs_.back().node_ = std::move(consumer);
            consumer = std::move(node);
            node = std::move(source);
            continue;
        }
        node = std::move(consumer);
        if (!node) break;
        consumer = std::move(node->inputs_.back().node_);
        node->inputs_.pop_back();
    }
}

void Node::set_name(std::string name) {
    if (origin_ == NodeOrigin::itself() && name != name_) origin_ = origin_to_share(*this);
    name_ = std::move(name);
}

const Output& Node::input(std::size_t index) const {
    internal_check(index < inputs_.size(), "a node has no such input");
    return inputs_[index];
}

Consumers::iterator Node::join(std::size_t input, const Output& source) {
    internal_check(static_cast<bool>(source), "an input joins nothing");
    Node& producer = source.node();
    auto& outputs = producer.outputs_;
    internal_check(source.index() < outputs.size(), "an input joins an output that isn't there");
    Consumers& consumers = outputs[source.index()].consumers;
    const auto place = consumers.insert(consumers.end(), {this, input});
    ++producer.consumer_count_;
    return place;
}

void Node::leave(std::size_t input) {
    const Output& source = inputs_[input];
    source.node().outputs_[source.index()].consumers.erase(places_[input]);
    --source.node().consumer_count_;
}

void Node::leave_all() {
    for (std::size_t i = 0; i < places_.size(); ++i) leave(i);
    places_.clear();
}

void Node::set_input(std::size_t index, Output source) {
    internal_check(index < inputs_.size(), "a node has no such input");
    const auto place = join(index, source);
    leave(index);
    inputs_[index] = std::move(source);
    places_[index] = place;
}

void Node::set_inputs(std::vector<Output> sources) {
    for (const Output& source : sources) {
        internal_check(static_cast<bool>(source), "an input joins nothing");
    }
    leave_all();
    inputs_ = std::move(sources);
    places_.reserve(inputs_.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i) places_.push_back(join(i, inputs_[i]));
}

Output Node::output(std::size_t index) {
    internal_check(index < outputs_.size(), "a node has no such output");
    return {shared_from_this(), index};
}

const Consumers& Node::consumers(std::size_t output) const {
    internal_check(output < outputs_.size(), "a node has no such output");
    return outputs_[output].consumers;
}

bool Node::has_ranks() const {
    return std::all_of(inputs_.begin(), inputs_.end(),
                       [](const Output& input) { return input.shape().has_rank(); }) &&
           std::all_of(outputs_.begin(), outputs_.end(),
                       [](const OutputState& output) { return output.shape.has_rank(); });
}

std::vector<ExtentSource> Node::extent_sources(std::size_t output, std::size_t axis) const {
    if (traits().keeps_shape) return {{0, axis}};
    const auto rows = has_ranks() ? independent_axis(output, axis) : std::nullopt;
    if (!rows || rows->broadcasts) return {};
    for (std::size_t i = 0; i < rows->inputs.size(); ++i) {
        if (rows->inputs[i] != IndependentAxis::kWhole) return {{i, rows->inputs[i]}};
    }
    return {};
}

std::optional<IndependentAxis> Node::independent_axis(std::size_t output, std::size_t axis) const {
    if (!traits().elementwise) return std::nullopt;
    IndependentAxis rows(input_count(), output_count(), axis);
    rows.broadcasts = input_count() > 1;
    const std::size_t rank = output_shape(output).rank();
    for (std::size_t i = 0; i < input_count(); ++i) {
        const std::size_t missing = rank - input(i).shape().rank();
        if (axis >= missing) rows.inputs[i] = axis - missing;
    }
    return rows;
}

NodePtr shared_node(std::unique_ptr<Node> node) { return node; }

std::string describe(const Node& node) {
    return describe(node.origin().get(), node.name(), node.type_name());
}

NodeOriginPtr origin_to_share(const Node& node) {
    if (node.origin() != NodeOrigin::itself()) return node.origin();
    return std::make_shared<NodeOrigin>(
        NodeOrigin{NodeOrigin::Kind::node, node.name(), std::string(node.type_name())});
}

}  // namespace rondo
