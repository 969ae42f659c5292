#include "plugins/cpu/kernels/movement/reverse_sequence.hpp"

#include "plugins/cpu/kernels/movement/copy_bytes.hpp"

namespace rondo::cpu {
namespace {

std::int64_t turned(std::int64_t step, std::int64_t length) {
    return step < length ? length - 1 - step : step;
}

// A row is one sequence.
void reverse_row(const ReverseSequenceSizes& sizes, const char* from, char* to,
                 std::int64_t length) {
    for (std::int64_t step = 0; step < length; ++step) {
        copy_bytes(to + step * sizes.block, from + (length - 1 - step) * sizes.block, sizes.block);
    }
    const std::int64_t done = length * sizes.block;
    copy_bytes(to + done, from + done, sizes.second * sizes.block - done);
}

// A row is one step of every sequence; `from` is the row at step 0.
void gather_row(const ReverseSequenceSizes& sizes, const char* from, char* to, std::int64_t step,
                const std::int64_t* lengths) {
    const std::int64_t step_bytes = sizes.middle * sizes.second * sizes.block;
    for (std::int64_t i = 0; i < sizes.second; ++i) {
        const std::int64_t source = turned(step, lengths[i]);
        copy_bytes(to + i * sizes.block, from + source * step_bytes + i * sizes.block, sizes.block);
    }
}

}  // namespace

void reverse_sequence(const ReverseSequenceSizes& sizes, const void* data,
                      const std::int64_t* lengths, void* out, std::int64_t begin,
                      std::int64_t end) {
    const std::int64_t row_bytes = sizes.second * sizes.block;
    const auto* from = static_cast<const char*>(data) + begin * row_bytes;
    auto* to = static_cast<char*>(out) + begin * row_bytes;
    for (std::int64_t row = begin; row < end; ++row, from += row_bytes, to += row_bytes) {
        const std::int64_t place = row / sizes.middle % sizes.first;
        if (sizes.is_batch_first) {
            reverse_row(sizes, from, to, lengths[place]);
        } else {
            gather_row(sizes, from - place * sizes.middle * row_bytes, to, place, lengths);
        }
    }
}

}  // namespace rondo::cpu
