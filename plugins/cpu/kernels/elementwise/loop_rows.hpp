// What the files of typed loops share: a row of loops, one for each type, made from one function.
#pragma once

#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/elementwise/element_loop.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"

namespace rondo::cpu {

/// Loops for the floating types; null where the row has no function of floating types.
template <std::size_t K>
struct FloatLoops {
    ElementLoop<K> f64 = nullptr;
    ElementLoop<K> f32 = nullptr;
    ElementLoop<K> f16 = nullptr;
    ElementLoop<K> bf16 = nullptr;

    constexpr ElementLoop<K> of(ElementType type) const {
        switch (type) {
            case ElementType::f64: return f64;
            case ElementType::f32: return f32;
            case ElementType::f16: return f16;
            case ElementType::bf16: return bf16;
            default: return nullptr;
        }
    }
};

/// Loops for the integers.
template <std::size_t K>
struct IntegerLoops {
    ElementLoop<K> i64 = nullptr;
    ElementLoop<K> i32 = nullptr;
    ElementLoop<K> i16 = nullptr;
    ElementLoop<K> i8 = nullptr;
    ElementLoop<K> u64 = nullptr;
    ElementLoop<K> u32 = nullptr;
    ElementLoop<K> u16 = nullptr;
    ElementLoop<K> u8 = nullptr;

    constexpr ElementLoop<K> of(ElementType type) const {
        switch (type) {
            case ElementType::i64: return i64;
            case ElementType::i32: return i32;
            case ElementType::i16: return i16;
            case ElementType::i8: return i8;
            case ElementType::u64: return u64;
            case ElementType::u32: return u32;
            case ElementType::u16: return u16;
            case ElementType::u8: return u8;
            default: return nullptr;
        }
    }
};

/// A function's loops for the types that it takes.
template <std::size_t K, typename Function>
struct LoopRow {
    Function function;
    FloatLoops<K> floats{};
    IntegerLoops<K> integers{};

    constexpr ElementLoop<K> of(ElementType type) const {
        return is_floating(type) ? floats.of(type) : integers.of(type);
    }
};

/// The row of that function, or null.
template <typename Row, std::size_t kCount, typename Function>
const Row* find_row(const Row (&rows)[kCount], Function function) {
    for (const Row& row : rows) {
        if (row.function == function) return &row;
    }
    return nullptr;
}

/// Loop<F, T>::run of each floating type T.
template <std::size_t K, template <typename, typename> typename Loop, typename F>
constexpr FloatLoops<K> float_loops() {
    return {Loop<F, double>::run, Loop<F, float>::run, Loop<F, float16>::run,
            Loop<F, bfloat16>::run};
}

/// Loop<F, T>::run of each integer type T.
template <std::size_t K, template <typename, typename> typename Loop, typename F>
constexpr IntegerLoops<K> integer_loops() {
    return {Loop<F, std::int64_t>::run,  Loop<F, std::int32_t>::run,  Loop<F, std::int16_t>::run,
            Loop<F, std::int8_t>::run,   Loop<F, std::uint64_t>::run, Loop<F, std::uint32_t>::run,
            Loop<F, std::uint16_t>::run, Loop<F, std::uint8_t>::run};
}

/// Calls body(i, a, b) with the places of both operands. The usual steps get loops of their own,
/// which the compiler can vectorise.
template <typename Body>
inline void for_each_pair(const ElementRun<2>& run, Body body) {
    const std::int64_t n = run.n;
    if (run.steps[0] == 1 && run.steps[1] == 1) {
        for (std::int64_t i = 0; i < n; ++i) body(i, i, i);
    } else if (run.steps[0] == 1 && run.steps[1] == 0) {
        for (std::int64_t i = 0; i < n; ++i) body(i, i, 0);
    } else if (run.steps[0] == 0 && run.steps[1] == 1) {
        for (std::int64_t i = 0; i < n; ++i) body(i, 0, i);
    } else {
        for (std::int64_t i = 0; i < n; ++i) body(i, i * run.steps[0], i * run.steps[1]);
    }
}

}  // namespace rondo::cpu
