// Conversions from and to numbers of 2 to 8 bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/support/narrow_type.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

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
