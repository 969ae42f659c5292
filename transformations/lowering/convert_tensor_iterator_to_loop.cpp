#include "transformations/lowering/passes.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/ops/control/loop.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/source/parameter.hpp"
#include "core/ops/source/shape_of.hpp"
#include "transformations/pass/remade_loop.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

constexpr std::size_t kOwnInputs = 2;  // of a Loop, in front of those for its body

bool holds_iterator(const Graph& body) {
    bool found = false;
    for_each_graph(body, [&](const Graph& graph) {
        for (const auto& node : graph.ordered_nodes()) {
            found = found || as_op<ops::TensorIterator>(*node) != nullptr;
        }
    });
    return found;
}

// What the outputs come from that something reads. OpenVINO drops the rest of a body, and with it
// the parts that only the rest reads.
std::unordered_set<const Node*> needed_nodes(const ops::TensorIterator& iterator) {
    const Graph& body = iterator.body();
    const ops::BodyPorts& ports = iterator.body_ports();
    std::unordered_set<const Node*> found;
    std::vector<const Node*> open;
    const auto need = [&](const NodePtr& node) {
        if (found.insert(node.get()).second) open.push_back(node.get());
    };
    for (const ops::BodyOutput& port : ports.outputs) {
        if (!iterator.consumers(port.output).empty()) need(body.results()[port.result]);
    }
    for (const NodePtr& sink : body.sinks()) need(sink);
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        for (const Output& input : node->inputs()) need(input.node_ptr());
        for (const ops::BodyInput& port : ports.inputs) {
            if (port.back_edge && body.parameters()[port.parameter].get() == node) {
                need(body.results()[*port.back_edge]);
            }
        }
    }
    return found;
}

bool reads_parts(const ops::TensorIterator& iterator) {
    const auto needed = needed_nodes(iterator);
    const auto& inputs = iterator.body_ports().inputs;
    const auto& parameters = iterator.body().parameters();
    return std::any_of(inputs.begin(), inputs.end(), [&](const ops::BodyInput& port) {
        return port.slice && needed.contains(parameters[port.parameter].get());
    });
}

bool is_forward(const ops::PartRange& range) { return range == ops::PartRange{range.axis}; }

bool is_backward(const ops::PartRange& range) {
    return range == ops::PartRange{range.axis, -1, -1, 1, 0};
}

// An input that is cut into all its elements along an axis; null where there is none.
const ops::BodyInput* counted_input(const ops::TensorIterator& iterator) {
    const auto& inputs = iterator.body_ports().inputs;
    const auto found = std::find_if(inputs.begin(), inputs.end(), [](const ops::BodyInput& port) {
        return port.slice && (is_forward(*port.slice) || is_backward(*port.slice));
    });
    return found != inputs.end() ? &*found : nullptr;
}

Output extent_of(Rewriter& rewriter, const std::string& name, const Output& tensor,
                 std::int64_t axis) {
    const Output shape = rewriter.make<ops::ShapeOf>(name + "/shape", tensor);
    return rewriter.make<ops::Gather>(name, shape, rewriter.make_scalar(name + "/index", axis),
                                      rewriter.make_scalar(name + "/axis", std::int64_t{0}));
}

// The body with one more result, which says that there is another iteration.
GraphPtr endless(Graph& body) {
    Rewriter rewriter(body);
    auto results = body.results();
    results.push_back(
        rewriter.make<ops::Result>("goes_on/result", rewriter.make_scalar("goes_on", true)));
    auto graph =
        std::make_shared<Graph>(body.name(), body.parameters(), std::move(results), body.sinks());
    graph->rt_info() = body.rt_info();
    return graph;
}

Output reversed(Rewriter& rewriter, const std::string& name, const Output& value,
                std::int64_t axis) {
    constexpr std::int64_t kFar = std::int64_t{1} << 62;
    const auto ints = [&](const char* role, std::int64_t number) {
        return rewriter.make_ints(name + "/" + role, {number});
    };
    return rewriter.make<ops::Slice>(name, value, ints("start", kFar), ints("stop", -kFar),
                                     ints("step", -1), ints("axes", axis));
}

// OpenVINO's Loop reads parts from the first to the last alone: what is read backwards is reversed
// in front of it.
void read_forwards(ops::BodyPorts& ports, std::vector<Output>& inputs, Rewriter& rewriter,
                   const std::string& name) {
    for (ops::BodyInput& port : ports.inputs) {
        if (!port.slice || !is_backward(*port.slice)) continue;
        const std::int64_t axis = port.slice->axis;
        inputs[port.input] = reversed(rewriter, name + "/reversed", inputs[port.input], axis);
        port.slice = ops::PartRange{axis};
    }
}

// Likewise behind it what is joined backwards: the axis of each such output.
std::vector<std::optional<std::int64_t>> join_forwards(ops::BodyPorts& ports) {
    std::vector<std::optional<std::int64_t>> axes(ports.outputs.size());
    for (ops::BodyOutput& port : ports.outputs) {
        if (!port.concat || !is_backward(*port.concat)) continue;
        axes[port.output] = port.concat->axis;
        port.concat = ops::PartRange{port.concat->axis};
    }
    return axes;
}

void hand_over(Node& old, Node& made, const std::vector<std::optional<std::int64_t>>& turned,
               Rewriter& rewriter) {
    for (std::size_t i = 0; i < old.output_count(); ++i) {
        Output output = made.output(i);
        if (turned[i]) {
            output = reversed(rewriter, old.name() + "/turned", output, *turned[i]);
        }
        rewriter.replace(old.output(i), output);
    }
}

// A Loop that reads or joins backwards.
void turn(ops::Loop& loop, Rewriter& rewriter) {
    std::vector<Output> inputs = loop.inputs();
    ops::BodyPorts ports = loop.body_ports();
    read_forwards(ports, inputs, rewriter, loop.name());
    const auto turned = join_forwards(ports);
    if (ports == loop.body_ports()) return;
    const ops::LoopPorts special{loop.iteration_parameter(), loop.condition_result()};
    const auto made = remade_loop(rewriter, loop, loop.name(),
                                  {std::move(inputs), loop.bodies()[0], std::move(ports), special});
    hand_over(loop, *made, turned, rewriter);
}

void convert(ops::TensorIterator& iterator, Rewriter& rewriter) {
    const ops::BodyInput* counted = counted_input(iterator);
    if (counted == nullptr) return;
    if (reads_parts(iterator) && !holds_iterator(iterator.body())) return;
    const Output all = iterator.input(counted->input);
    const std::string& name = iterator.name();
    std::vector<Output> inputs{extent_of(rewriter, name + "/trip_count", all, counted->slice->axis),
                               rewriter.make_scalar(name + "/begins", true)};
    inputs.insert(inputs.end(), iterator.inputs().begin(), iterator.inputs().end());
    ops::BodyPorts ports = iterator.body_ports();
    for (auto& port : ports.inputs) port.input += kOwnInputs;
    read_forwards(ports, inputs, rewriter, name);
    const auto turned = join_forwards(ports);
    const std::size_t condition = iterator.body().results().size();
    const auto loop =
        rewriter.make<ops::Loop>(name, std::move(inputs), endless(*iterator.bodies()[0]),
                                 std::move(ports), ops::LoopPorts{{}, condition});
    loop->set_most_iterations(iterator.most_iterations());
    hand_over(iterator, *loop, turned, rewriter);
}

}  // namespace

bool convert_tensor_iterator_to_loop(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::TensorIterator>([&](const auto& node) { convert(*node, rewriter); });
    rewriter.for_each<ops::Loop>([&](const auto& node) { turn(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
