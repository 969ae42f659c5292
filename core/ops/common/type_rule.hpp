// Which element types a row of a family takes.
#pragma once

#include <cstdint>
#include <string_view>

#include "rondo/element_type.hpp"

namespace rondo {
class InferContext;
}

namespace rondo::ops {

enum class TypeRule : std::uint8_t {
    floating,  ///< f64, f32, f16, bf16
    integer,   ///< signed and unsigned integers
    number,    ///< floating types and integers
    boolean,
    any,
};

/// Whether the rule takes the type; `dynamic` may still become one that it takes.
bool takes(TypeRule rule, ElementType type);

/// Throws UnsupportedError through `context` where the rule doesn't take the type. `what` is the
/// subject and its verb: "the input is".
void check_type(const InferContext& context, TypeRule rule, ElementType type,
                std::string_view what);

}  // namespace rondo::ops
