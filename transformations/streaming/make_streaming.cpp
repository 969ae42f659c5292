#include "transformations/streaming/make_streaming.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/ops/state/variables.hpp"
#include "core/runtime/ports.hpp"
#include "rondo/error.hpp"
#include "transformations/streaming/time_rules.hpp"

namespace rondo::passes {
namespace {

constexpr int kMaxRuns = 256;

TimeAxes named_axes(const Graph& graph, const StreamingOptions& options) {
    const auto inputs = input_ports(graph);
    TimeAxes axes;
    for (const auto& [name, axis] : options.time_axes) {
        const std::size_t index = find_port(inputs, name, "input", constant_inputs(graph));
        const PartialShape& shape = inputs[index].shape;
        const auto rank = shape.has_rank() ? static_cast<std::int64_t>(shape.rank()) : 0;
        if (axis < -rank || axis >= rank) {
            throw ModelError("input '" + name + "' of shape " + to_string(shape) + " has no axis " +
                             std::to_string(axis));
        }
        axes[index] = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    }
    return axes;
}

// The open axes of a shape, the likeliest to be time first: axis 0 is mostly the batch.
std::vector<std::size_t> open_axes(const PartialShape& shape) {
    std::vector<std::size_t> axes;
    for (std::size_t i = 1; shape.has_rank() && i < shape.rank(); ++i) {
        if (!shape[i].is_static()) axes.push_back(i);
    }
    const bool has_first = shape.has_rank() && shape.rank() > 0 && !shape[0].is_static();
    if (has_first) axes.push_back(0);
    return axes;
}

// The choice number `choice` of the inputs that have at least `least` open axes. Beside an inner
// axis an axis 0 is the batch.
TimeAxes chosen_axes(const std::vector<PortInfo>& inputs, std::size_t choice, std::size_t least) {
    TimeAxes chosen;
    bool has_inner = false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto axes = open_axes(inputs[i].shape);
        if (axes.size() < least) continue;
        chosen[i] = axes[std::min(choice, axes.size() - 1)];
        has_inner = has_inner || chosen[i] > 0;
    }
    if (has_inner) std::erase_if(chosen, [](const auto& entry) { return entry.second == 0; });
    return chosen;
}

std::vector<TimeAxes> all_choices(const std::vector<PortInfo>& inputs) {
    std::size_t count = 0;
    for (const PortInfo& input : inputs) count = std::max(count, open_axes(input.shape).size());
    if (count == 0) {
        throw UnsupportedError(
            "no extent of an input is open, so that time isn't found; name the time axis of each "
            "input that has one");
    }
    std::vector<TimeAxes> choices;
    // The only open axis of a state is its batch, where other inputs have one beside time.
    for (const std::size_t least : {std::size_t{1}, count}) {
        for (std::size_t i = 0; i < count; ++i) {
            TimeAxes axes = chosen_axes(inputs, i, least);
            if (std::find(choices.begin(), choices.end(), axes) == choices.end()) {
                choices.push_back(std::move(axes));
            }
        }
    }
    return choices;
}

struct Made {
    GraphPtr graph;
    std::size_t carried = 0;
};

// Walks through copies until a reading of the graph holds. If none does, throws the first one's
// error.
Made made_streaming(const Graph& graph, const TimeAxes& axes) {
    Search search;
    std::exception_ptr first;
    for (int run = 0; run < kMaxRuns; ++run) {
        try {
            const auto copy = graph.clone();
            TimeWalk walk(*copy, axes, search);
            walk.run(time_rule_of);
            copy->validate();
            ops::variables_of(*copy);
            return {copy, walk.carried()};
        } catch (const UnsupportedError&) {
            if (!first) first = std::current_exception();
        }
        if (!search.go_back()) break;
    }
    std::rethrow_exception(first);
}

}  // namespace

std::vector<TimeAxes> time_axes(const Graph& graph, const StreamingOptions& options) {
    if (options.time_axes.empty()) return all_choices(input_ports(graph));
    return {named_axes(graph, options)};
}

void make_streaming(Graph& graph, const StreamingOptions& options) {
    std::exception_ptr first;
    for (const TimeAxes& axes : time_axes(graph, options)) {
        try {
            const Made made = made_streaming(graph, axes);
            if (options.time_axes.empty() && made.carried == 0) {
                throw UnsupportedError(
                    "nothing goes from one step along the inputs' open axes to the next, so that "
                    "time isn't found; name the time axis of each input that has one");
            }
            graph.take(*made.graph);
            return;
        } catch (const UnsupportedError&) {
            if (!first) first = std::current_exception();
        }
    }
    std::rethrow_exception(first);
}

}  // namespace rondo::passes
