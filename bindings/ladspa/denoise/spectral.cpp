// Any network of one frame's spectrum: windows that overlap are transformed, cleaned and added.
#include <algorithm>
#include <cmath>
#include <string>

#include <rondo/error.hpp>

#include "bindings/ladspa/denoise/denoiser.hpp"
#include "bindings/ladspa/denoise/spectrum_network.hpp"

namespace rondo::denoise {
namespace {

// The window of `length` samples; its weights are the same from both ends, one sample later, as
// windows that overlap need it.
std::vector<float> window_of(SpectrumOptions::Shape shape, std::size_t length) {
    constexpr double kPi = 3.141592653589793;
    std::vector<float> weights(length);
    for (std::size_t i = 0; i < length; ++i) {
        const double wave = std::cos(2 * kPi * double(i) / double(length));
        const double half_wave = std::sin(kPi * (double(i) + 0.5) / double(length));
        double weight = 1;
        switch (shape) {
            case SpectrumOptions::Shape::none: break;
            case SpectrumOptions::Shape::hann: weight = 0.5 - 0.5 * wave; break;
            case SpectrumOptions::Shape::sqrt_hann: weight = std::sqrt(0.5 - 0.5 * wave); break;
            case SpectrumOptions::Shape::hamming: weight = 0.54 - 0.46 * wave; break;
            case SpectrumOptions::Shape::vorbis:
                weight = std::sin(kPi / 2 * half_wave * half_wave);
                break;
        }
        weights[i] = float(weight);
    }
    return weights;
}

class Spectral : public Denoiser {
public:
    Spectral(const NetworkFile& file, const SpectrumOptions& options)
        : network_(file, options.output),
          fft_(2 * (network_.bins() - 1)),
          hop_(options.hop == 0 ? fft_.length() / 2 : options.hop),
          shape_(window_of(options.shape, fft_.length())),
          out_shape_(shape_) {
        if (hop_ > fft_.length() || fft_.length() % hop_ != 0) {
            throw ModelError(file.path + ": the window has " + std::to_string(fft_.length()) +
                             " samples, as its " + std::to_string(network_.bins()) +
                             " bins say; a hop of " + std::to_string(hop_) + " doesn't divide it");
        }
        settle_out_shape(file.path);
    }

    std::size_t hop() const override { return hop_; }
    std::size_t delay() const override { return fft_.length() - hop_; }

    void push(const float* noisy, float* clean) override {
        std::copy(window_.begin() + std::ptrdiff_t(hop_), window_.end(), window_.begin());
        std::copy(noisy, noisy + hop_, window_.end() - std::ptrdiff_t(hop_));
        for (std::size_t i = 0; i < window_.size(); ++i) shaped_[i] = window_[i] * shape_[i];
        fft_.forward(shaped_.data(), bins_.data());
        network_.clean(bins_.data());
        fft_.back(bins_.data(), shaped_.data());

        // A sample is ready when the last window that holds it was added.
        std::copy(sum_.begin() + std::ptrdiff_t(hop_), sum_.end(), sum_.begin());
        std::fill(sum_.end() - std::ptrdiff_t(hop_), sum_.end(), 0.0F);
        for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += shaped_[i] * out_shape_[i];
        std::copy(sum_.begin(), sum_.begin() + std::ptrdiff_t(hop_), clean);
    }

    void reset() override {
        network_.reset();
        std::fill(window_.begin(), window_.end(), 0.0F);
        std::fill(sum_.begin(), sum_.end(), 0.0F);
    }

private:
    // The squares of the windows that hold a sample add up to 1 after this.
    void settle_out_shape(const std::string& path) {
        constexpr float kLeastWeight = 1e-3F;
        for (std::size_t i = 0; i < hop_; ++i) {
            float sum = 0;
            for (std::size_t j = i; j < shape_.size(); j += hop_) sum += shape_[j] * shape_[j];
            if (sum < kLeastWeight) {
                throw ModelError(path + ": with this window and a hop of " + std::to_string(hop_) +
                                 " samples, sample " + std::to_string(i) +
                                 " of each hop has no weight; expected a smaller hop");
            }
            for (std::size_t j = i; j < shape_.size(); j += hop_) out_shape_[j] /= sum;
        }
    }

    SpectrumNetwork network_;
    Fft fft_;
    std::size_t hop_;
    std::vector<float> shape_;
    std::vector<float> out_shape_;
    std::vector<float> window_ = std::vector<float>(fft_.length());  // the last samples that came
    std::vector<float> shaped_ = window_;
    std::vector<float> sum_ = window_;  // of the windows that overlap
    std::vector<Complex> bins_ = std::vector<Complex>(fft_.bins());
};

}  // namespace

std::unique_ptr<Denoiser> make_spectral(const Networks& networks, const SpectrumOptions& options) {
    return std::make_unique<Spectral>(networks.at(0), options);
}

}  // namespace rondo::denoise
