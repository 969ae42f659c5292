// DTLN: a network that masks the spectrum, and one that masks what it learned to hear in samples.
//
// N. L. Westhausen and B. T. Meyer, "Dual-Signal Transformation LSTM Network for Real-Time Noise
// Suppression", Interspeech 2020.
#include <algorithm>
#include <string>

#include <rondo/error.hpp>

#include "bindings/ladspa/denoise/denoiser.hpp"
#include "bindings/ladspa/denoise/spectrum_network.hpp"

namespace rondo::denoise {
namespace {

constexpr std::size_t kHop = 128;  // samples that arrive together: 8 ms
constexpr std::size_t kWindow = 512;
constexpr std::size_t kBins = kWindow / 2 + 1;

class Dtln : public Denoiser {
public:
    Dtln(const NetworkFile& spectrum, const NetworkFile& samples)
        : spectrum_(spectrum, SpectrumOptions::Output::automatic),
          samples_(samples),
          input_(samples_.input(kWindow)),
          output_(samples_.output(kWindow)) {
        if (spectrum_.bins() != kBins) {
            throw ModelError(spectrum.path + ": has " + std::to_string(spectrum_.bins()) +
                             " bins; expected 257, DTLN's");
        }
    }

    std::size_t hop() const override { return kHop; }
    std::size_t delay() const override { return kWindow - kHop; }

    void push(const float* noisy, float* clean) override {
        std::copy(window_.begin() + kHop, window_.end(), window_.begin());
        std::copy(noisy, noisy + kHop, window_.end() - kHop);
        fft_.forward(window_.data(), bins_.data());
        spectrum_.clean(bins_.data());
        fft_.back(bins_.data(), input_);
        samples_.infer();

        // Windows overlap: a sample is ready when the last one that holds it was added.
        std::copy(sum_.begin() + kHop, sum_.end(), sum_.begin());
        std::fill(sum_.end() - kHop, sum_.end(), 0.0F);
        for (std::size_t i = 0; i < kWindow; ++i) sum_[i] += output_[i];
        std::copy(sum_.begin(), sum_.begin() + kHop, clean);
    }

    void reset() override {
        spectrum_.reset();
        samples_.reset();
        std::fill(window_.begin(), window_.end(), 0.0F);
        std::fill(sum_.begin(), sum_.end(), 0.0F);
    }

private:
    SpectrumNetwork spectrum_;
    Network samples_;
    float* input_;
    const float* output_;
    Fft fft_{kWindow};
    std::vector<float> window_ = std::vector<float>(kWindow);  // the last samples that came
    std::vector<float> sum_ = std::vector<float>(kWindow);     // of the windows that overlap
    std::vector<Complex> bins_ = std::vector<Complex>(kBins);
};

}  // namespace

std::unique_ptr<Denoiser> make_dtln(const Networks& networks) {
    return std::make_unique<Dtln>(networks.at(0), networks.at(1));
}

}  // namespace rondo::denoise
