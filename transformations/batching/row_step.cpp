// What the rules of rows have in common.

#include <utility>

#include "transformations/batching/row_rules.hpp"

namespace rondo::passes {

Choices RowStep::choices() const {
    Choices all;
    for (const RowValue& input : inputs) all.insert(input.choices.begin(), input.choices.end());
    return all;
}

void RowStep::fail(std::string why) const { throw RowObstacle{&node, std::move(why), choices()}; }

void RowStep::fail_at_rows() const {
    const std::size_t input = rows_input();
    fail("it doesn't act on each row alone: the rows lie along axis " +
         std::to_string(inputs[input].axis) + " of its input " + std::to_string(input));
}

bool RowStep::has_rows() const { return rows_input() < inputs.size(); }

bool RowStep::counts_streams() const {
    for (const RowValue& input : inputs) {
        if (input.counts_streams()) return true;
    }
    return false;
}

std::size_t RowStep::rows_input() const {
    std::size_t input = 0;
    while (input < inputs.size() && !inputs[input].has_rows) ++input;
    return input;
}

void RowStep::repeat(std::size_t input, std::size_t axis) const {
    const std::size_t source = rows_input();
    std::int64_t extent = 0;
    if (source < inputs.size()) extent = inputs[source].extent.number().value_or(0);
    if (edits == nullptr || extent <= 0) {
        fail("its input " + std::to_string(input) +
             " is the same for all streams; expected a row for each along axis " +
             std::to_string(axis));
    }
    edits->push_back(
        {BatchEdit::Kind::repeat, &node, input, axis, source, inputs[source].axis, extent});
}

}  // namespace rondo::passes
