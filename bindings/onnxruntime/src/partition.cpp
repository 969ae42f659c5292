#include "bindings/onnxruntime/src/partition.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>

namespace rondo::ort {
namespace {

bool is_layer(const HostNode& node) {
    if (node.domain == "com.microsoft") return node.op == "DynamicQuantizeLSTM";
    return node.domain.empty() && (node.op == "LSTM" || node.op == "GRU" || node.op == "RNN");
}

bool has_op(const HostGraph& graph, std::initializer_list<std::string_view> ops) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const HostNode& node) {
        return std::find(ops.begin(), ops.end(), node.op) != ops.end();
    });
}

bool loops_over_a_step(const HostNode& node) {
    if (node.op != "Loop" && node.op != "Scan") return false;
    return std::any_of(node.bodies.begin(), node.bodies.end(),
                       [](const HostBody& body) { return may_hold_a_step(body.graph); });
}

// What onnxruntime runs as well, so that it is taken between two seeds alone.
bool is_left_to_host(const HostNode& node) {
    static const std::set<std::string_view> ops{"Attention",
                                                "BatchNormalization",
                                                "Conv",
                                                "ConvInteger",
                                                "ConvTranspose",
                                                "Einsum",
                                                "FusedConv",
                                                "GlobalAveragePool",
                                                "MaxPool",
                                                "AveragePool",
                                                "MultiHeadAttention",
                                                "QLinearConv",
                                                "GroupQueryAttention",
                                                "GlobalMaxPool",
                                                "Resize",
                                                "STFT",
                                                "DFT"};
    return ops.count(node.op) != 0 || !node.bodies.empty();
}

bool is_product(const HostNode& node) {
    return node.op == "MatMul" || node.op == "Gemm" || node.op == "MatMulInteger";
}

// The graph as places of nodes: which needs values of which.
class Neighbours {
public:
    explicit Neighbours(const HostGraph& graph) : from_(graph.nodes.size()), to_(from_.size()) {
        std::map<std::string_view, std::size_t> makers;
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const auto& node = graph.nodes[i];
            for (const auto* names : {&node.inputs, &node.implicit_inputs}) {
                for (const auto& name : *names) {
                    const auto at = makers.find(name);
                    if (name.empty() || at == makers.end()) continue;
                    from_[i].push_back(at->second);
                    to_[at->second].push_back(i);
                }
            }
            for (const auto& name : node.outputs) makers[name] = i;
        }
    }

    std::size_t size() const { return from_.size(); }
    const std::vector<std::size_t>& producers(std::size_t node) const { return from_[node]; }
    const std::vector<std::size_t>& consumers(std::size_t node) const { return to_[node]; }

private:
    std::vector<std::vector<std::size_t>> from_;
    std::vector<std::vector<std::size_t>> to_;
};

// Groups of nodes that grow. Seen as one node each, groups and other nodes form no circle.
class Groups {
public:
    explicit Groups(const Neighbours& neighbours) : neighbours_(neighbours) {
        group_of_.resize(neighbours.size());
        members_.resize(neighbours.size());
        for (std::size_t i = 0; i < neighbours.size(); ++i) {
            group_of_[i] = i;
            members_[i] = {i};
        }
    }

    std::size_t group_of(std::size_t node) const { return group_of_[node]; }
    const NodeList& members(std::size_t group) const { return members_[group]; }

    // Joins the groups of two nodes of which one needs the other, unless that makes a circle.
    bool join(std::size_t producer, std::size_t consumer) {
        const std::size_t first = group_of_[producer];
        const std::size_t second = group_of_[consumer];
        if (first == second) return true;
        if (is_reached_around(first, second)) return false;
        auto& into = members_[first];
        for (const auto member : members_[second]) {
            group_of_[member] = first;
            into.push_back(member);
        }
        members_[second].clear();
        return true;
    }

private:
    // Whether a path leads from one group to the other through a third.
    bool is_reached_around(std::size_t first, std::size_t second) const {
        std::vector<char> seen(neighbours_.size(), 0);
        std::vector<std::size_t> waiting;
        const auto visit = [&](std::size_t from) {
            for (const auto member : members_[from]) {
                for (const auto next : neighbours_.consumers(member)) {
                    const auto group = group_of_[next];
                    if (group == from || seen[group] != 0) continue;
                    if (from == first && group == second) continue;
                    seen[group] = 1;
                    waiting.push_back(group);
                }
            }
        };
        visit(first);
        while (!waiting.empty()) {
            const auto group = waiting.back();
            waiting.pop_back();
            if (group == second) return true;
            visit(group);
        }
        return false;
    }

