#include "rondo/conversion.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "core/support/rounding.hpp"
#include "core/support/visit_type.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

// Elements become doubles or integers of 64 bits first, a block at a time: nothing is lost, and
// few loops serve all pairs of types.
constexpr std::size_t kBlock = 256;

template <typename T>
constexpr bool kIsHalf = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

template <typename T>
constexpr bool kIsFloating = kIsHalf<T> || std::is_floating_point_v<T>;

template <typename T>
using WideOf = std::conditional_t<
    kIsFloating<T>, double,
    std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>>;

template <typename T>
auto as_standard(T value) {
    if constexpr (kIsHalf<T>) {
        return static_cast<float>(value);
    } else {
        return value;
    }
}

template <typename Wide>
using Load = void (*)(const void* elements, std::size_t begin, std::size_t count, Wide* block);

template <typename From>
void load(const void* elements, std::size_t begin, std::size_t count, WideOf<From>* block) {
    // A boolean's byte may hold more than 0 and 1.
    using Stored = std::conditional_t<std::is_same_v<From, bool>, std::uint8_t, From>;
    const auto* from = static_cast<const Stored*>(elements) + begin;
    std::transform(from, from + count, block, [](Stored value) {
        if constexpr (std::is_same_v<From, bool>) {
            return std::int64_t{value != 0};
        } else {
            return static_cast<WideOf<From>>(as_standard(value));
        }
    });
}

template <typename To, typename Wide>
To nearest(Wide value) {
    if constexpr (kIsHalf<To> && std::is_integral_v<Wide>) {
        return To(sticky_float(sticky_double(value)));
    } else if constexpr (kIsHalf<To>) {
        return To(sticky_float(value));
    } else {
        return static_cast<To>(value);
    }
}

template <typename T>
bool is_finite(T value) {
    return std::fabs(value) <= std::numeric_limits<T>::max();
}

// Bits of a floating type's significand.
template <typename T>
constexpr int kDigits = std::is_same_v<T, float16>    ? 11
                        : std::is_same_v<T, bfloat16> ? 8
                                                      : std::numeric_limits<T>::digits;

template <typename Wide>
std::uint64_t magnitude(Wide value) {
    const auto bits = static_cast<std::uint64_t>(value);
    if constexpr (std::is_signed_v<Wide>) return value < 0 ? 0 - bits : bits;
    return bits;
}

// What became of a number.
struct Fate {
    bool is_held;
    bool is_rounded;
};

template <typename To, typename Wide>
Fate fate_of(Wide value, To result) {
    if constexpr (std::is_same_v<To, bool>) {
        return {value == 0 || value == 1, false};
    } else if constexpr (!kIsFloating<To>) {
        return {std::in_range<To>(value), false};
    } else if constexpr (std::is_integral_v<Wide>) {
        const std::uint64_t size = magnitude(value);
        const int bits = static_cast<int>(std::bit_width(size)) - std::countr_zero(size);
        return {is_finite(as_standard(result)), bits > kDigits<To>};
    } else {
        const auto number = as_standard(result);
        const bool is_equal = static_cast<double>(number) == value;
        const bool is_nan = value != value;
        return {is_finite(number) || !is_finite(value), !is_equal && !is_nan};
    }
}

// The most frequent pair, in loops that the compiler turns into vectors. False, and adds nothing,
// if any number isn't finite.
bool add_if_finite(const double* from, const float* to, std::size_t count, std::size_t& rounded) {
    std::size_t finite = 0;
    std::size_t unequal = 0;
    for (std::size_t i = 0; i < count; ++i) finite += is_finite(to[i]) ? 1 : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = static_cast<double>(to[i]);
        unequal += number != from[i] ? 1 : 0;
    }
    if (finite != count) return false;
    rounded += unequal;
    return true;
}

// What stays the same for all blocks.
template <typename Wide>
struct Source {
    const void* elements;
    std::size_t count;
    Load<Wide> load;
};

template <typename To, typename Wide>
void convert_blocks(const Source<Wide>& source, Conversion& result) {
    To* const to = result.tensor.data<To>();
    std::array<Wide, kBlock> block;
    for (std::size_t begin = 0; begin < source.count; begin += kBlock) {
        const std::size_t count = std::min(kBlock, source.count - begin);
        source.load(source.elements, begin, count, block.data());
        for (std::size_t i = 0; i < count; ++i) to[begin + i] = nearest<To>(block[i]);
        if constexpr (std::is_same_v<Wide, double> && std::is_same_v<To, float>) {
            if (add_if_finite(block.data(), to + begin, count, result.rounded)) continue;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Fate fate = fate_of(block[i], to[begin + i]);
            if (!fate.is_held) {
                result = {{}, 0, begin + i};
                return;
            }
            result.rounded += fate.is_rounded ? 1 : 0;
        }
    }
}

template <typename Wide>
void convert_from(const Source<Wide>& source, Conversion& result) {
    visit_type(result.tensor.element_type(), [&](auto tag) {
        using To = tag_type<decltype(tag)>;
        constexpr bool kIsPair = kIsFloating<To> || std::is_integral_v<Wide>;
        if constexpr (kIsPair) convert_blocks<To>(source, result);
    });
}

}  // namespace

bool can_convert(ElementType from, ElementType to) {
    if (from == to) return true;
    const auto is_number = [](ElementType type) {
        return type != ElementType::dynamic && !is_narrow(type);
    };
    return is_number(from) && is_number(to) && (is_floating(to) || !is_floating(from));
}

Conversion convert_tensor(const Tensor& tensor, ElementType type) {
    const ElementType from = tensor.element_type();
    if (!can_convert(from, type)) {
        throw ModelError("can't convert " + std::string(to_string(from)) + " to " +
                         std::string(to_string(type)) + " without a loss");
    }
    const Tensor dense = tensor.contiguous();
    if (from == type) return {dense, 0, {}};
    Conversion result{Tensor(type, tensor.shape()), 0, {}};
    visit_type(from, [&](auto tag) {
        using From = tag_type<decltype(tag)>;
        convert_from<WideOf<From>>({dense.data(), dense.size(), load<From>}, result);
    });
    return result;
}

}  // namespace rondo
