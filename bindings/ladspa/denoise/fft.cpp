#include "bindings/ladspa/denoise/fft.hpp"

#include <cmath>

namespace rondo::denoise {
namespace {

// The operator of std::complex also looks for infinities, which takes most of its time.
Complex times(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

Complex times_i(Complex a) { return {-a.imag(), a.real()}; }

// A stage of a transform of `count` numbers, of which there are `stride` side by side: the numbers
// at q, q + part, q + 2 part, ... (part = count / factor) become the bins 0 to factor - 1 of their
// own transform, bin r turned by q r steps of the circle of `count`, and lie side by side then.
struct Stage {
    const Complex* in;
    Complex* out;
    std::size_t part;
    std::size_t stride;
};

template <typename Turn>
void run_2(const Stage& stage, const Turn& turn) {
    const auto [in, out, part, stride] = stage;
    for (std::size_t q = 0; q < part; ++q) {
        const Complex root = turn(q);
        for (std::size_t k = 0; k < stride; ++k) {
            const Complex a = in[q * stride + k], b = in[(q + part) * stride + k];
            out[2 * q * stride + k] = a + b;
            out[(2 * q + 1) * stride + k] = times(a - b, root);
        }
    }
}

template <typename Turn>
void run_4(const Stage& stage, const Turn& turn) {
    const auto [in, out, part, stride] = stage;
    for (std::size_t q = 0; q < part; ++q) {
        const Complex root1 = turn(q), root2 = turn(2 * q), root3 = turn(3 * q);
        for (std::size_t k = 0; k < stride; ++k) {
            const Complex a = in[q * stride + k], b = in[(q + part) * stride + k],
                          c = in[(q + 2 * part) * stride + k], d = in[(q + 3 * part) * stride + k];
            const Complex even = a + c, odd = b + d, other = a - c, turned = times_i(b - d);
            Complex* to = out + 4 * q * stride + k;
            to[0] = even + odd;
            to[stride] = times(other - turned, root1);
            to[2 * stride] = times(even - odd, root2);
            to[3 * stride] = times(other + turned, root3);
        }
    }
}

template <typename Turn>
void run_any(const Stage& stage, std::size_t factor, const Turn& turn) {
    const auto [in, out, part, stride] = stage;
    for (std::size_t at = 0; at < part * factor; ++at) {
        const std::size_t q = at / factor, r = at % factor;
        for (std::size_t k = 0; k < stride; ++k) {
            Complex sum = in[q * stride + k];
            for (std::size_t j = 1; j < factor; ++j) {
                sum += times(in[(q + j * part) * stride + k], turn(j * r % factor * part));
            }
            out[at * stride + k] = times(sum, turn(q * r));
        }
    }
}

std::vector<std::size_t> factors_of(std::size_t number) {
    std::vector<std::size_t> factors;
    for (; number % 4 == 0; number /= 4) factors.push_back(4);
    for (std::size_t factor = 2; number > 1; ++factor) {
        for (; number % factor == 0; number /= factor) factors.push_back(factor);
    }
    return factors;
}

}  // namespace

Fft::Fft(std::size_t length)
    : half_(length / 2),
      factors_(factors_of(half_)),
      roots_(length),
      values_(half_),
      others_(half_) {
    for (std::size_t i = 0; i < length; ++i) {
        const double angle = -2 * 3.141592653589793 * double(i) / double(length);
        roots_[i] = {float(std::cos(angle)), float(std::sin(angle))};
    }
}

void Fft::transform() {
    std::size_t count = half_, stride = 1;
    for (const std::size_t factor : factors_) {
        const Stage stage{values_.data(), others_.data(), count / factor, stride};
        const auto turn = [&](std::size_t steps) { return roots_[2 * stride * steps]; };
        if (factor == 2) {
            run_2(stage, turn);
        } else if (factor == 4) {
            run_4(stage, turn);
        } else {
            run_any(stage, factor, turn);
        }
        values_.swap(others_);
        count /= factor;
        stride *= factor;
    }
}

// The even samples are real parts and the odd ones imaginary parts of half as many numbers. Their
// bins k and half - k hold those of the even samples, E, and of the odd ones, O, from which the bin
// k of all is E + O turned by k steps of the circle of all.
void Fft::forward(const float* samples, Complex* bins) {
    for (std::size_t i = 0; i < half_; ++i) values_[i] = {samples[2 * i], samples[2 * i + 1]};
    transform();
    for (std::size_t k = 0; k <= half_; ++k) {
        const Complex a = values_[k % half_], b = std::conj(values_[(half_ - k) % half_]);
        const Complex even = (a + b) * 0.5F, odd = times_i(b - a) * 0.5F;
        bins[k] = even + times(odd, roots_[k]);
    }
}

// The same backwards; conjugated numbers are transformed to conjugated samples times half.
void Fft::back(const Complex* bins, float* samples) {
    const float scale = 0.5F / float(half_);
    for (std::size_t k = 0; k < half_; ++k) {
        Complex a = bins[k], b = std::conj(bins[half_ - k]);
        if (k == 0) a = a.real(), b = b.real();
        const Complex even = a + b, odd = times(a - b, std::conj(roots_[k]));
        values_[k] = std::conj(even + times_i(odd)) * scale;
    }
    transform();
    for (std::size_t i = 0; i < half_; ++i) {
        samples[2 * i] = values_[i].real();
        samples[2 * i + 1] = -values_[i].imag();
    }
}

}  // namespace rondo::denoise
