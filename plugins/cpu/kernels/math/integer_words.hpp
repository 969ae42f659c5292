// The unsigned type in which integers wrap without overflow.
#pragma once

#include <cstdint>
#include <type_traits>

namespace rondo::cpu {

/// Sums, differences and products of T in this type, cut to T again, are those modulo T's width.
/// At least 32 bits: narrower types would be promoted to int, whose products may overflow.
template <typename T>
using WrappingWord = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

}  // namespace rondo::cpu
