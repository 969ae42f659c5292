// Computes discrete Fourier transforms of complex lines of any length.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace rondo::cpu {

/// The real and the imaginary parts of complex numbers: [n][lanes] each.
struct Planes {
    double* re = nullptr;
    double* im = nullptr;
};

/// Transforms `lanes` lines of one length at once: y[k] = sum over i of x[i] e^(-2 pi j k i / n).
/// Lengths without a prime factor above kLargestRadix take a pass a factor (Stockham's order, which
/// needs no bit reversal); for others Bluestein's convolution of a length that has only small
/// factors. A line's bits don't depend on the lines beside it. In double for all types: parts that
/// cancel each other in exact arithmetic would be left as 1e-6 of the greatest one in f32.
/// Immutable.
class Fft {
public:
    static constexpr std::int64_t kLargestRadix = 31;

    /// n: 1 or more.
    explicit Fft(std::int64_t n);

    std::int64_t n() const { return n_; }
    /// Numbers that run() needs.
    std::int64_t work_size(std::int64_t lanes) const { return 4 * longest_ * lanes; }
    /// Where run() finds its input.
    Planes input(double* work, std::int64_t lanes) const { return {work, work + longest_ * lanes}; }
    /// Transforms what input() holds. Returns where the result is, within `work`; all else there is
    /// overwritten.
    Planes run(double* work, std::int64_t lanes) const;

private:
    struct Pass {
        int radix;
        std::int64_t m;         // what is left of the length after this pass
        std::size_t twiddles;   // e^(-2 pi j p k / (radix m)): [radix - 1][m]
        std::size_t roots = 0;  // e^(-2 pi j i / radix), where the radix has no formula of its own
    };
    struct Convolution;

    std::size_t add_roots(std::int64_t factor, std::int64_t count, std::int64_t n);
    void add_pass(std::int64_t radix, std::int64_t m);
    void run_pass(const Pass& pass, std::int64_t stride, Planes x, Planes y) const;
    Planes run_passes(Planes x, Planes y, std::int64_t lanes) const;
    Planes convolve(Planes x, Planes y, std::int64_t lanes) const;

    std::int64_t n_;
    std::int64_t longest_;  // n, or the length of the convolution
    std::vector<Pass> passes_;
    std::vector<double> table_re_;
    std::vector<double> table_im_;
    std::shared_ptr<const Convolution> convolution_;
};

}  // namespace rondo::cpu
