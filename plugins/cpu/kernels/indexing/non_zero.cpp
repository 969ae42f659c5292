#include "plugins/cpu/kernels/indexing/non_zero.hpp"

#include <algorithm>
#include <type_traits>

#include "core/support/visit_type.hpp"

namespace rondo::cpu {
namespace {

// The bits of 16-bit floats without their sign; a byte for a boolean.
struct HalfBits {
    std::uint16_t bits;
};

template <typename T>
bool is_non_zero(T element) {
    if constexpr (std::is_same_v<T, HalfBits>) {
        return (element.bits & 0x7fffu) != 0;
    } else {
        return element != 0;
    }
}

template <typename T>
std::int64_t count_of(const void* data, std::int64_t n) {
    const auto* from = static_cast<const T*>(data);
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < n; ++i) found += is_non_zero(from[i]) ? 1 : 0;
    return found;
}

// The next row of the last axis: the axes before it go on.
void next_row(std::span<const std::int64_t> extents, std::int64_t* places) {
    for (std::size_t axis = extents.size() - 1; axis-- > 0;) {
        if (++places[axis] < extents[axis]) return;
        places[axis] = 0;
    }
}

}  // namespace

template <typename T, typename Index>
void NonZero::write_places(const Write& write) {
    const auto* from = static_cast<const T*>(write.data);
    auto* out = static_cast<Index*>(write.out);
    const std::size_t rank = write.extents.size();
    std::fill_n(write.places, rank, 0);
    for (std::int64_t column = 0; column < write.count; next_row(write.extents, write.places)) {
        for (std::int64_t i = 0; i < write.extents[rank - 1]; ++i) {
            if (!is_non_zero(*from++)) continue;
            write.places[rank - 1] = i;
            for (std::size_t axis = 0; axis < rank; ++axis) {
                out[static_cast<std::int64_t>(axis) * write.count + column] =
                    static_cast<Index>(write.places[axis]);
            }
            ++column;
        }
    }
}

NonZero::NonZero(ElementType type, ElementType output) {
    const ElementType read = type == ElementType::boolean ? ElementType::u8 : type;
    visit_type(read, [&](auto tag) {
        using Element = tag_type<decltype(tag)>;
        using T = std::conditional_t<std::is_arithmetic_v<Element>, Element, HalfBits>;
        count_ = count_of<T>;
        write_ = output == ElementType::i32 ? write_places<T, std::int32_t>
                                            : write_places<T, std::int64_t>;
    });
}

}  // namespace rondo::cpu
