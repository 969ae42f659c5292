// Values become inputs or initializers, so that what makes them falls out.
#include <algorithm>

#include "tests/random/minimise/graph_parts.hpp"
#include "tests/random/minimise/reference_values.hpp"
#include "tests/random/minimise/steps.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {
namespace {

using rondo_onnx::GraphProto;

// A value that nodes read, and what it is in each run.
struct Cut {
    std::string name;
    std::vector<Tensor> values;
};

// The last values first: most falls out with them.
std::vector<Cut> cuts_of(const Candidate& candidate) {
    const auto values = reference_values(candidate);
    const GraphProto& graph = candidate.graph();
    std::vector<Cut> cuts;
    for (int at = graph.node_size() - 1; at >= 0; --at) {
        for (const auto& name : graph.node(at).output()) {
            const auto found = values.find(name);
            if (found == values.end() || is_output(graph, name) || !reads(graph, name)) continue;
            cuts.push_back({name, found->second});
        }
    }
    return cuts;
}

// The node makes a value that nothing reads instead.
void stop_making(GraphProto& graph, const std::string& name) {
    for (auto& node : *graph.mutable_node()) {
        for (auto& output : *node.mutable_output()) {
            if (output == name) output = name + "_cut";
        }
    }
}

bool have_extent(const std::vector<Tensor>& values, std::size_t axis) {
    return std::all_of(values.begin(), values.end(), [&](const Tensor& value) {
        return value.shape()[axis] == values.front().shape()[axis];
    });
}

bool have_rank(const std::vector<Tensor>& values) {
    return std::all_of(values.begin(), values.end(), [&](const Tensor& value) {
        return value.shape().size() == values.front().shape().size();
    });
}

void add_input(Candidate& candidate, const Cut& cut, bool is_open) {
    auto& input = *candidate.graph().add_input();
    input.set_name(cut.name);
    auto& type = *input.mutable_type()->mutable_tensor_type();
    const Tensor& first = cut.values.front();
    type.set_elem_type(to_onnx(first.element_type()));
    for (std::size_t axis = 0; axis < first.shape().size(); ++axis) {
        auto& extent = *type.mutable_shape()->add_dim();
        const bool is_known = !is_open && have_extent(cut.values, axis);
        if (is_known) extent.set_dim_value(static_cast<std::int64_t>(first.shape()[axis]));
    }
    type.mutable_shape();  // a scalar has one, too
    for (std::size_t run = 0; run < candidate.inputs.size(); ++run) {
        candidate.inputs[run].push_back({cut.name, cut.values[run]});
    }
}

}  // namespace

std::vector<Edit> cut_into_inputs(Candidate candidate) {
    std::vector<Edit> edits;
    for (const Cut& cut : cuts_of(candidate)) {
        if (!have_rank(cut.values)) continue;
        for (const bool is_open : {true, false}) {
            edits.emplace_back([cut, is_open](Candidate& changed) {
                stop_making(changed.graph(), cut.name);
                add_input(changed, cut, is_open);
            });
        }
    }
    return edits;
}

std::vector<Edit> cut_into_constants(Candidate candidate) {
    std::vector<Edit> edits;
    if (candidate.inputs.size() != 1) return edits;
    for (const Cut& cut : cuts_of(candidate)) {
        edits.emplace_back([cut](Candidate& changed) {
            stop_making(changed.graph(), cut.name);
            *changed.graph().add_initializer() = to_message(cut.name, cut.values.front());
        });
    }
    return edits;
}

}  // namespace rondo::test
