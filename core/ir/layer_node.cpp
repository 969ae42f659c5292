#include "core/ir/layer_node.hpp"

#include <optional>
#include <set>

#include "core/graph/attribute_text.hpp"
#include "core/ir/composed_ops.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/op_list.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/function_ref.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::ir {
namespace {

// Inference says "node 'name' (Type): ..."; the layer's own place says that better.
std::string without_node(const std::string& message, const Node& node) {
    const std::string prefix = rondo::describe(node) + ": ";
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

void validate(Node& node) {
    try {
        node.validate();
    } catch (const ModelError& error) {
        throw ModelError(without_node(error.what(), node));
    } catch (const UnsupportedError& error) {
        throw UnsupportedError(without_node(error.what(), node));
    }
}

const std::string* find(const Attributes& attributes, std::string_view name) {
    for (const auto& [known, text] : attributes) {
        if (known == name) return &text;
    }
    return nullptr;
}

// The bitwise ops of booleans, as OpenVINO's PyTorch frontend writes them, are the logical ones.
std::string_view op_name(const LayerNode& layer) {
    constexpr std::pair<std::string_view, std::string_view> kLogical[] = {
        {"BitwiseAnd", "LogicalAnd"},
        {"BitwiseNot", "LogicalNot"},
        {"BitwiseOr", "LogicalOr"},
        {"BitwiseXor", "LogicalXor"},
    };
    if (layer.inputs.empty() || layer.inputs[0].element_type() != ElementType::boolean) {
        return layer.type;
    }
    for (const auto& [bitwise, logical] : kLogical) {
        if (equals_ignoring_case(layer.type, bitwise)) return logical;
    }
    return layer.type;
}

// Drops inputs that other opsets lack, if they have their default value: the axes of Broadcast in
// another mode than explicit, and a soft_nms_sigma of 0.
void drop_unread(const Node& node, std::vector<Output>& inputs) {
    constexpr std::size_t kMapping = 2, kSigma = 5;
    if (const auto* broadcast = as_op<ops::Broadcast>(node)) {
        const bool reads = broadcast->mode() == ops::BroadcastMode::explicit_axes;
        if (!reads && inputs.size() == kMapping + 1) inputs.pop_back();
    } else if (as_op<ops::NonMaxSuppression>(node) != nullptr && inputs.size() == kSigma + 1) {
        const Tensor sigma = known_value(inputs[kSigma]);
        const bool is_zero = sigma && sigma.element_type() == ElementType::f32 &&
                             sigma.size() == 1 && *sigma.data<float>() == 0;
        if (!is_zero) throw UnsupportedError("soft_nms_sigma isn't known to be 0");
        inputs.pop_back();
    }
}

// Attributes that `read` doesn't ask for are refused.
void read_attributes(const Attributes& attributes,
                     FunctionRef<void(AttributeReader& reader)> read) {
    std::set<std::string> known;
    AttributeTextReader reader([&](std::string_view name) -> std::optional<std::string> {
        known.emplace(name);
        const std::string* text = find(attributes, name);
        return text == nullptr ? std::nullopt : std::optional<std::string>(*text);
    });
    read(reader);
    for (const auto& [name, text] : attributes) {
        if (!known.contains(name)) {
            throw UnsupportedError("attribute '" + name + "' (\"" + text +
                                   "\") is not known for this op");
        }
    }
}

NodePtr compose(LayerNode layer, UniqueNames& names) {
    NodePtr node;
    read_attributes(layer.attributes, [&](AttributeReader& reader) {
        ComposedLayer composed{layer.name, std::move(layer.inputs), reader, names};
        node = find_composed(layer.type, layer.version)(composed);
    });
    return node;
}

}  // namespace

bool is_known(std::string_view type, std::string_view version) {
    return ops::find_op(type, version) != nullptr || find_composed(type, version) != nullptr;
}

std::string unsupported_text(std::string_view type, std::string_view version) {
    const std::string text = "'" + std::string(type) + "' (" + std::string(version);
    for (const auto& op : ops::op_list()) {
        if (!equals_ignoring_case(op.type->name, type) || op.type->opset == 0) continue;
        return text + "; known in " + op.type->opset_name() + " and later)";
    }
    return text + ")";
}

std::vector<std::string> body_names(std::string_view type, std::string_view version) {
    const ops::OpEntry* form = ops::find_op(type, version);
    const NodePtr example = form == nullptr ? nullptr : form->make();
    const auto op = as<ops::BodyOp>(example);
    return op == nullptr ? std::vector<std::string>() : op->body_names();
}

void set_bodies(ops::BodyOp& op, const std::vector<LayerBody>& bodies,
                const ops::LoopPorts& loop_ports) {
    const std::size_t count = op.body_names().size();
    if (bodies.size() != count) {
        throw ModelError("got " + std::to_string(bodies.size()) + " bodies; expected " +
                         std::to_string(count));
    }
    for (std::size_t i = 0; i < count; ++i) op.set_body(i, bodies[i].graph, bodies[i].ports);
    if (auto* loop = dynamic_cast<ops::Loop*>(&op)) loop->set_special_ports(loop_ports);
}

NodePtr make_layer_node(LayerNode layer, UniqueNames& names) {
    const ops::OpEntry* form = ops::find_op(op_name(layer), layer.version);
    if (form == nullptr) return compose(std::move(layer), names);
    NodePtr node = form->make();
    node->set_name(layer.name);
    read_attributes(layer.attributes,
                    [&](AttributeReader& reader) { node->read_attributes(reader); });
    if (const auto constant = as<ops::Constant>(node)) constant->set_value(std::move(layer.value));
    if (const auto op = as<ops::BodyOp>(node)) set_bodies(*op, layer.bodies, layer.loop_ports);
    if (const auto recurrent = as<ops::RecurrentOp>(node)) {
        layer.inputs = adopt_form(*recurrent, *form->type, std::move(layer.inputs),
                                  names.take_underscored(layer.name + "/B"));
    }
    drop_unread(*node, layer.inputs);
    node->set_inputs(std::move(layer.inputs));
    ops::adopt_ports(*node, [&](std::string_view port) {
        return names.take_underscored(layer.name + "/" + std::string(port));
    });
    validate(*node);
    return node;
}

}  // namespace rondo::ir
