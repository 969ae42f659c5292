#include "tests/random/minimise/injected_fault.hpp"

#include <algorithm>
#include <set>

#include "tests/random/minimise/graph_parts.hpp"
#include "tests/random/run_model.hpp"

namespace rondo::test {
namespace {

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;

void collect_faulty(GraphProto& graph, const std::string& owner, const IsFaulty& is_faulty,
                    std::vector<NodeProto*>& found) {
    for (auto& node : *graph.mutable_node()) {
        if (is_faulty({node, graph, owner})) found.push_back(&node);
        for (GraphProto* body : bodies_of(node)) {
            collect_faulty(*body, node.op_type(), is_faulty, found);
        }
    }
}

bool makes(const NodeProto& node, const std::string& value) {
    return std::find(node.output().begin(), node.output().end(), value) != node.output().end();
}

void collect_before(const GraphProto& graph, const NodeProto& node,
                    std::set<const NodeProto*>& found) {
    for (const auto& other : graph.node()) {
        const bool is_before = std::any_of(node.input().begin(), node.input().end(),
                                           [&](const auto& input) { return makes(other, input); });
        if (is_before && found.insert(&other).second) collect_before(graph, other, found);
    }
}

}  // namespace

Failure fault_in(IsFaulty is_faulty, std::string other) {
    return [is_faulty = std::move(is_faulty), other = std::move(other)](const RandomModel& model) {
        Candidate wrong(model);
        std::vector<NodeProto*> nodes;  // all of them, before one changes
        collect_faulty(wrong.graph(), "", is_faulty, nodes);
        if (nodes.empty()) return std::string();
        for (NodeProto* node : nodes) {
            node->set_op_type(other);
            node->clear_attribute();
        }
        return run_difference(model, run_model(wrong.model(), "REFERENCE"),
                              run_model(model, "REFERENCE"));
    };
}

std::size_t nodes_before(const PlacedNode& placed) {
    std::set<const NodeProto*> found;
    collect_before(placed.graph, placed.node, found);
    return found.size();
}

std::vector<RandomModel> failing_models(const Failure& failure, std::size_t count) {
    std::vector<RandomModel> models;
    for (std::uint64_t seed = 0; models.size() < count && seed < 2000; ++seed) {
        const RandomModel model = random_model(seed);
        if (!failure(model).empty()) models.push_back(model);
    }
    return models;
}

}  // namespace rondo::test
