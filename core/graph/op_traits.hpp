// What an op is called, and what passes and plans ask of it, so that none of them keeps a list of
// classes. Plain data, which the tables of families hold.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// The opset that an op is written under, if the standard ones don't have it.
inline constexpr std::string_view kRondoOpset = "rondo1";

/// What an op is called in the IR: its type and the first standard opset that has it in this form.
struct OpType {
    std::string_view name;
    int opset;  ///< 1 for opset1; 0 for our own opset "rondo1"

    /// "opset5" or "rondo1".
    std::string opset_name() const;
};

/// Facts that hold for the op whatever its attributes are. The defaults are true of any op.
struct OpTraits {
    /// Means "all inputs" in data_inputs.
    static constexpr std::size_t kAllInputs = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t kNoInput = std::numeric_limits<std::size_t>::max();

    /// Each output element depends only on the inputs' elements at the same index, after NumPy
    /// broadcasting. There is one output.
    bool elementwise = false;
    /// The one output holds the elements of input 0 in the same order; only the shape differs.
    bool view = false;
    /// Each output element is one of the data inputs' elements, unchanged.
    bool moves_elements = false;
    /// The op cuts input 0 into outputs along one axis (input 1), one part after another.
    bool cuts = false;
    /// Each output has the shape of input 0.
    bool keeps_shape = false;
    /// The outputs depend on the inputs' shapes, never on their elements.
    bool reads_shapes_only = false;
    /// Inputs may have types of 2 to 8 bits, which most ops can't compute on. The data inputs of
    /// ops that move elements may, too.
    bool takes_narrow_types = false;
    /// Each run may give other numbers: the op is neither computed ahead nor shared, and no plan
    /// keeps its outputs.
    bool random = false;
    /// How many inputs, from the first one on, hold data; the others hold axes, indices or shapes.
    std::size_t data_inputs = kAllInputs;
    /// The input whose integers name axes of input 0, counted from the end if they are negative:
    /// nothing else depends on if those axes are. Ops that name one by an attribute have
    /// Node::axis_attribute().
    std::size_t axes_input = kNoInput;
    /// How many inputs, from the first one on, have these axes.
    std::size_t inputs_with_axes = 1;

    static constexpr OpTraits elementwise_op() { return {.elementwise = true}; }
    static constexpr OpTraits view_op() {
        return {.view = true, .moves_elements = true, .data_inputs = 1};
    }
    static constexpr OpTraits movement_op(std::size_t data_inputs = 1) {
        return {.moves_elements = true, .data_inputs = data_inputs};
    }
    /// Computes along the axes of input 0 that input 1 names.
    static constexpr OpTraits op_along_axes(bool keeps_shape = false) {
        return {.keeps_shape = keeps_shape, .data_inputs = 1, .axes_input = 1};
    }
    static constexpr OpTraits cutting_op() {
        return {.moves_elements = true, .cuts = true, .data_inputs = 1, .axes_input = 1};
    }
};

/// Axes along which the rows of a node are independent: rows [begin, end) of its outputs are what
/// the same op makes of rows [begin, end) of its inputs, bit for bit. See Node::independent_axis().
struct IndependentAxis {
    /// Marks an input that all rows read as a whole.
    static constexpr std::size_t kWhole = std::numeric_limits<std::size_t>::max();

    std::vector<std::size_t> inputs;   ///< the axis of each input
    std::vector<std::size_t> outputs;  ///< the axis of each output; kWhole: nothing reads it
    /// True if an input of extent 1 along its axis serves all rows, as NumPy broadcasts it; else
    /// all extents along the axes are the same.
    bool broadcasts = false;

    /// `axis` of every output; every input as a whole.
    IndependentAxis(std::size_t input_count, std::size_t output_count, std::size_t axis)
        : inputs(input_count, kWhole), outputs(output_count, axis) {}
};

/// What an extent of an output always equals: see Node::extent_sources().
struct ExtentSource {
    std::size_t input = 0;
    std::size_t place = 0;  ///< an axis of the input, or an element of the extents that it holds
    bool is_element = false;
};

}  // namespace rondo
