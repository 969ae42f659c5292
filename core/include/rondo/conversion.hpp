// Numbers of one type as those of another: the rule by which what a program or a file holds becomes
// an input of a model.
#pragma once

#include <cstddef>
#include <optional>

#include "rondo/element_type.hpp"
#include "rondo/export.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// What convert_tensor() made of a tensor.
struct Conversion {
    Tensor tensor;            ///< row-major; empty if an element was refused
    std::size_t rounded = 0;  ///< how many elements got the nearest number, since the type has no
                              ///< equal one
    std::optional<std::size_t> refused;  ///< the first element, in row-major order, that was
};

/// Any number may become a floating one; integers and booleans may become each other. Narrow types
/// are not converted.
RONDO_API bool can_convert(ElementType from, ElementType to);

/// The elements as `type`. Floating types round to nearest even, once; a finite number that would
/// become infinite is refused. Integers and booleans (0 and 1) must hold the number itself. Throws
/// ModelError if can_convert() is false.
RONDO_API Conversion convert_tensor(const Tensor& tensor, ElementType type);

}  // namespace rondo
