// How large things may be: files that ask for more are refused before memory is taken.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo {

/// Elements of a tensor: their bytes stay far from overflow.
inline constexpr std::size_t kMaxElements = std::size_t{1} << 47;
/// Axes of a tensor, as many as NumPy has; a hostile file may name billions.
inline constexpr std::size_t kMaxAxes = 64;
/// Elements of a list of extents, axes or lengths; likewise.
inline constexpr std::size_t kMaxListed = 1024;
/// Outputs of a node; likewise.
inline constexpr std::int64_t kMaxOutputs = 65536;
/// Hidden units of a recurrent op: gate counts times this stay far from overflow.
inline constexpr std::int64_t kMaxHiddenSize = std::int64_t{1} << 31;
/// Hidden units up to which the IR's reader and writer fill in inputs that a form lacks, or leave
/// them out: a larger op has all inputs in its file.
inline constexpr std::int64_t kMaxFilledHiddenSize = std::int64_t{1} << 20;

}  // namespace rondo
