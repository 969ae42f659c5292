#include "plugins/cpu/kernels/reduction/top_k.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "core/support/check.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"

namespace rondo::cpu {
namespace {

template <typename T>
bool is_greater(T a, T b) {
    if constexpr (is_16_bit_float<T>) {
        return is_greater(static_cast<float>(a), static_cast<float>(b));
    } else if constexpr (std::is_floating_point_v<T>) {
        return a > b || (a != a && b == b);
    } else {
        return a > b;
    }
}

// One line; T: the elements.
template <typename T>
struct Line {
    const T* data;
    std::int64_t stride;
    bool least;

    const T& at(std::int64_t i) const { return data[i * stride]; }
    bool is_better(std::int64_t a, std::int64_t b) const {
        return least ? is_greater(at(b), at(a)) : is_greater(at(a), at(b));
    }

    std::int64_t best(std::int64_t n) const {
        std::int64_t best = 0;
        for (std::int64_t i = 1; i < n; ++i) {
            if (is_better(i, best)) best = i;
        }
        return best;
    }
    // The first k entries of `order` become the places of the best ones.
    void sort(std::int64_t n, std::int64_t k, bool by_place, std::int64_t* order) const {
        std::iota(order, order + n, std::int64_t{0});
        std::partial_sort(order, order + k, order + n, [&](std::int64_t a, std::int64_t b) {
            if (is_better(a, b)) return true;
            return a < b && !is_better(b, a);
        });
        if (by_place) std::sort(order, order + k);
    }
};

// Where the results of a line go.
template <typename T>
void put(const TopKConfig& config, const TopKRun& run, std::int64_t to, std::int64_t place,
         const T& value) {
    if (run.values != nullptr) static_cast<T*>(run.values)[to] = value;
    if (run.places == nullptr) return;
    if (config.places == ElementType::i64) {
        static_cast<std::int64_t*>(run.places)[to] = place;
    } else {
        static_cast<std::int32_t*>(run.places)[to] = static_cast<std::int32_t>(place);
    }
}

template <typename T>
void run_lines(const TopKSizes& sizes, const TopKConfig& config, const TopKRun& run) {
    for (std::int64_t number = run.begin; number < run.end; ++number) {
        const std::int64_t outer = number / sizes.inner, inner = number % sizes.inner;
        const T* data = static_cast<const T*>(run.data) + outer * sizes.n * sizes.inner + inner;
        const Line<T> line{data, sizes.inner, config.least};
        const std::int64_t to = outer * sizes.k * sizes.inner + inner;
        if (sizes.k == 1) {
            const std::int64_t best = line.best(sizes.n);
            put(config, run, to, best, line.at(best));
            continue;
        }
        line.sort(sizes.n, sizes.k, config.by_place, run.order);
        for (std::int64_t i = 0; i < sizes.k; ++i) {
            put(config, run, to + i * sizes.inner, run.order[i], line.at(run.order[i]));
        }
    }
}

}  // namespace

TopKLines::TopKLines(ElementType type, const TopKSizes& sizes, const TopKConfig& config)
    : sizes_(sizes), config_(config), run_(visit_type(type, [](auto tag) -> Run {
          using T = tag_type<decltype(tag)>;
          if constexpr (!std::is_same_v<T, bool>) return run_lines<T>;
          internal_error("TopK of a type that it doesn't take");
      })) {}

}  // namespace rondo::cpu
