// How the ports of an op and those of its body belong together: OpenVINO's descriptions, as data.
#include "core/ops/control/control_ops.hpp"

#include <algorithm>

namespace rondo::ops {
namespace {

std::string arrow(std::size_t from, std::size_t to) {
    return std::to_string(from) + " -> " + std::to_string(to);
}

std::string range_text(const PartRange& range) {
    return " [axis=" + std::to_string(range.axis) + ", start=" + std::to_string(range.start) +
           ", stride=" + std::to_string(range.stride) +
           ", part_size=" + std::to_string(range.part_size) + ", end=" + std::to_string(range.end) +
           "]";
}

void check_index(const InferContext& context, std::size_t index, std::size_t count,
                 const std::string& what) {
    context.check(index < count, what + " " + std::to_string(index) + " isn't there; there are " +
                                     std::to_string(count));
}

void check_inputs(const InferContext& context, const BodyPorts& ports, const Graph& body,
                  std::optional<std::size_t> free_parameter) {
    std::vector<bool> fed(body.parameters().size());
    const auto feed = [&](std::size_t parameter) {
        check_index(context, parameter, fed.size(), "the body's parameter");
        context.check(!fed[parameter],
                      "the body's " + describe(*body.parameters()[parameter]) + " is fed twice");
        fed[parameter] = true;
    };
    if (free_parameter) feed(*free_parameter);
    for (const BodyInput& port : ports.inputs) {
        check_index(context, port.input, context.input_count(), "input");
        feed(port.parameter);
        if (!port.back_edge) continue;
        check_index(context, *port.back_edge, body.results().size(), "the body's result");
        context.check(!port.slice, "input " + std::to_string(port.input) +
                                       " is cut into parts and has a back edge; expected one of "
                                       "both");
    }
    const auto hungry = std::find(fed.begin(), fed.end(), false);
    if (hungry == fed.end()) return;
    const auto index = static_cast<std::size_t>(hungry - fed.begin());
    context.fail("nothing feeds the body's " + describe(*body.parameters()[index]));
}

void check_outputs(const InferContext& context, const BodyPorts& ports, const Graph& body) {
    std::vector<bool> made(ports.outputs.size());
    for (const BodyOutput& port : ports.outputs) {
        check_index(context, port.result, body.results().size(), "the body's result");
        context.check(port.output < made.size() && !made[port.output],
                      "output " + std::to_string(port.output) + " is one of " +
                          std::to_string(made.size()) + "; expected 0, 1, 2 ... once each");
        made[port.output] = true;
    }
}

}  // namespace

std::string to_text(const BodyPorts& ports) {
    std::string text = "(";
    for (const BodyInput& port : ports.inputs) {
        if (text.size() > 1) text += ", ";
        text += arrow(port.input, port.parameter);
        if (port.slice) text += " each" + range_text(*port.slice);
        if (port.back_edge) text += " back " + std::to_string(*port.back_edge);
    }
    const char* separator = "; ";
    for (const BodyOutput& port : ports.outputs) {
        text += separator + arrow(port.result, port.output);
        if (port.concat) text += " joined" + range_text(*port.concat);
        separator = ", ";
    }
    return text + ")";
}

void check_ports(const InferContext& context, const BodyPorts& ports, const Graph& body,
                 std::optional<std::size_t> free_parameter) {
    if (!body.sinks().empty()) {
        context.refuse("the body assigns a variable; only the model itself may do that");
    }
    check_inputs(context, ports, body, free_parameter);
    check_outputs(context, ports, body);
}

PartPlan plan_parts(const InferContext& context, const PartRange& range, const PartialShape& shape,
                    std::string_view what) {
    const std::string place = std::string(what) + " of shape " + to_string(shape);
    context.check(range.axis >= 0 && range.axis < static_cast<std::int64_t>(shape.rank()),
                  place + " has no axis " + std::to_string(range.axis));
    context.check(range.part_size >= 1 && range.stride != 0,
                  place + ": part_size is " + std::to_string(range.part_size) + " and stride " +
                      std::to_string(range.stride) + "; expected at least 1, and not 0");
    if (range.stride != range.part_size && range.stride != -range.part_size) {
        context.refuse(place + ": parts of " + std::to_string(range.part_size) + " with stride " +
                       std::to_string(range.stride) + " are not supported; expected neighbours");
    }
    const auto axis = static_cast<std::size_t>(range.axis);
    const std::int64_t extent = shape[axis].length();
    const auto from_start = [&](std::int64_t at) { return at < 0 ? at + extent : at; };
    const std::int64_t start = from_start(range.start), end = from_start(range.end);
    const std::int64_t low = range.is_reversed() ? end : start;
    const std::int64_t high = range.is_reversed() ? start : end;
    context.check(low >= 0 && high < extent && low <= high + 1,
                  place + ": the range from " + std::to_string(range.start) + " to " +
                      std::to_string(range.end) + " doesn't lie in axis " +
                      std::to_string(range.axis));
    const std::int64_t length = high - low + 1;
    context.check(length % range.part_size == 0,
                  place + ": " + std::to_string(length) + " elements of axis " +
                      std::to_string(range.axis) + " don't divide into parts of " +
                      std::to_string(range.part_size));
    const std::int64_t first = range.is_reversed() ? high - range.part_size + 1 : low;
    return {axis, static_cast<std::size_t>(length / range.part_size),
            static_cast<std::size_t>(range.part_size), first, range.stride};
}

}  // namespace rondo::ops
