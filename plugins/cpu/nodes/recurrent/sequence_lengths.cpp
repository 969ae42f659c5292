#include "plugins/cpu/nodes/recurrent/sequence_lengths.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/ops/implied_input.hpp"

namespace rondo::cpu {

SequenceLengths::SequenceLengths(const ops::RecurrentOp& op, const TensorInfo& lengths,
                                 std::int64_t batch, std::int64_t time)
    : op_(op), batch_(batch), time_(time), type_(lengths.type) {
    if (is_implied(lengths.shape)) full_ = true;
    if (full_ || !lengths.value) return;
    // Known before the run: a batch without padding needs no lengths at all.
    const auto values = to_int64_vector(lengths.value);
    op.check_lengths(values, time);
    full_ = std::all_of(values.begin(), values.end(), [&](auto v) { return v == time; });
}

std::size_t SequenceLengths::scratch_bytes() const {
    return needs_widening() ? whole_lines(static_cast<std::size_t>(batch_) * 8) : 0;
}

const std::int64_t* SequenceLengths::read(const void* data, void* scratch) const {
    if (full_) return nullptr;
    const auto* lengths = static_cast<const std::int64_t*>(data);
    if (needs_widening()) {
        auto* wide = static_cast<std::int64_t*>(scratch);
        std::copy_n(static_cast<const std::int32_t*>(data), batch_, wide);
        lengths = wide;
    }
    op_.check_lengths({lengths, static_cast<std::size_t>(batch_)}, time_);
    const bool full =
        std::all_of(lengths, lengths + batch_, [&](std::int64_t v) { return v == time_; });
    return full ? nullptr : lengths;
}

}  // namespace rondo::cpu
