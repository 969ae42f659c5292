// Reverses the order of the first blocks of each row of a batch.
#pragma once

#include <cstdint>

namespace rondo::cpu {

/// data, out: [outer, first, middle, second, block bytes]. One of first and second is the batch,
/// the other one the sequence.
struct ReverseSequenceSizes {
    std::int64_t outer = 1;
    std::int64_t first = 1;
    std::int64_t middle = 1;
    std::int64_t second = 1;
    std::int64_t block = 1;
    bool is_batch_first = true;

    std::int64_t batch() const { return is_batch_first ? first : second; }
    std::int64_t steps() const { return is_batch_first ? second : first; }
    /// Runs of `second` blocks.
    std::int64_t rows() const { return outer * first * middle; }
};

/// Writes the rows [begin, end). `lengths`: one for each place of the batch, from 0 to steps().
/// `data` and `out` don't overlap.
void reverse_sequence(const ReverseSequenceSizes& sizes, const void* data,
                      const std::int64_t* lengths, void* out, std::int64_t begin, std::int64_t end);

}  // namespace rondo::cpu
