// A Fourier transform of real samples.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace rondo::denoise {

using Complex = std::complex<float>;

/// For one stream: the transforms use memory of their own, and allocate none.
class Fft {
public:
    /// `length` must be even and above 0.
    explicit Fft(std::size_t length);

    std::size_t length() const { return 2 * half_; }
    std::size_t bins() const { return half_ + 1; }

    /// The bins 0 to length / 2 of as many samples as the length.
    void forward(const float* samples, Complex* bins);
    /// The samples of which `bins` are the bins 0 to length / 2; the imaginary parts of the first
    /// and the last one don't count.
    void back(const Complex* bins, float* samples);

private:
    void transform();

    std::size_t half_;
    std::vector<std::size_t> factors_;  // of half_
    std::vector<Complex> roots_;        // exp(-2 pi i k / length) of each k
    std::vector<Complex> values_;       // half_ numbers, transformed in place
    std::vector<Complex> others_;
};

}  // namespace rondo::denoise
