// What passes and plans ask of an op, so that none of them keeps a list of classes.
#pragma once

#include <cstddef>
#include <limits>

namespace rondo {

/// Facts that hold for the op whatever its attributes are. The defaults are true of any op.
struct OpTraits {
    /// Stands for "all inputs" in data_inputs.
    static constexpr std::size_t kAllInputs = std::numeric_limits<std::size_t>::max();

    /// Each output element depends only on the inputs' elements at the same index, after NumPy
    /// broadcasting. There is one output.
    bool elementwise = false;
    /// The one output holds the elements of input 0 in the same order; only the shape differs.
    bool view = false;
    /// Each output element is one of the data inputs' elements, unchanged.
    bool moves_elements = false;
    /// The op cuts input 0 into outputs along one axis (input 1), one part after another.
    bool cuts = false;
    /// The outputs depend on the inputs' shapes, never on their elements.
    bool reads_shapes_only = false;
    /// How many inputs, from the first one on, hold data; the others hold axes, indices or shapes.
    std::size_t data_inputs = kAllInputs;

    static constexpr OpTraits elementwise_op() { return {.elementwise = true}; }
    static constexpr OpTraits view_op() {
        return {.view = true, .moves_elements = true, .data_inputs = 1};
    }
    static constexpr OpTraits movement_op(std::size_t data_inputs = 1) {
        return {.moves_elements = true, .data_inputs = data_inputs};
    }
    static constexpr OpTraits cutting_op() {
        return {.moves_elements = true, .cuts = true, .data_inputs = 1};
    }
};

}  // namespace rondo
