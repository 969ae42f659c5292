// What the tables of families have in common: how they are searched and held to the order of their
// enumerations, which element types a row takes, and code that is made for one function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/graph/op_traits.hpp"
#include "core/support/errors.hpp"
#include "rondo/element_type.hpp"

namespace rondo {
class InferContext;
}

namespace rondo::ops {

/// True if row i describes function i, so that a function is the index of its row.
template <typename Rows>
constexpr bool in_order_of_functions(const Rows& rows) {
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        if (static_cast<std::size_t>(rows[i].function) != i) return false;
    }
    return true;
}

/// The row of the op type, which must be in the table.
template <typename Rows>
const auto& row_of(const Rows& rows, const OpType& type) {
    for (const auto& row : rows) {
        if (row.type.name == type.name && row.type.opset == type.opset) return row;
    }
    internal_error("an op is made of a family that doesn't have it");
}

/// Which element types a row of a family takes.
enum class TypeRule : std::uint8_t {
    floating,  ///< f64, f32, f16, bf16
    integer,   ///< signed and unsigned integers
    number,    ///< floating types and integers
    boolean,
    any,
};

/// Whether the rule takes the type; `dynamic` may still become one that it takes.
bool takes(TypeRule rule, ElementType type);

/// Throws UnsupportedError through `context` if the rule doesn't take the type. `what` is the
/// subject and its verb: "the input is".
void check_type(const InferContext& context, TypeRule rule, ElementType type,
                std::string_view what);

namespace detail {

template <auto function, typename F>
decltype(auto) call_with(F& f) {
    return f(std::integral_constant<decltype(function), function>());
}

template <typename Function, typename F, std::size_t... I>
decltype(auto) visit_function(Function function, F& f, std::index_sequence<I...>) {
    using Call = decltype(&call_with<Function{}, F>);
    constexpr Call kCalls[] = {call_with<static_cast<Function>(I), F>...};
    internal_check(static_cast<std::size_t>(function) < sizeof...(I), "a function has no row");
    return kCalls[static_cast<std::size_t>(function)](f);
}

}  // namespace detail

/// f(std::integral_constant<Function, function>()) for one of a family's first `count` functions:
/// `visit_function<std::size(kUnaryOps)>(function, [](auto function) { ... function() ... })`.
template <std::size_t count, typename Function, typename F>
decltype(auto) visit_function(Function function, F&& f) {
    return detail::visit_function(function, f, std::make_index_sequence<count>());
}

}  // namespace rondo::ops
