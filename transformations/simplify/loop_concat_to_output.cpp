#include "transformations/simplify/passes.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/constants.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/make_shape.hpp"
#include "transformations/pass/remade_loop.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

using ops::IteratedOp;

// A loop-carried value that becomes longer by a part in each iteration.
struct GrownValue {
    std::size_t result = 0;  // of the body
    std::size_t output = 0;  // of the op
    std::size_t part = 0;    // input of the Concat
    Output start;
    ops::PartRange range;
    bool has_extents_of_start = false;  // besides that of the axis, whatever the shapes are
};

// The output that is the last value of a result, where nothing else reads that; else null.
const ops::BodyOutput* sole_output(const IteratedOp& loop, std::size_t result) {
    const auto& inputs = loop.body_ports().inputs;
    const auto& outputs = loop.body_ports().outputs;
    const auto goes_round = [&](const ops::BodyInput& port) { return port.back_edge == result; };
    const auto reads = [&](const ops::BodyOutput& port) { return port.result == result; };
    if (loop.condition_result() == result) return nullptr;
    if (std::count_if(inputs.begin(), inputs.end(), goes_round) != 1) return nullptr;
    if (std::count_if(outputs.begin(), outputs.end(), reads) != 1) return nullptr;
    const auto port = std::find_if(outputs.begin(), outputs.end(), reads);
    return port->concat ? nullptr : &*port;
}

ops::PartRange range_of(std::size_t axis, std::int64_t size, bool in_front) {
    const auto place = static_cast<std::int64_t>(axis);
    return in_front ? ops::PartRange{place, -1, -size, size, 0}
                    : ops::PartRange{place, 0, size, size, -1};
}

// How many extents besides that of the axis may differ when the model runs.
std::size_t open_extents(const PartialShape& start, const PartialShape& part, std::size_t axis) {
    std::size_t open = 0;
    for (std::size_t i = 0; i < start.rank(); ++i) {
        const bool is_same = start[i].is_static() && start[i] == part[i];
        if (i != axis && !is_same) ++open;
    }
    return open;
}

// Fills in what the shapes say of the value; false if the parts can't be joined after the loop.
bool find_range(const Output& start, const Output& part, std::int64_t concat_axis, bool in_front,
                GrownValue& value) {
    const PartialShape& first = start.shape();
    const PartialShape& added = part.shape();
    if (start.element_type() != part.element_type()) return false;
    if (!first.has_rank() || !added.has_rank() || first.rank() != added.rank()) return false;
    const auto axes = normalized_axes({concat_axis}, first.rank());
    if (!axes) return false;
    const std::size_t axis = axes->front();
    const bool is_known = added[axis].is_static() && added[axis].length() > 0;
    if (first[axis] != Dimension(0) || !is_known) return false;
    // A Reshape finds by the number of elements whether one extent is what it should be.
    const std::size_t open = open_extents(first, added, axis);
    value.start = start;
    value.range = range_of(axis, added[axis].length(), in_front);
    value.has_extents_of_start = open == 0;
    return open <= 1;
}

std::optional<GrownValue> grown_value(const IteratedOp& loop, const ops::BodyInput& port) {
    if (!port.back_edge) return {};
    const ops::BodyOutput* output = sole_output(loop, *port.back_edge);
    const Output now = loop.body().parameters()[port.parameter]->output(0);
    const Output next = loop.body().results()[*port.back_edge]->input(0);
    const auto* concat = as_op<ops::Concat>(next.node());
    if (output == nullptr || concat == nullptr || concat->input_count() != 2) return {};
    if (!has_sole_consumer(now) || !has_sole_consumer(next)) return {};
    const bool in_front = concat->input(1) == now;
    if (!in_front && concat->input(0) != now) return {};
    GrownValue value{*port.back_edge, output->output, in_front ? 0U : 1U, {}, {}};
    const bool fits = find_range(loop.input(port.input), concat->input(value.part), concat->axis(),
                                 in_front, value);
    return fits ? std::optional(std::move(value)) : std::nullopt;
}

