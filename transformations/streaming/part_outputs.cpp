#include "transformations/streaming/passes.hpp"

#include <algorithm>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

std::string part_name(const std::string& output, std::size_t part) {
    return output + "[" + std::to_string(part) + "]";
}

std::string whole_name(const std::string& part) {
    const std::size_t open = part.rfind('[');
    const bool is_closed = open != std::string::npos && open > 0 && part.back() == ']';
    const bool has_number =
        is_closed && open + 2 < part.size() &&
        std::all_of(part.begin() + static_cast<std::ptrdiff_t>(open) + 1, part.end() - 1,
                    [](char c) { return c >= '0' && c <= '9'; });
    return has_number ? part.substr(0, open) : std::string();
}

bool part_output(Graph& graph, std::size_t output) {
    const NodePtr whole = graph.results()[output];
    const Output value = whole->input(0);
    if (as_op<ops::Concat>(value.node()) == nullptr || value.node().input_count() < 2) return false;
    Rewriter rewriter(graph);
    std::vector<NodePtr> parts;
    for (std::size_t i = 0; i < value.node().input_count(); ++i) {
        const Output part = value.node().input(i);
        for (const std::string& name : value.names()) part.add_names({part_name(name, i)});
        const std::string name = whole->name() + "/part_" + std::to_string(i);
        parts.push_back(rewriter.make<ops::Result>(name, part));
    }
    auto results = graph.results();
    whole->set_inputs({});
    const auto place = results.begin() + static_cast<std::ptrdiff_t>(output);
    results.insert(results.erase(place), parts.begin(), parts.end());
    graph.set_ends(graph.parameters(), std::move(results), graph.sinks());
    return true;
}

bool part_outputs(Graph& graph) {
    bool changed = false;
    for (std::size_t i = graph.results().size(); i-- > 0;) {
        changed = part_output(graph, i) || changed;
    }
    return changed;
}

}  // namespace rondo::passes
