// An op that runs graphs of its own: what If, Loop and TensorIterator have in common.
#include "core/ops/control/control_ops.hpp"

#include <algorithm>

#include "core/graph/inference.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"

namespace rondo::ops {
namespace {

// Not placed(): the op matters, too, if the message names a node of the body.
template <typename Action>
auto in_body(const std::string& place, const Action& action) -> decltype(action()) {
    try {
        return action();
    } catch (const ModelError& error) {
        throw ModelError(one_line(place + ": " + error.what()));
    } catch (const UnsupportedError& error) {
        throw UnsupportedError(one_line(place + ": " + error.what()));
    }
}

bool covers(const Dimension& outer, const Dimension& inner) {
    return outer.min() <= inner.min() && outer.max() >= inner.max();
}

}  // namespace

BodyOp::BodyOp(const BodyOp& other) : Node(other), ports_(other.ports_) {
    for (const GraphPtr& body : other.bodies_) {
        bodies_.push_back(body ? body->clone() : nullptr);
    }
}

void BodyOp::set_body(std::size_t body, GraphPtr graph, BodyPorts ports) {
    if (bodies_.size() <= body) bodies_.resize(body + 1);
    if (ports_.size() <= body) ports_.resize(body + 1);
    bodies_[body] = std::move(graph);
    ports_[body] = std::move(ports);
}

std::string BodyOp::body_text(std::size_t body) const {
    return body_names()[body] + " " + to_text(ports_[body]);
}

void BodyOp::check_bodies(const InferContext& context) const {
    for (std::size_t i = 0; i < body_names().size(); ++i) {
        context.check(i < bodies_.size() && bodies_[i] != nullptr, body_names()[i] + " is missing");
    }
}

std::vector<InferInput> BodyOp::infer_body(const InferContext& context, std::size_t body,
                                           std::span<const InferInput> inputs) const {
    const std::string place = context.place() + ": " + body_names()[body];
    return in_body(place, [&] { return infer_graph(*bodies_[body], inputs); });
}

void BodyOp::validate_bodies(const InferContext& context) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (!may_run(context, i)) continue;
        const auto inputs = body_inputs(context, i);
        for (std::size_t p = 0; p < inputs.size(); ++p) {
            auto& parameter = dynamic_cast<Parameter&>(*bodies_[i]->parameters()[p]);
            parameter.set_element_type(inputs[p].type);
            parameter.set_shape(inputs[p].shape);
        }
        in_body(context.place() + ": " + body_names()[i], [&] { bodies_[i]->validate(); });
    }
}

std::string place_of_body(const BodyOp& op, std::size_t body) {
    const auto names = op.body_names();
    return op.name() + "/" + (names.size() > 1 ? names[body] + "/" : "");
}

PartialShape common_shape(const PartialShape& a, const PartialShape& b) {
    if (!a.has_rank() || !b.has_rank() || a.rank() != b.rank()) return {};
    std::vector<Dimension> extents;
    for (std::size_t i = 0; i < a.rank(); ++i) {
        extents.emplace_back(std::min(a[i].min(), b[i].min()), std::max(a[i].max(), b[i].max()));
    }
    return {std::move(extents)};
}

bool covers(const PartialShape& outer, const PartialShape& inner) {
    if (!outer.has_rank()) return true;
    if (!inner.has_rank() || outer.rank() != inner.rank()) return false;
    for (std::size_t i = 0; i < outer.rank(); ++i) {
        if (!covers(outer[i], inner[i])) return false;
    }
    return true;
}

bool is_true(const Tensor& flag) { return *static_cast<const std::uint8_t*>(flag.data()) != 0; }

std::optional<bool> known_flag(const InferContext& context, std::size_t input,
                               std::string_view what) {
    const std::string text = std::string(what) + " is " +
                             std::string(to_string(context.type(input))) +
                             to_string(context.shape(input)) + "; expected one boolean";
    const ElementType type = context.type(input);
    context.check(type == ElementType::boolean || type == ElementType::dynamic, text);
    const PartialShape& shape = context.shape(input);
    for (const auto& extent : shape.dimensions()) context.check(extent.contains(1), text);
    const Tensor& value = context.value(input);
    if (!value || value.size() != 1) return std::nullopt;
    return is_true(value);
}

}  // namespace rondo::ops
