#include "transformations/lowering/passes.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/analysis/loop_run.hpp"
#include "transformations/analysis/slices.hpp"
#include "transformations/pass/formula.hpp"
#include "transformations/pass/remade_loop.hpp"

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

// Whether the outputs that something reads need parts. OpenVINO drops the rest of a body, and with
// it the parts that only the rest reads.
bool reads_parts(const ops::TensorIterator& iterator) {
    const Graph& body = iterator.body();
    const ops::BodyPorts& ports = iterator.body_ports();
    std::vector<NodePtr> ends = body.sinks();
    for (const ops::BodyOutput& port : ports.outputs) {
        if (!iterator.consumers(port.output).empty()) ends.push_back(body.results()[port.result]);
    }
    const auto needed = needed_nodes(body, ports, std::move(ends));
    return std::any_of(ports.inputs.begin(), ports.inputs.end(), [&](const ops::BodyInput& port) {
        return port.slice && needed.contains(body.parameters()[port.parameter].get());
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

Output reversed(Formula& by, const Output& value, std::int64_t axis) {
    return make_reversal(by.rewriter(), value, static_cast<std::size_t>(axis), by.name("reversed"));
}

// OpenVINO's Loop reads parts from the first to the last alone: what is read backwards is reversed
// in front of it.
void read_forwards(ops::BodyPorts& ports, std::vector<Output>& inputs, Formula& by) {
    for (ops::BodyInput& port : ports.inputs) {
        if (!port.slice || !is_backward(*port.slice)) continue;
        const std::int64_t axis = port.slice->axis;
        inputs[port.input] = reversed(by, inputs[port.input], axis);
        port.slice = ops::PartRange{axis};
    }
}

// Outputs that are joined backwards are reversed after the Loop: returns the axis of each of these.
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
               Formula& by) {
    for (std::size_t i = 0; i < old.output_count(); ++i) {
        const Output output = made.output(i);
        by.rewriter().replace(old.output(i), turned[i] ? reversed(by, output, *turned[i]) : output);
    }
}

// A Loop that reads or joins backwards.
void turn(ops::Loop& loop, Rewriter& rewriter) {
    std::vector<Output> inputs = loop.inputs();
    ops::BodyPorts ports = loop.body_ports();
    Formula by(rewriter, loop.name());
    read_forwards(ports, inputs, by);
    const auto turned = join_forwards(ports);
    if (ports == loop.body_ports()) return;
    const ops::LoopPorts special{loop.iteration_parameter(), loop.condition_result()};
    const auto made = remade_loop(rewriter, loop, loop.name(),
                                  {std::move(inputs), loop.bodies()[0], std::move(ports), special});
    hand_over(loop, *made, turned, by);
}

void convert(ops::TensorIterator& iterator, Rewriter& rewriter) {
    const ops::BodyInput* counted = counted_input(iterator);
    if (counted == nullptr) return;
    if (reads_parts(iterator) && !holds_iterator(iterator.body())) return;
    const Output all = iterator.input(counted->input);
    const std::string& name = iterator.name();
    Formula by(rewriter, name);
    const Output count = by.gather(by.shape_of(all), by.integer(counted->slice->axis), 0);
    std::vector<Output> inputs{count, by.number(ElementType::boolean, 1)};
    inputs.insert(inputs.end(), iterator.inputs().begin(), iterator.inputs().end());
    ops::BodyPorts ports = iterator.body_ports();
    for (auto& port : ports.inputs) port.input += kOwnInputs;
    read_forwards(ports, inputs, by);
    const auto turned = join_forwards(ports);
    const std::size_t condition = iterator.body().results().size();
    const auto loop =
        rewriter.make<ops::Loop>(name, std::move(inputs), endless(*iterator.bodies()[0]),
                                 std::move(ports), ops::LoopPorts{{}, condition});
    loop->set_most_iterations(iterator.most_iterations());
    hand_over(iterator, *loop, turned, by);
}

}  // namespace

bool convert_tensor_iterator_to_loop(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::TensorIterator>([&](const auto& node) { convert(*node, rewriter); });
    rewriter.for_each<ops::Loop>([&](const auto& node) { turn(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
