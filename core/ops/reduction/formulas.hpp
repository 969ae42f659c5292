// What each reduction computes, step by step: the evaluator and the CPU's loops apply it.
//
// Elements are combined in N: double for floating types, std::int64_t or std::uint64_t for
// integers (modulo 2^64), bool for booleans.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/ops/reduction/functions.hpp"
#include "core/support/errors.hpp"
#include "core/support/wrapping.hpp"

namespace rondo::ops {

/// What a reduction starts from. `least` and `greatest`: those of the element type.
template <ReduceFunction function, typename N>
N start_of(N least, N greatest) {
    using enum ReduceFunction;
    switch (function) {
        case logical_and:
        case prod: return 1;
        case max: return least;
        case min: return greatest;
        default: return 0;
    }
}

/// The result with one more element.
template <ReduceFunction function, typename N>
N step_of(N so_far, N x) {
    using enum ReduceFunction;
    const auto is_nan = [](N number) {
        if constexpr (std::is_floating_point_v<N>) return std::isnan(number);
        return false;
    };
    switch (function) {
        case l1: return sum_of(so_far, magnitude_of(x));
        case l2: return sum_of(so_far, square_of(x));
        case logical_and: return so_far && x;
        case logical_or: return so_far || x;
        case max: return so_far < x || is_nan(x) ? x : so_far;
        case mean: return sum_of(so_far, x);
        case min: return x < so_far || is_nan(x) ? x : so_far;
        case prod: return product_of(so_far, x);
        case sum: return sum_of(so_far, x);
    }
    internal_error("a function without a formula");
}

/// Turns what `count` elements were combined to into the result. False if there is none: the
/// mean of no integers.
template <ReduceFunction function, typename N>
bool finish(N& result, std::int64_t count) {
    using enum ReduceFunction;
    constexpr bool kIsFloating = std::is_floating_point_v<N>;
    switch (function) {
        case l2:
            using Root = std::conditional_t<kIsFloating, double, std::uint64_t>;
            result = static_cast<N>(root_of(static_cast<Root>(result)));
            return true;
        case mean:
            if (!kIsFloating && count == 0) return false;
            result = static_cast<N>(result / static_cast<N>(count));
            return true;
        default: return true;
    }
}

}  // namespace rondo::ops
