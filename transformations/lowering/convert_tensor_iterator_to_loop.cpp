#include "transformations/lowering/convert_tensor_iterator_to_loop.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/control/loop.hpp"
#include "core/ops/control/tensor_iterator.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/source/result.hpp"
#include "core/ops/source/shape_of.hpp"
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

bool reads_parts(const ops::TensorIterator& iterator) {
    const auto& inputs = iterator.body_ports().inputs;
    const auto& parameters = iterator.body().parameters();
    return std::any_of(inputs.begin(), inputs.end(), [&](const ops::BodyInput& port) {
        return port.slice && parameters[port.parameter]->has_consumers();
    });
}

// An input that is cut into all its elements along an axis; null where there is none.
const ops::BodyInput* counted_input(const ops::TensorIterator& iterator) {
    const auto& inputs = iterator.body_ports().inputs;
    const auto found = std::find_if(inputs.begin(), inputs.end(), [](const ops::BodyInput& port) {
        return port.slice && (*port.slice == ops::PartRange{port.slice->axis} ||
                              *port.slice == ops::PartRange{port.slice->axis, -1, -1, 1, 0});
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
    const std::size_t condition = iterator.body().results().size();
    const auto loop =
        rewriter.make<ops::Loop>(name, std::move(inputs), endless(*iterator.bodies()[0]),
                                 std::move(ports), ops::LoopPorts{{}, condition});
    loop->set_most_iterations(iterator.most_iterations());
    for (std::size_t i = 0; i < iterator.output_count(); ++i) {
        rewriter.replace(iterator.output(i), loop->output(i));
    }
}

}  // namespace

bool convert_tensor_iterator_to_loop(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::TensorIterator>([&](const auto& node) { convert(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
