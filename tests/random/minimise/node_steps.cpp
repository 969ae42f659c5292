// Nodes that are left out: what they read takes the place of what they make.
#include <set>

#include "tests/random/minimise/graph_parts.hpp"
#include "tests/random/minimise/steps.hpp"

namespace rondo::test {
namespace {

using rondo_onnx::NodeProto;

std::set<std::string> inputs_of(const NodeProto& node) {
    std::set<std::string> inputs(node.input().begin(), node.input().end());
    inputs.erase("");
    return inputs;
}

}  // namespace

std::vector<Edit> bypass_nodes(Candidate candidate) {
    std::vector<Edit> edits;
    const auto graphs = all_graphs(candidate);
    const auto add = [&](std::size_t place, const NodeProto& node, const std::string& output) {
        if (!reads(*graphs[place], output)) return;
        for (const auto& input : inputs_of(node)) {
            edits.emplace_back([place, output, input](Candidate& changed) {
                replace_reads(*all_graphs(changed)[place], output, input);
            });
        }
    };
    for (std::size_t place = 0; place < graphs.size(); ++place) {
        for (const auto& node : graphs[place]->node()) {
            for (const auto& output : node.output()) add(place, node, output);
        }
    }
    return edits;
}

std::vector<Edit> drop_nodes(Candidate candidate) {
    std::vector<Edit> edits;
    const auto graphs = all_graphs(candidate);
    for (std::size_t place = 0; place < graphs.size(); ++place) {
        for (int at = 0; at < graphs[place]->node_size(); ++at) {
            if (!is_dead(*graphs[place], graphs[place]->node(at))) continue;
            edits.emplace_back([place, at](Candidate& changed) {
                erase_at(*all_graphs(changed)[place]->mutable_node(), at);
            });
        }
    }
    return edits;
}

std::vector<Edit> replace_nodes(Candidate candidate) {
    std::vector<Edit> edits;
    const auto graphs = all_graphs(candidate);
    const auto add = [&](std::size_t place, int at, const NodeProto& node) {
        const bool fits = node.output_size() == 1 && node.op_type() != "Identity" &&
                          is_output(*graphs[place], node.output(0));
        if (!fits) return;
        for (const auto& input : inputs_of(node)) {
            edits.emplace_back([place, at, input](Candidate& changed) {
                NodeProto& replaced = *all_graphs(changed)[place]->mutable_node(at);
                replaced = make_node("Identity", {input}, replaced.output(0));
            });
        }
    };
    for (std::size_t place = 0; place < graphs.size(); ++place) {
        for (int at = 0; at < graphs[place]->node_size(); ++at) {
            add(place, at, graphs[place]->node(at));
        }
    }
    return edits;
}

}  // namespace rondo::test
