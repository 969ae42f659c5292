// Conversions between f32 and the integers of quantized models, as loops that are vectorised.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/support/narrow_type.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Gives what convert_loop() gives, for elements that are walked: steps are 1. Null for other types
/// than f32 to integers of 8 and 16 bits, and these and i32 to f32, and 8 bits to i32.
ElementLoop<1> byte_convert_loop(ElementType from, ElementType to);

// Conversions from and to numbers of 2 to 8 bits.

/// Converts from a narrow type to any, or from any to a narrow one.
class NarrowConvert {
public:
    /// The way back is taken where `to` alone is narrow.
    NarrowConvert(ElementType from, ElementType to, NarrowRounding rounding);

    void run(const void* from, void* to, std::int64_t count) const;

private:
    static constexpr std::size_t kMaxBytes = 8;

    void encode(const void* from, std::uint8_t* to, std::int64_t count) const;

    ElementType from_;
    ElementType to_;
    NarrowRounding rounding_;
    /// What each code becomes, where `from` is narrow.
    alignas(kMaxBytes) std::array<std::byte, 256 * kMaxBytes> becomes_{};
};

}  // namespace rondo::cpu
