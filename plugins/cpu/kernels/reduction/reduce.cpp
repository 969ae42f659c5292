#include "plugins/cpu/kernels/reduction/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

#include "core/support/check.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"

namespace rondo::cpu {
namespace {

using ops::ReduceFunction;

// Results that lie side by side are computed together.
constexpr std::int64_t kBlock = 64;

// A boolean's byte in a caller's memory: all but 0 is true.
struct Flag {
    std::uint8_t byte;
};

// What elements of T are combined in. Unsigned words hold signed integers in two's complement.
template <typename T>
struct Numbers {
    using Number = std::uint64_t;
    static Number load(T x) { return static_cast<Number>(static_cast<std::int64_t>(x)); }
    static T store(Number x) { return static_cast<T>(x); }
    static bool less(Number a, Number b) {
        if constexpr (std::is_signed_v<T>) {
            return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
        }
        return a < b;
    }
    static Number least() { return load(std::numeric_limits<T>::min()); }
    static Number greatest() { return load(std::numeric_limits<T>::max()); }
};

struct Doubles {
    using Number = double;
    static bool less(double a, double b) { return a < b; }
    static double least() { return -std::numeric_limits<double>::infinity(); }
    static double greatest() { return std::numeric_limits<double>::infinity(); }
};

template <typename T>
struct FloatNumbers : Doubles {
    static double load(T x) { return widened(x); }
    static T store(double x) { return rounded<T>(x); }
};

template <>
struct Numbers<double> : FloatNumbers<double> {};
template <>
struct Numbers<float> : FloatNumbers<float> {};
template <>
struct Numbers<float16> : FloatNumbers<float16> {};
template <>
struct Numbers<bfloat16> : FloatNumbers<bfloat16> {};

template <>
struct Numbers<Flag> {
    using Number = std::uint8_t;
    static Number load(Flag x) { return x.byte != 0 ? 1 : 0; }
    static Flag store(Number x) { return {x}; }
};

template <typename Number>
bool is_nan(Number x) {
    if constexpr (std::is_floating_point_v<Number>) return std::isnan(x);
    return false;
}

// The square root, towards zero; a double's root of a word may be off by one.
std::uint64_t root(std::uint64_t x) {
    auto result = static_cast<std::uint64_t>(std::sqrt(static_cast<long double>(x)));
    while (result > 0 && result > x / result) --result;
    while (result + 1 <= x / (result + 1)) ++result;
    return result;
}
double root(double x) { return std::sqrt(x); }

// A function: what it starts from, a step, and the end, which is false where there is no value.
template <typename T>
struct Sum {
    using Of = Numbers<T>;
    using Number = typename Of::Number;
    static Number start() { return 0; }
    static Number step(Number so_far, Number x) { return so_far + x; }
    static bool end(Number&, std::int64_t) { return true; }
};

template <typename T>
struct Mean : Sum<T> {
    using Number = typename Sum<T>::Number;
    static bool end(Number& sum, std::int64_t count) {
        if constexpr (std::is_floating_point_v<Number>) {
            sum /= static_cast<double>(count);
        } else {
            if (count == 0) return false;
            sum = std::is_signed_v<T> ? static_cast<Number>(static_cast<std::int64_t>(sum) / count)
                                      : sum / static_cast<Number>(count);
        }
        return true;
    }
};

template <typename T>
struct L1 : Sum<T> {
    using Number = typename Sum<T>::Number;
    static Number step(Number so_far, Number x) {
        if constexpr (std::is_floating_point_v<Number>) return so_far + std::fabs(x);
        return Numbers<T>::less(x, 0) ? so_far - x : so_far + x;
    }
};

template <typename T>
struct L2 : Sum<T> {
    using Number = typename Sum<T>::Number;
    static Number step(Number so_far, Number x) { return so_far + x * x; }
    static bool end(Number& sum, std::int64_t) {
        sum = root(sum);
        return true;
    }
};

// From a number on, step by step.
template <typename T, typename F, int kStart>
struct Fold : Sum<T> {
    using Number = typename Sum<T>::Number;
    static Number start() { return kStart; }
    static Number step(Number so_far, Number x) { return static_cast<Number>(F()(so_far, x)); }
};

template <typename T>
using Product = Fold<T, std::multiplies<>, 1>;
using And = Fold<Flag, std::bit_and<>, 1>;
using Or = Fold<Flag, std::bit_or<>, 0>;

template <typename T, bool kGreatest>
struct Extreme : Sum<T> {
    using Of = Numbers<T>;
    using Number = typename Of::Number;
    static Number start() { return kGreatest ? Of::least() : Of::greatest(); }
    static Number step(Number so_far, Number x) {
        const bool is_further = kGreatest ? Of::less(so_far, x) : Of::less(x, so_far);
        return is_further || is_nan(x) ? x : so_far;
    }
};

}  // namespace

// One result: its elements may be far from those of the next.
template <typename T, typename Function>
bool Reduce::run_one(const Layout& layout, const T* from, T* to) {
    using Of = Numbers<T>;
    auto so_far = Function::start();
    const auto& run = layout.reduced.run();
    layout.reduced.for_each_run([&](const NdLoop<1>::Offsets& at) {
        const T* x = from + at[0];
        for (std::int64_t i = 0; i < run.count; ++i) {
            so_far = Function::step(so_far, Of::load(x[i * run.steps[0]]));
        }
    });
    const bool has_value = Function::end(so_far, layout.reduced.size());
    *to = Of::store(so_far);
    return has_value;
}

// `count` results whose first elements lie side by side.
template <typename T, typename Function>
bool Reduce::run_block(const Layout& layout, const T* from, T* to, std::int64_t count) {
    using Of = Numbers<T>;
    typename Function::Number so_far[kBlock];
    std::fill_n(so_far, count, Function::start());
    const auto& run = layout.reduced.run();
    layout.reduced.for_each_run([&](const NdLoop<1>::Offsets& at) {
        const T* x = from + at[0];
        for (std::int64_t i = 0; i < run.count; ++i, x += run.steps[0]) {
            for (std::int64_t j = 0; j < count; ++j) {
                so_far[j] = Function::step(so_far[j], Of::load(x[j]));
            }
        }
    });
    bool has_value = true;
    for (std::int64_t j = 0; j < count; ++j) {
        has_value = Function::end(so_far[j], layout.reduced.size()) && has_value;
        to[j] = Of::store(so_far[j]);
    }
    return has_value;
}

template <typename T, typename Function>
bool Reduce::run_as(const Layout& layout, const Range& range) {
    const auto& run = layout.kept.run();
    const std::int64_t block = run.steps[0] == 1 ? kBlock : 1;
    bool has_value = true;
    std::int64_t first = range.begin / run.count * run.count;
    const std::int64_t last_run = (range.end + run.count - 1) / run.count;
    layout.kept.for_each_run(first / run.count, last_run, [&](const NdLoop<2>::Offsets& at) {
        const std::int64_t end = std::min(run.count, range.end - first);
        for (std::int64_t i = std::max(range.begin - first, std::int64_t{0}); i < end;) {
            const std::int64_t count = std::min(block, end - i);
            const T* from = static_cast<const T*>(range.from) + at[0] + i * run.steps[0];
            T* to = static_cast<T*>(range.to) + at[1] + i;
            const bool has = count == 1 ? run_one<T, Function>(layout, from, to)
                                        : run_block<T, Function>(layout, from, to, count);
            has_value = has && has_value;
            i += count;
        }
        first += run.count;
    });
    return has_value;
}

Reduce::Run Reduce::choose(ReduceFunction function, ElementType type) {
    if (function == ReduceFunction::logical_and) return run_as<Flag, And>;
    if (function == ReduceFunction::logical_or) return run_as<Flag, Or>;
    return visit_type(type, [&](auto tag) -> Run {
        using T = tag_type<decltype(tag)>;
        if constexpr (!std::is_same_v<T, bool>) {
            switch (function) {
                case ReduceFunction::l1: return run_as<T, L1<T>>;
                case ReduceFunction::l2: return run_as<T, L2<T>>;
                case ReduceFunction::max: return run_as<T, Extreme<T, true>>;
                case ReduceFunction::mean: return run_as<T, Mean<T>>;
                case ReduceFunction::min: return run_as<T, Extreme<T, false>>;
                case ReduceFunction::prod: return run_as<T, Product<T>>;
                case ReduceFunction::sum: return run_as<T, Sum<T>>;
                default: break;
            }
        }
        internal_error("a reduction of a type that it doesn't take");
    });
}

Reduce::Reduce(ReduceFunction function, ElementType type, const ReduceSizes& sizes)
    : run_(choose(function, type)) {
    std::vector<NdAxis<2>> kept;
    std::vector<NdAxis<1>> reduced;
    std::int64_t from = 1, to = 1;
    for (std::size_t i = sizes.extents.size(); i-- > 0;) {
        const std::int64_t extent = sizes.extents[i];
        if (sizes.reduced[i]) {
            reduced.push_back({extent, {from}});
        } else {
            kept.push_back({extent, {from, to}});
            to *= std::max<std::int64_t>(extent, 1);
        }
        from *= std::max<std::int64_t>(extent, 1);
    }
    std::reverse(kept.begin(), kept.end());
    std::reverse(reduced.begin(), reduced.end());
    layout_ = {NdLoop<2>(std::move(kept)), NdLoop<1>(std::move(reduced))};
}

}  // namespace rondo::cpu
