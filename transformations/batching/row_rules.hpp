// How rows pass through ops whose answer depends on more than Node::independent_axis().
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/support/function_ref.hpp"
#include "transformations/analysis/search.hpp"
#include "transformations/batching/batch_edit.hpp"
#include "transformations/batching/row_value.hpp"

namespace rondo::passes {

using RowValues = std::vector<RowValue>;

/// A node that a RowWalk has come to.
struct RowStep {
    const Node& node;
    const RowValues& inputs;
    Search& search;
    /// The changes found so far; null where the graph has to do as it is.
    std::vector<BatchEdit>* edits;
    /// The results of a body for these parameters.
    FunctionRef<RowValues(const Graph&, const RowValues&)> walk_body;

    /// All choices on which the inputs depend.
    Choices choices() const;
    [[noreturn]] void fail(std::string why) const;
    [[noreturn]] void fail_at_rows() const;
    bool has_rows() const;
    bool counts_streams() const;
    /// The first input that has rows.
    std::size_t rows_input() const;
    /// Notes that this input, which is the same for all streams, is repeated along `axis`. Fails
    /// where the graph has to do as it is, or no input says how many streams there are.
    void repeat(std::size_t input, std::size_t axis) const;
};

/// Each gives the outputs, or nothing for an op that it doesn't know.
std::optional<RowValues> rows_of_view(const RowStep& step);
std::optional<RowValues> rows_of_repetition(const RowStep& step);
std::optional<RowValues> rows_of_bodies(const RowStep& step);
/// For the ops that say it themselves, and those without rows.
RowValues rows_of_op(const RowStep& step);

}  // namespace rondo::passes
