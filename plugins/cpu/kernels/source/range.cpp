#include "plugins/cpu/kernels/source/range.hpp"

#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"

namespace rondo::cpu {
namespace {

template <typename T>
void write(const ops::RangeNumber& start, const ops::RangeNumber& step, T* to, std::int64_t begin,
           std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
        if constexpr (std::is_integral_v<T>) {
            to[i] = static_cast<T>(static_cast<std::uint64_t>(start.whole) +
                                   static_cast<std::uint64_t>(i) *
                                       static_cast<std::uint64_t>(step.whole));
        } else {
            to[i] = rounded<T>(start.real + static_cast<double>(i) * step.real);
        }
    }
}

}  // namespace

void write_range(ElementType type, const ops::RangeNumber& start, const ops::RangeNumber& step,
                 void* to, std::int64_t begin, std::int64_t end) {
    visit_type(type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        write(start, step, static_cast<T*>(to), begin, end);
    });
}

}  // namespace rondo::cpu
