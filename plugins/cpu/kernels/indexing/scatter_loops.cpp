#include "plugins/cpu/kernels/indexing/scatter_loops.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/support/visit_type.hpp"
#include "core/support/wrapping.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"

namespace rondo::cpu {
namespace {

using ops::ScatterReduction;

template <typename T>
bool is_nan(T value) {
    if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
    return false;
}

template <ScatterReduction reduction, typename T>
T combined(T a, T b) {
    using enum ScatterReduction;
    if constexpr (reduction == sum) return sum_of(a, b);
    if constexpr (reduction == sub) return difference_of(a, b);
    if constexpr (reduction == prod) return product_of(a, b);
    if constexpr (reduction == min) return a < b || is_nan(a) ? a : b;
    if constexpr (reduction == max) return a > b || is_nan(a) ? a : b;
    return b;
}

// What no update changes.
template <ScatterReduction reduction, typename T>
constexpr T neutral() {
    using enum ScatterReduction;
    using Limits = std::numeric_limits<T>;
    if constexpr (reduction == prod) return T{1};
    if constexpr (reduction == min)
        return Limits::has_infinity ? Limits::infinity() : Limits::max();
    if constexpr (reduction == max) {
        return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    }
    return T{0};
}

template <ScatterReduction reduction, typename T>
void at(void* data, const std::int64_t* places, const void* updates, std::int64_t count) {
    auto* to = static_cast<T*>(data);
    const auto* from = static_cast<const T*>(updates);
    for (std::int64_t i = 0; i < count; ++i) {
        to[places[i]] = combined<reduction>(to[places[i]], from[i]);
    }
}

template <ScatterReduction reduction, typename T>
void run(void* data, const void* updates, std::int64_t count) {
    auto* to = static_cast<T*>(data);
    const auto* from = static_cast<const T*>(updates);
    for (std::int64_t i = 0; i < count; ++i) to[i] = combined<reduction>(to[i], from[i]);
}

template <ScatterReduction reduction, typename T>
void reset(void* data, const std::int64_t* places, std::int64_t count) {
    auto* to = static_cast<T*>(data);
    for (std::int64_t i = 0; i < count; ++i) to[places[i]] = neutral<reduction, T>();
}

template <ScatterReduction reduction, typename T>
constexpr ScatterLoops loops() {
    return {at<reduction, T>, run<reduction, T>, reset<reduction, T>};
}

template <typename T>
ScatterLoops loops_of(ScatterReduction reduction) {
    using enum ScatterReduction;
    switch (reduction) {
        case none: return loops<none, T>();
        case sum: return loops<sum, T>();
        case sub: return loops<sub, T>();
        case prod: return loops<prod, T>();
        case min: return loops<min, T>();
        case max: return loops<max, T>();
        case mean: break;
    }
    return {};
}

// Elements that are only moved.
ScatterLoops moving_loops(std::size_t bytes) {
    switch (bytes) {
        case 1: return loops<ScatterReduction::none, std::uint8_t>();
        case 2: return loops<ScatterReduction::none, std::uint16_t>();
        case 4: return loops<ScatterReduction::none, std::uint32_t>();
        default: return loops<ScatterReduction::none, std::uint64_t>();
    }
}

// Bytes of booleans: "or" for sum and max, "and" for prod and min.
template <bool is_or>
struct BooleanLoops {
    static std::uint8_t combined(std::uint8_t a, std::uint8_t b) {
        return is_or ? (a != 0 || b != 0) : (a != 0 && b != 0);
    }
    static void at(void* data, const std::int64_t* places, const void* updates,
                   std::int64_t count) {
        auto* to = static_cast<std::uint8_t*>(data);
        const auto* from = static_cast<const std::uint8_t*>(updates);
        for (std::int64_t i = 0; i < count; ++i) {
            to[places[i]] = combined(to[places[i]], from[i]);
        }
    }
    static void run(void* data, const void* updates, std::int64_t count) {
        auto* to = static_cast<std::uint8_t*>(data);
        const auto* from = static_cast<const std::uint8_t*>(updates);
        for (std::int64_t i = 0; i < count; ++i) to[i] = combined(to[i], from[i]);
    }
    static void reset(void* data, const std::int64_t* places, std::int64_t count) {
        auto* to = static_cast<std::uint8_t*>(data);
        for (std::int64_t i = 0; i < count; ++i) to[places[i]] = is_or ? 0 : 1;
    }
    static constexpr ScatterLoops loops() { return {at, run, reset}; }
};

ScatterLoops boolean_loops(ScatterReduction reduction) {
    using enum ScatterReduction;
    if (reduction == sum || reduction == max) return BooleanLoops<true>::loops();
    if (reduction == prod || reduction == min) return BooleanLoops<false>::loops();
    return {};
}

}  // namespace

ScatterLoops scatter_loops(ScatterReduction reduction, ElementType type) {
    if (reduction == ScatterReduction::none) return moving_loops(size_of(type));
    return visit_type(type, [&](auto tag) -> ScatterLoops {
        using T = tag_type<decltype(tag)>;
        if constexpr (std::is_same_v<T, bool>) {
            return boolean_loops(reduction);
        } else if constexpr (std::is_arithmetic_v<T>) {
            return loops_of<T>(reduction);
        } else {
            return {};
        }
    });
}

namespace {

template <typename T>
using SumOf =
    std::conditional_t<!std::is_integral_v<T>, double,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template <typename Sum, typename T>
Sum widened_to(T element) {
    if constexpr (std::is_same_v<Sum, double>) {
        return widened(element);
    } else {
        return static_cast<Sum>(element);
    }
}

template <typename T, typename Sum>
T mean_of(Sum sum, std::int64_t count) {
    if constexpr (std::is_same_v<Sum, double>) {
        return rounded<T>(sum / static_cast<double>(count));
    } else {
        return static_cast<T>(sum / static_cast<Sum>(count));
    }
}

}  // namespace

template <typename T, typename Sum>
void ScatterMean::add_to_sums(const Add& add) {
    auto* sums = static_cast<Sum*>(add.scratch);
    auto* counts = reinterpret_cast<std::int64_t*>(sums + add.elements);
    const auto* data = static_cast<const T*>(add.data);
    const auto* updates = static_cast<const T*>(add.updates);
    for (std::int64_t i = 0; i < add.count; ++i) {
        const std::int64_t place = add.places[i];
        if (counts[place] == 0 && add.counts_data) {
            sums[place] = widened_to<Sum>(data[place]);
            counts[place] = 1;
        }
        sums[place] = sum_of(sums[place], widened_to<Sum>(updates[i]));
        ++counts[place];
    }
}

template <typename T, typename Sum>
void ScatterMean::write_means(const void* scratch, void* data, std::int64_t count) {
    const auto* sums = static_cast<const Sum*>(scratch);
    const auto* counts = reinterpret_cast<const std::int64_t*>(sums + count);
    auto* to = static_cast<T*>(data);
    for (std::int64_t i = 0; i < count; ++i) {
        if (counts[i] > 0) to[i] = mean_of<T>(sums[i], counts[i]);
    }
}

ScatterMean::ScatterMean(ElementType type, std::int64_t count, bool counts_data)
    : count_(count), counts_data_(counts_data) {
    visit_type(type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        if constexpr (std::is_same_v<T, bool>) {
            internal_error("booleans have no mean");
        } else {
            add_ = add_to_sums<T, SumOf<T>>;
            finish_ = write_means<T, SumOf<T>>;
        }
    });
}

void ScatterMean::start(void* scratch) const {
    if (count_ > 0) std::memset(scratch, 0, scratch_bytes());
}

}  // namespace rondo::cpu
