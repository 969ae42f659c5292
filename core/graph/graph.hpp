// A whole model: parameters, results, and everything that results need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/support/function_ref.hpp"
#include "rondo/shape.hpp"

namespace rondo {

class Graph;

/// What a reader keeps of a file whose graph depends on the extents that it gives its inputs:
/// arithmetic on shapes that was computed, a branch that was chosen.
class GraphOrigin {
public:
    explicit GraphOrigin(std::vector<PartialShape> shapes) : shapes_(std::move(shapes)) {}
    GraphOrigin(const GraphOrigin&) = delete;
    GraphOrigin& operator=(const GraphOrigin&) = delete;
    virtual ~GraphOrigin() = default;

    /// The shapes of the graph's parameters when it was read.
    const std::vector<PartialShape>& shapes() const { return shapes_; }

    /// The graph of the same file with inputs of these shapes, one for each parameter. It has an
    /// origin of its own, and shares the weights. Throws what reading throws.
    virtual std::shared_ptr<Graph> read(const std::vector<PartialShape>& shapes) const = 0;

private:
    std::vector<PartialShape> shapes_;
};

/// Holds its results and parameters; other nodes live as long as a result needs them, so nothing
/// has to be deleted.
class Graph {
public:
    Graph(std::string name, std::vector<NodePtr> parameters, std::vector<NodePtr> results,
          std::vector<NodePtr> sinks = {});
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph();

    const std::string& name() const { return name_; }
    void set_name(std::string name) { name_ = std::move(name); }
    const std::vector<NodePtr>& parameters() const { return parameters_; }
    const std::vector<NodePtr>& results() const { return results_; }
    const std::vector<NodePtr>& sinks() const { return sinks_; }
    void add_sink(NodePtr sink) { sinks_.push_back(std::move(sink)); }

    /// Takes these in place of the ones that it has. Nodes that only those needed are destroyed.
    void set_ends(std::vector<NodePtr> parameters, std::vector<NodePtr> results,
                  std::vector<NodePtr> sinks);

    /// Takes the ends and the facts of a copy that was changed: for changes that are to leave the
    /// graph as it is if they fail.
    void take(const Graph& changed);

    /// Every node once, each after its inputs: parameters, then depth first by input port from the
    /// sinks and results, then sinks and results themselves (the IR's order). Iterative; throws
    /// ModelError on a cycle, naming a node of it.
    std::vector<NodePtr> ordered_nodes() const;

    /// Infers every node again, in order. Throws ModelError naming the first invalid node.
    void validate();

    /// An independent copy; constants share their memory.
    std::shared_ptr<Graph> clone() const;

    /// Facts of the whole model that survive a round trip.
    std::map<std::string, std::string>& rt_info() { return rt_info_; }
    const std::map<std::string, std::string>& rt_info() const { return rt_info_; }

    /// The bytes that all constants may take together, which the first pass that computes constants
    /// sets: later runs, which start from larger constants, keep it. Files don't hold it.
    std::optional<std::size_t> constants_limit() const { return constants_limit_; }
    void set_constants_limit(std::size_t bytes) { constants_limit_ = bytes; }

    /// What the graph was read from, if that depended on the shapes of its inputs; else null. It
    /// keeps the weights alive, and a copy of the graph doesn't have it.
    const std::shared_ptr<const GraphOrigin>& origin() const { return origin_; }
    void set_origin(std::shared_ptr<const GraphOrigin> origin) { origin_ = std::move(origin); }

private:
    std::string name_;
    std::vector<NodePtr> parameters_;
    std::vector<NodePtr> results_;
    std::vector<NodePtr> sinks_;
    std::map<std::string, std::string> rt_info_;
    std::optional<std::size_t> constants_limit_;
    std::shared_ptr<const GraphOrigin> origin_;
};

/// Calls `visit` with `graph` and with every body of its nodes, at any depth; a graph comes before
/// the bodies in it.
void for_each_graph(const Graph& graph, FunctionRef<void(const Graph&)> visit);
void for_each_graph(Graph& graph, FunctionRef<void(Graph&)> visit);

inline std::vector<PartialShape> parameter_shapes(const Graph& graph) {
    std::vector<PartialShape> shapes;
    for (const auto& parameter : graph.parameters()) shapes.push_back(parameter->output_shape(0));
    return shapes;
}

/// False, too, if the rank isn't known.
inline bool has_known_extent(const PartialShape& shape) {
    const auto& extents = shape.dimensions();
    return std::any_of(extents.begin(), extents.end(),
                       [](const Dimension& extent) { return extent.is_static(); });
}

}  // namespace rondo
