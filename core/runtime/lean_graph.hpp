// A graph that keeps no weights which a file has.
#pragma once

#include <memory>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/reloadable_tensor.hpp"

namespace rondo {

/// True if the graph or one of its bodies has a constant that is large enough to be released.
bool has_large_constants(const Graph& graph);

/// A copy of a graph from which the whole graph can be made again: constants that a reader has
/// copied from a file are left there, mapped and other ones are shared.
class LeanGraph {
public:
    explicit LeanGraph(const Graph& graph);

    /// The whole graph, once more. Throws ModelError where a file that it needs was changed in
    /// place.
    std::shared_ptr<Graph> load() const;

    /// Gives the pages of mapped constants back to the system, until they are read.
    void drop_pages() const;

private:
    std::shared_ptr<Graph> graph_;
    std::vector<ReloadableTensor> released_;  // of its constants, in order
};

}  // namespace rondo
