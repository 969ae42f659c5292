// Calls code that is made for one function of a family, where the function is known at run time.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/support/check.hpp"

namespace rondo::ops {

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
