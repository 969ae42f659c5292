// Finds the elements of small integer tensors that are computed from shapes: what each op computes
// from its inputs' elements, and a reader that goes up through a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/extents/extent_sum.hpp"
#include "core/graph/node.hpp"

namespace rondo {

/// One element; empty if it isn't known.
using Integer = std::optional<ExtentSum>;
/// The elements of a tensor in row-major order.
using Integers = std::vector<Integer>;

/// How far arithmetic is followed.
enum class Arithmetic : std::uint8_t {
    exact,  ///< as a pass needs that changes the graph: only where no run contradicts, although 32
            ///< bits wrap, floats are rounded, and an extent by which something is divided may be 0
    meant,  ///< as in a run in which none of that happens
};

/// Types in which extents are exact: in f32 only those up to 2^24.
bool holds_extents(ElementType type);

/// A constant's elements, at most 64; those that are no whole numbers aren't known.
std::optional<Integers> integers_in(const Tensor& constant);

/// What an output of a node holds where its inputs hold these elements: nothing for ops that aren't
/// followed, for tensors of more than 64 elements, and where an element would depend in another way
/// on an input's element that has variables. The op isn't ShapeOf.
std::optional<Integers> computed_integers(const Node& node, std::size_t output,
                                          std::span<const std::optional<Integers>> inputs,
                                          Arithmetic arithmetic);

/// Goes up from a value through ops of which computed_integers() knows the result, to constants and
/// shapes; through a number of ops in all, however many ways there are.
class IntegerReader {
public:
    /// Where it ends besides.
    struct Leaves {
        /// A value's only element, if that has a meaning of its own.
        std::function<Integer(const Output& value)> element;
        /// What a value in a body is around its op, or empty.
        std::function<Output(const Output& value)> outside;
    };

    explicit IntegerReader(Arithmetic arithmetic = Arithmetic::exact, Leaves leaves = {})
        : arithmetic_(arithmetic), leaves_(std::move(leaves)) {}

    /// The elements of a vector or of a tensor of one element; empty if none is known.
    std::optional<Integers> read(const Output& value);
    /// One of them.
    Integer read(const Output& value, std::size_t index);

private:
    std::optional<Integers> find(const Output& value);

    Arithmetic arithmetic_;
    Leaves leaves_;
    int left_ = 512;
    std::map<std::pair<const Node*, std::size_t>, std::optional<Integers>> known_;
};

/// A number, or else the extent of one axis of a tensor.
struct ShapeElement {
    std::optional<std::int64_t> number;
    Output tensor = {};
    std::size_t axis = 0;

    friend bool operator==(const ShapeElement&, const ShapeElement&) = default;
};

/// The extent of a tensor whose rank is known: a number where it is known.
ShapeElement extent_element(const Output& tensor, std::size_t axis);

/// Element `index` of a value, as IntegerReader reads it, if it is a number or an extent.
std::optional<ShapeElement> shape_element(const Output& value, std::size_t index);

/// All elements of a vector of known length; empty if one is neither a number nor an extent.
std::optional<std::vector<ShapeElement>> shape_elements(const Output& vector);

}  // namespace rondo
