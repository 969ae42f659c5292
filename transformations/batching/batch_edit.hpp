// What a graph of one stream needs besides new extents before it takes several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// One change, found by RowWalk. It changes nothing for one stream.
struct BatchEdit {
    enum class Kind : std::uint8_t {
        shape,   ///< a view or a Broadcast gives its output as many rows as `rows_input` has
        repeat,  ///< an input that is the same for all streams is repeated for each
        start,   ///< likewise a variable's first value, by set_batch(): no input has rows
    };
    Kind kind = Kind::shape;
    const Node* node = nullptr;
    std::size_t input = 0;       ///< repeat: of the node
    std::size_t axis = 0;        ///< shape: of the output; repeat: of the input
    std::size_t rows_input = 0;  ///< of the node, that has rows
    std::size_t rows_axis = 0;   ///< along which its rows lie
    std::int64_t extent = 1;     ///< one stream's along rows_axis
};

/// Makes the changes of shapes and repetitions, also in bodies; validates nothing but what it
/// makes.
void apply_edits(const std::vector<BatchEdit>& edits, Graph& graph);

}  // namespace rondo::passes
