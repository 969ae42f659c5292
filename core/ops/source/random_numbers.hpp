// Random numbers by a counter: each depends on its place and the seed alone, whatever computes it.
#pragma once

#include <array>
#include <cstdint>

#include "rondo/element_type.hpp"

namespace rondo::ops {

/// Two numbers select one sequence of all.
struct RandomSeed {
    std::uint64_t global = 0;
    std::uint64_t op = 0;
};

/// Another seed in each call: of the system's source of random bits. Keeps no state, so that forks
/// and threads draw apart.
RandomSeed fresh_seed();

/// Group `index` of a sequence: Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as
/// 1, 2, 3") with the key seed.global and the counter index + 2^64 seed.op.
std::array<std::uint32_t, 4> random_words(const RandomSeed& seed, std::uint64_t index);

/// True for the types that write_uniform() writes: f64, f32, f16, bf16, i64 and i32.
bool can_be_random(ElementType type);

/// Where the numbers of a type lie: `least` and `bound` point to one element each.
struct RandomRange {
    ElementType type;
    const void* least;
    const void* bound;
};

/// Writes the elements [begin, end) of a tensor at `to`: a word each, or two of 64-bit types, the
/// first of which is the upper half of f64 and the lower one of i64, as OpenVINO has it. Floating:
/// the word's lower 23 bits (52 of f64) as a number u in [0, 1), u (bound - least) + least, of 16
/// bits computed in f32. Integers: word mod (bound - least) + least; least must be below bound.
void write_uniform(const RandomRange& range, const RandomSeed& seed, void* to, std::int64_t begin,
                   std::int64_t end);

/// Whether bound is above least; always true for floating types.
bool is_range(const RandomRange& range);

}  // namespace rondo::ops
