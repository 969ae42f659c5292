// Runs a graph while a condition holds, and not more often than a number says; or for each part of
// its inputs.
#include "core/ops/control/control_ops.hpp"

#include <algorithm>

#include "core/ops/source/source_ops.hpp"
#include "core/support/strings.hpp"

namespace rondo::ops {
namespace {

bool is_one_element(const PartialShape& shape) {
    for (const auto& extent : shape.dimensions()) {
        if (!extent.contains(1)) return false;
    }
    return !shape.has_rank() || shape.rank() <= 1;
}

bool is_count_type(ElementType type) {
    return type == ElementType::i64 || type == ElementType::i32 || type == ElementType::dynamic;
}

}  // namespace

std::string Loop::body_text(std::size_t body) const {
    std::string text = IteratedOp::body_text(body);
    if (special_.iteration) text += " iteration -> " + std::to_string(*special_.iteration);
    if (special_.condition) text += " condition <- " + std::to_string(*special_.condition);
    return text;
}

void Loop::check_own(const InferContext& context) const {
    context.check(context.input_count() >= 2, "got " + counted(context.input_count(), "input") +
                                                  "; expected a trip count and a condition");
    context.check(is_count_type(context.type(0)) && is_one_element(context.shape(0)),
                  "the trip count is " + std::string(to_string(context.type(0))) +
                      to_string(context.shape(0)) + "; expected one i64 or i32");
    known_flag(context, 1, "the condition");
    if (special_.iteration) {
        const std::size_t index = *special_.iteration;
        context.check(index < body().parameters().size(), "the body has no parameter " +
                                                              std::to_string(index) +
                                                              " for the number of the iteration");
        const auto& parameter = dynamic_cast<const Parameter&>(*body().parameters()[index]);
        context.check((parameter.element_type() == ElementType::i64 ||
                       parameter.element_type() == ElementType::i32) &&
                          parameter.shape().is_static() && is_one_element(parameter.shape()),
                      "the number of the iteration is " +
                          std::string(to_string(parameter.element_type())) +
                          to_string(parameter.shape()) + "; expected one i64 or i32");
    }
    if (!special_.condition) return;
    context.check(
        *special_.condition < body().results().size(),
        "the body has no result " + std::to_string(*special_.condition) + " for the condition");
}

// Whether further iterations follow the first one for sure, or never; empty if only a run
// knows.
std::optional<bool> Loop::goes_on(const InferContext& context) const {
    if (!special_.condition) return true;
    const Output& source = body().results()[*special_.condition]->input(0);
    if (source.node().input_count() == 0) {
        const Tensor value = source.node().known_value(source.index());
        if (value && value.size() == 1 && value.element_type() == ElementType::boolean) {
            return is_true(value);
        }
    }
    // A condition that the body hands on unchanged stays what it is at first.
    for (const BodyInput& port : body_ports().inputs) {
        if (body().parameters()[port.parameter] != source.node_ptr() || port.slice) continue;
        if (port.back_edge && port.back_edge != special_.condition) continue;
        const Tensor& value = context.value(port.input);
        if (value && value.size() == 1 && value.element_type() == ElementType::boolean) {
            return is_true(value);
        }
    }
    return std::nullopt;
}

TripCount Loop::trip_count(const InferContext& context) const {
    const auto starts = known_flag(context, 1, "the condition");
    const auto limit = context.ints(0);
    const bool no_trips = limit && limit->size() == 1 && limit->front() == 0;
    if (no_trips || starts == false) return {0, false};
    TripCount count;
    const bool bounded = limit && limit->size() == 1;
    count.at_least_one = starts == true && bounded;
    const auto further = goes_on(context);
    if (!count.at_least_one || !further) return count;
    if (!*further) return {1, true};
    if (limit->front() > 0) count.exact = static_cast<std::size_t>(limit->front());
    return count;
}

void TensorIterator::check_own(const InferContext& context) const {
    const auto& inputs = body_ports().inputs;
    const bool sliced = std::any_of(inputs.begin(), inputs.end(),
                                    [](const BodyInput& port) { return port.slice.has_value(); });
    context.check(sliced, "no input is cut into parts, so nothing says how often the body runs");
}

TripCount TensorIterator::trip_count(const InferContext& context) const {
    TripCount count;
    for (const BodyInput& port : body_ports().inputs) {
        if (!port.slice) continue;
        const PartialShape& shape = context.shape(port.input);
        const std::int64_t axis = port.slice->axis;
        if (!shape.has_rank()) continue;
        const std::string what = "input " + std::to_string(port.input);
        const bool known = axis >= 0 && axis < static_cast<std::int64_t>(shape.rank()) &&
                           shape[static_cast<std::size_t>(axis)].is_static();
        if (!known) continue;
        const std::size_t parts = plan_parts(context, *port.slice, shape, what).parts;
        context.check(!count.exact || *count.exact == parts,
                      what + " has " + counted(parts, "part") + "; expected " +
                          std::to_string(count.exact.value_or(0)) + " as the inputs before it");
        count = {parts, parts > 0};
    }
    return count;
}

}  // namespace rondo::ops
