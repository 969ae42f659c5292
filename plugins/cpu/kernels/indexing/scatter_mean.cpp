#include "plugins/cpu/kernels/indexing/scatter_mean.hpp"

#include <cstring>
#include <type_traits>

#include "core/support/visit_type.hpp"
#include "core/support/wrapping.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"

namespace rondo::cpu {
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