    const Neighbours& neighbours_;
    std::vector<std::size_t> group_of_;
    std::vector<NodeList> members_;
};

// Which nodes may be in a group.
class Choice {
public:
    Choice(const HostGraph& graph, const Neighbours& neighbours,
           const std::vector<std::string>& obstacles)
        : neighbours_(neighbours), seeds_(graph.nodes.size()), can_(seeds_), takes_(seeds_) {
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const auto& node = graph.nodes[i];
            can_[i] = obstacles[i].empty() && has_tensors_alone(graph, node);
            seeds_[i] = can_[i] && is_seed(node);
        }
        const auto after = reach(true);
        const auto before = reach(false);
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const auto& node = graph.nodes[i];
            const bool is_between = after[i] && before[i];
            const bool grows = !is_left_to_host(node) && (!is_product(node) || follows_seed(i));
            takes_[i] = can_[i] && (seeds_[i] || is_between || grows);
        }
    }

    bool is_seed(std::size_t node) const { return seeds_[node]; }
    bool takes(std::size_t node) const { return takes_[node]; }

private:
    static bool is_seed(const HostNode& node) { return ort::is_seed(node); }

    static bool has_tensors_alone(const HostGraph& graph, const HostNode& node) {
        for (const auto* names : {&node.inputs, &node.outputs, &node.implicit_inputs}) {
            for (const auto& name : *names) {
                if (!name.empty() && !graph.values.at(name).type.is_tensor) return false;
            }
        }
        return true;
    }

    // Which nodes come after a seed (or before one) along nodes that can be taken.
    std::vector<bool> reach(bool is_forward) const {
        std::vector<bool> reached = seeds_;
        for (std::size_t step = 0; step < can_.size(); ++step) {
            const std::size_t node = is_forward ? step : can_.size() - 1 - step;
            const auto& nearer =
                is_forward ? neighbours_.producers(node) : neighbours_.consumers(node);
            if (!can_[node]) continue;
            for (const auto other : nearer) {
                if (reached[other]) reached[node] = true;
            }
        }
        return reached;
    }

    // A product right after a layer, with views alone between them: its projection.
    bool follows_seed(std::size_t node) const {
        for (int steps = 0; steps < 4; ++steps) {
            const auto& producers = neighbours_.producers(node);
            if (producers.empty()) return false;
            node = producers.front();
            if (seeds_[node]) return true;
        }
        return false;
    }

    const Neighbours& neighbours_;
    std::vector<bool> seeds_;
    std::vector<bool> can_;
    std::vector<bool> takes_;
};

}  // namespace

bool is_seed(const HostNode& node) {
    if (is_layer(node) || node.is_taken || loops_over_a_step(node)) return true;
    return std::any_of(node.bodies.begin(), node.bodies.end(),
                       [](const HostBody& body) { return has_seed(body.graph); });
}

bool may_hold_a_step(const HostGraph& graph) {
    return has_op(graph, {"MatMul", "Gemm"}) && has_op(graph, {"Sigmoid", "Tanh"});
}

bool has_seed(const HostGraph& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [](const HostNode& node) { return is_seed(node); });
}

std::vector<NodeList> find_groups(const HostGraph& graph,
                                  const std::vector<std::string>& obstacles) {
    const Neighbours neighbours(graph);
    const Choice choice(graph, neighbours, obstacles);
    Groups groups(neighbours);
    std::vector<std::size_t> grown;
    std::vector<bool> is_grown(graph.nodes.size());
    const auto add = [&](std::size_t node) {
        if (is_grown[node]) return;
        is_grown[node] = true;
        grown.push_back(node);
    };
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (choice.is_seed(i)) add(i);
    }
    for (std::size_t at = 0; at < grown.size(); ++at) {
        const auto node = grown[at];
        for (const auto next : neighbours.consumers(node)) {
            if (choice.takes(next) && groups.join(node, next)) add(next);
        }
        for (const auto next : neighbours.producers(node)) {
            if (choice.takes(next) && groups.join(next, node)) add(next);
        }
    }
    std::vector<NodeList> found;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        auto members = groups.members(i);
        if (members.empty() || !is_grown[members.front()]) continue;
        std::sort(members.begin(), members.end());
        found.push_back(std::move(members));
    }
    return found;
}

}  // namespace rondo::ort
