// The floating-point modes of an inference. In most, denormals count as zero: one FMA on them is
// some 40 times slower.
#pragma once

#include "plugins/cpu/kernels/machine/float_control.hpp"

namespace rondo::cpu {

/// While it lives, the calling thread rounds to nearest, traps nothing, and has the flush bits set
/// or cleared: the caller's own modes change no result. Restores them, with the flags that were
/// raised before.
class FlushDenormals {
public:
    explicit FlushDenormals(bool flush) : saved_(FloatControl::read()) {
        FloatControl::write(FloatControl::kDefault | (flush ? FloatControl::kFlushBits : 0));
    }
    ~FlushDenormals() { FloatControl::write(saved_); }
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    std::uint64_t saved_;
};

}  // namespace rondo::cpu
