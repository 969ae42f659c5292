// A fast Fourier transform for lengths with small prime factors, short rather than the fastest.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

using Complex = std::complex<float>;

class Fft {
public:
    explicit Fft(std::size_t length) : roots_(length) {
        for (std::size_t i = 0; i < length; ++i) {
            const double angle = -2 * 3.141592653589793 * double(i) / double(length);
            roots_[i] = {float(std::cos(angle)), float(std::sin(angle))};
        }
    }

    std::size_t length() const { return roots_.size(); }

    /// The bins 0 to length / 2 of as many samples as the length.
    std::vector<Complex> forward(const std::vector<float>& samples) const {
        std::vector<Complex> bins = transform({samples.begin(), samples.end()});
        bins.resize(length() / 2 + 1);
        return bins;
    }

    /// The samples of which `bins` are the bins 0 to length / 2.
    std::vector<float> back(const std::vector<Complex>& bins) const {
        std::vector<Complex> all(length());
        for (std::size_t i = 0; i < bins.size(); ++i) {
            all[(length() - i) % length()] = bins[i];  // backwards: the inverse, times the length
            all[i] = std::conj(bins[i]);
        }
        // At 0 and length / 2 both are the same bin, which is real for real samples.
        all[0] = bins[0].real();
        if (length() % 2 == 0) all[length() / 2] = bins[length() / 2].real();
        std::vector<float> samples;
        for (const Complex& value : transform(all)) {
            samples.push_back(value.real() / float(length()));
        }
        return samples;
    }

private:
    std::vector<Complex> transform(const std::vector<Complex>& values) const {
        std::vector<Complex> bins(length());
        transform(values.data(), 1, bins.data());
        return bins;
    }

    // Every stride-th value. With the smallest prime factor p of their number, the values at r,
    // r + p, r + 2p, ... are transformed for each r < p. A bin k is the sum of the bins k of these
    // parts, where k counts on from the start after a part's end, turned by r k steps of the
    // circle.
    void transform(const Complex* values, std::size_t stride, Complex* bins) const {
        const std::size_t count = length() / stride;
        if (count == 1) {
            *bins = *values;
            return;
        }
        std::size_t p = 2;
        while (count % p != 0) ++p;
        const std::size_t part = count / p;
        for (std::size_t r = 0; r < p; ++r) {
            transform(values + r * stride, stride * p, bins + r * part);
        }
        if (p == 2) {  // the same as below, where half a circle is a factor of -1
            for (std::size_t k = 0; k < part; ++k) {
                const Complex odd = bins[part + k] * roots_[k * stride];
                bins[part + k] = bins[k] - odd;
                bins[k] += odd;
            }
            return;
        }
        std::vector<Complex> sums(p);
        for (std::size_t k = 0; k < part; ++k) {
            for (std::size_t turn = 0; turn < p; ++turn) {
                sums[turn] = bins[k];
                for (std::size_t r = 1; r < p; ++r) {
                    const std::size_t steps = r * (k + turn * part) % count;
                    sums[turn] += bins[r * part + k] * roots_[steps * stride];
                }
            }
            for (std::size_t turn = 0; turn < p; ++turn) bins[turn * part + k] = sums[turn];
        }
    }

    std::vector<Complex> roots_;
};
