// The body of an op that gets a batch axis.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "transformations/batching/vmap/lift_graph.hpp"

namespace rondo::passes {

/// A copy of a body, whose nodes get the axis once it is known which parameters have rows.
class LiftedBody {
public:
    LiftedBody(const Graph& body, const Dimension& batch);

    /// The parameter is the same for all rows.
    void share(std::size_t parameter);
    /// The parameter has this shape, rows first.
    void give_rows(std::size_t parameter, const PartialShape& shape);
    /// A new parameter, from which the number of rows is known; returns its index.
    std::size_t count_rows(const Output& rows);
    bool can_count() { return lifted_.forms().can_count(); }

    void run() { lifted_.run(); }
    bool has_rows(std::size_t result) { return value(result).has_rows(); }
    /// The body, whose results have rows where `has_rows` says so.
    GraphPtr finish(const std::vector<bool>& has_rows);

private:
    LiftedValue& value(std::size_t result) {
        return lifted_.value(graph_->results()[result]->input(0));
    }

    std::shared_ptr<Graph> graph_;
    Rewriter rewriter_;
    LiftedGraph lifted_;
    std::vector<NodePtr> parameters_;
};

}  // namespace rondo::passes