std::vector<GrownValue> grown_values(const IteratedOp& loop) {
    std::vector<GrownValue> values;
    if (loop.trip_count(context_of(loop)).exact == 0) return values;
    for (const ops::BodyInput& port : loop.body_ports().inputs) {
        if (auto value = grown_value(loop, port)) values.push_back(*std::move(value));
    }
    return values;
}

void close_gap(std::size_t& number, std::size_t gone) {
    if (number > gone) --number;
}

// What a loop is made of that joins its parts.
class JoiningLoop {
public:
    explicit JoiningLoop(const IteratedOp& loop)
        : parts_{loop.inputs(),
                 loop.body().clone(),
                 loop.body_ports(),
                 {loop.iteration_parameter(), loop.condition_result()}} {}

    void join(const GrownValue& value) {
        Node& result = *parts_.body->results()[value.result];
        const Output whole = result.input(0);
        result.set_input(0, whole.node().input(value.part));
        for (ops::BodyOutput& port : parts_.ports.outputs) {
            if (port.result == value.result) port.concat = value.range;
        }
        auto& inputs = parts_.ports.inputs;
        const auto port = std::find_if(inputs.begin(), inputs.end(), [&](const auto& input) {
            return input.back_edge == value.result;
        });
        const ops::BodyInput gone = *port;
        inputs.erase(port);
        remove_parameter(gone.parameter);
        remove_input(gone.input);
    }

    LoopParts take() { return std::move(parts_); }

private:
    void remove_parameter(std::size_t gone) {
        std::vector<NodePtr> parameters = parts_.body->parameters();
        parameters.erase(parameters.begin() + static_cast<std::ptrdiff_t>(gone));
        parts_.body->set_ends(std::move(parameters), parts_.body->results(), {});
        for (ops::BodyInput& port : parts_.ports.inputs) close_gap(port.parameter, gone);
        if (parts_.special.iteration) close_gap(*parts_.special.iteration, gone);
    }

    // An empty tensor is neither a trip count nor a condition.
    void remove_input(std::size_t gone) {
        auto& ports = parts_.ports.inputs;
        const bool is_read = std::any_of(ports.begin(), ports.end(),
                                         [&](const auto& port) { return port.input == gone; });
        if (is_read) return;
        parts_.inputs.erase(parts_.inputs.begin() + static_cast<std::ptrdiff_t>(gone));
        for (ops::BodyInput& port : ports) close_gap(port.input, gone);
    }

    LoopParts parts_;
};

// Parts that no iteration made have no extents of their own.
Output with_extents_of_start(Rewriter& rewriter, const Output& joined, const GrownValue& value,
                             const std::string& name) {
    if (value.has_extents_of_start) return joined;
    std::vector<ShapeElement> extents;
    for (std::size_t i = 0; i < value.start.shape().rank(); ++i) {
        const bool is_joined = static_cast<std::int64_t>(i) == value.range.axis;
        extents.push_back(extent_element(is_joined ? joined : value.start, i));
    }
    return rewriter.make<ops::Reshape>(name, joined, make_shape(rewriter, extents, name + "/shape"),
                                       false);
}

void join(const std::shared_ptr<IteratedOp>& loop, Rewriter& rewriter) {
    const auto values = grown_values(*loop);
    if (values.empty()) return;
    JoiningLoop parts(*loop);
    for (const GrownValue& value : values) parts.join(value);
    const auto made = remade_loop(rewriter, *loop, loop->name(), parts.take());
    std::vector<Output> outputs;
    for (std::size_t i = 0; i < loop->output_count(); ++i) outputs.push_back(made->output(i));
    for (const GrownValue& value : values) {
        Output& output = outputs[value.output];
        output = with_extents_of_start(rewriter, output, value, loop->name() + "/joined");
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Output old = loop->output(i);
        if (!old.consumers().empty()) rewriter.replace(old, outputs[i]);
    }
    rewriter.inherit_name(loop, *made);
}

}  // namespace

bool loop_concat_to_output(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<IteratedOp>([&](const auto& loop) { join(loop, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
