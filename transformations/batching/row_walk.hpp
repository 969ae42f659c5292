// Follows the rows of streams through a graph, node by node.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/ops/state/variables.hpp"
#include "transformations/analysis/search.hpp"
#include "transformations/batching/batch_edit.hpp"
#include "transformations/batching/row_rules.hpp"

namespace rondo::passes {

/// One attempt of a search. Where the rows can't be followed it throws RowObstacle.
class RowWalk {
public:
    /// `edits` gets what the graph needs for several streams; null where it has to do as it is.
    RowWalk(Search& search, std::vector<BatchEdit>* edits) : search_(search), edits_(edits) {}

    /// The results for these parameters.
    RowValues run(const Graph& graph, const RowValues& parameters);

    /// What was assumed of a variable.
    const RowValue& variable(const std::string& id) const { return variables_.at(id); }
    /// The Ifs of the graph itself, whose condition is the same for all streams.
    const std::vector<const Node*>& shared_choices() const { return shared_choices_; }
    /// How many nodes were passed.
    std::size_t progress() const { return progress_; }

private:
    using Values = std::map<const Node*, RowValues>;

    RowValues visit(const Node& node, const RowValues& inputs);
    RowValues read(const Node& node, const RowValues& inputs);
    RowValues assign(const Node& node, const RowValues& inputs) const;
    void check_init(const RowStep& step, const RowValue& variable) const;

    Search& search_;
    std::vector<BatchEdit>* edits_;
    std::map<std::string, RowValue> variables_;
    std::vector<const Node*> shared_choices_;
    int depth_ = 0;  // of bodies
    std::size_t progress_ = 0;
};

/// Where rows may lie in a tensor, the likeliest first. As it is: axes that are open, with one row
/// a stream, then with any number of rows. Else also axes of extent 1, then those of other extents.
std::vector<RowValue> possible_rows(const Output& tensor, bool as_it_is);

}  // namespace rondo::passes
