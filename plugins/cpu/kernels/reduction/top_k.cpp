#include "plugins/cpu/kernels/reduction/top_k.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "core/support/errors.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"

namespace rondo::cpu {
namespace {

constexpr int kTopKLanes = 16;     // elements that are compared side by side
constexpr std::int64_t kFew = 32;  // elements that are kept in order while a line is read

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
class Line {
public:
    Line(const T* data, std::int64_t stride, bool least)
        : data_(data), stride_(stride), least_(least) {}

    const T& at(std::int64_t i) const { return data_[i * stride_]; }

    std::int64_t best(std::int64_t n) const {
        if constexpr (std::is_floating_point_v<T>) {
            if (stride_ == 1) return best_of_run(n);
        }
        return best_one_by_one(n);
    }
    // The first k entries of `order` become the places of the best ones.
    void sort(std::int64_t n, std::int64_t k, bool by_place, std::int64_t* order) const {
        k <= kFew ? insert(n, k, order) : select(n, k, order);
        if (by_place) std::sort(order, order + k);
    }

private:
    bool is_better(std::int64_t a, std::int64_t b) const {
        return least_ ? is_greater(at(b), at(a)) : is_greater(at(a), at(b));
    }

    std::int64_t best_one_by_one(std::int64_t n) const {
        std::int64_t best = 0;
        for (std::int64_t i = 1; i < n; ++i) {
            if (is_better(i, best)) best = i;
        }
        return best;
    }

    // Vectors find the best value, or that there is NaN; then its place is looked for.
    std::int64_t best_of_run(std::int64_t n) const {
        const T sign = least_ ? T{-1} : T{1};
        T lanes[kTopKLanes];
        std::fill_n(lanes, kTopKLanes, data_[0] * sign);
        bool has_nan = false;
        std::int64_t i = 0;
        for (; i + kTopKLanes <= n; i += kTopKLanes) has_nan = add_lanes(i, sign, lanes) || has_nan;
        for (; i < n; ++i) {
            lanes[0] = std::max(lanes[0], data_[i] * sign);
            has_nan = has_nan || data_[i] != data_[i];
        }
        if (has_nan) return best_one_by_one(n);
        const T best = *std::max_element(lanes, lanes + kTopKLanes) * sign;
        return std::find(data_, data_ + n, best) - data_;
    }

    // True where there is NaN, or an infinity.
    bool add_lanes(std::int64_t first, T sign, T* lanes) const {
        T zero = 0;
        for (int j = 0; j < kTopKLanes; ++j) {
            const T x = data_[first + j] * sign;
            lanes[j] = x > lanes[j] ? x : lanes[j];
            zero += x - x;
        }
        return zero != zero;
    }

    // Keeps the best so far in order; most elements are worse than the last of them.
    void insert(std::int64_t n, std::int64_t k, std::int64_t* order) const {
        std::int64_t kept = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            if (kept == k && !is_better(i, order[k - 1])) continue;
            std::int64_t to = kept < k ? kept++ : k - 1;
            for (; to > 0 && is_better(i, order[to - 1]); --to) order[to] = order[to - 1];
            order[to] = i;
        }
    }

    void select(std::int64_t n, std::int64_t k, std::int64_t* order) const {
        std::iota(order, order + n, std::int64_t{0});
        std::partial_sort(order, order + k, order + n, [&](std::int64_t a, std::int64_t b) {
            if (is_better(a, b)) return true;
            return a < b && !is_better(b, a);
        });
    }

    const T* data_;
    std::int64_t stride_;
    bool least_;
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
        const Line<T> line(data, sizes.inner, config.least);
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
