// A value of a graph that gets a batch axis.
#pragma once

#include <vector>

#include "core/graph/node.hpp"

namespace rondo::passes {

/// What takes the place of an output: either one tensor for all rows, or the rows in one or both of
/// two forms. An original [B,...] becomes [N,B,...] or, merged with its own first axis, [N*B,...].
struct LiftedValue {
    Output original;    ///< in the graph that has no batch axis
    Output plain{};     ///< the same for all rows
    Output apart{};     ///< axis 0 is that of the batch
    Output merged{};    ///< row n has the elements [n*B, (n+1)*B) of axis 0
    Output repeated{};  ///< `plain` once a row, in the form of `apart`; made on demand

    bool has_rows() const { return static_cast<bool>(apart) || static_cast<bool>(merged); }
    const PartialShape& shape() const { return original.shape(); }

    static LiftedValue all_rows(const Output& value) { return {{}, value, {}, {}, {}}; }
    static LiftedValue rows_apart(const Output& value) { return {{}, {}, value, {}, {}}; }
    static LiftedValue rows_merged(const Output& value) { return {{}, {}, {}, value, {}}; }
};

using LiftedValues = std::vector<LiftedValue>;

/// The value of an op with one output, its rows apart.
inline LiftedValues one_apart(const Output& value) { return {LiftedValue::rows_apart(value)}; }

/// All outputs of a node, their rows apart.
inline LiftedValues apart_outputs(const NodePtr& made) {
    LiftedValues outputs;
    for (std::size_t i = 0; i < made->output_count(); ++i) {
        outputs.push_back(LiftedValue::rows_apart(made->output(i)));
    }
    return outputs;
}

}  // namespace rondo::passes
