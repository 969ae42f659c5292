// DeepFilterNet 3: gains for 32 bands, and for the low frequencies a filter over five frames.
//
// H. Schröter, A. N. Escalante-B., T. Rosenkranz, A. Maier, "DeepFilterNet: A Low Complexity Speech
// Enhancement Framework for Full-Band Audio based on Deep Filtering", ICASSP 2022, and
// "DeepFilterNet: Perceptually Motivated Real-Time Speech Enhancement", Interspeech 2023.
#include <algorithm>
#include <cmath>
#include <string>

#include "bindings/ladspa/denoise/denoiser.hpp"
#include "bindings/ladspa/denoise/fft.hpp"

namespace rondo::denoise {
namespace {

constexpr double kRate = 48000;
constexpr std::size_t kHop = 480;  // samples that arrive together: 10 ms
constexpr std::size_t kWindow = 2 * kHop;
constexpr std::size_t kBins = kWindow / 2 + 1;
constexpr std::size_t kBands = 32;     // of the ERB scale, on which bands sound equally wide
constexpr std::size_t kLeastBins = 2;  // of a band
constexpr std::size_t kFiltered = 96;  // bins up to 4.8 kHz, which the deep filter makes
constexpr std::size_t kTaps = 5;       // frames that it reads
constexpr std::size_t kLookahead = 2;  // of them are later than the frame that it makes
constexpr float kKept = 0.99F;         // of a running mean, a frame: a time constant of 1 s
constexpr float kLeastMean = 1e-12F;   // after minutes of digital silence

// The first bin of each band, and the number of bins after the last one.
std::vector<std::size_t> band_starts() {
    constexpr double kEarWidth = 24.7, kScale = 9.265;  // of the ERB scale
    const double widest = kScale * std::log(1 + kRate / 2 / (kEarWidth * kScale));
    std::vector<std::size_t> starts = {0};
    for (std::size_t band = 1; band < kBands; ++band) {
        const double erb = widest * double(band) / kBands;
        const double hertz = kEarWidth * kScale * std::expm1(erb / kScale);
        const auto edge = static_cast<std::size_t>(std::lround(hertz * kWindow / kRate));
        starts.push_back(std::max(edge, starts.back() + kLeastBins));
    }
    starts.push_back(kBins);
    return starts;
}

// Sets numbers evenly spaced from `first` to `last`.
void set_line(std::vector<float>& values, float first, float last) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = first + (last - first) * float(i) / float(values.size() - 1);
    }
}

class DeepFilter : public Denoiser {
public:
    explicit DeepFilter(const Networks& networks)
        : encoder_(networks.at(0)),
          band_decoder_(networks.at(1), encoded({"emb", "e3", "e2", "e1", "e0"})),
          filter_decoder_(networks.at(2), encoded({"emb", "c0"})),
          band_features_(encoder_.input(kBands, "feat_erb")),
          bin_features_(encoder_.input(2 * kFiltered, "feat_spec")),
          gains_(band_decoder_.output(kBands, "m")),
          taps_(filter_decoder_.output(kFiltered * kTaps * 2, "coefs")) {
        for (std::size_t i = 0; i < kWindow; ++i) {
            const double ramp = std::sin(3.141592653589793 * (double(i) + 0.5) / kWindow);
            shape_[i] = float(std::sin(3.141592653589793 / 2 * ramp * ramp));
        }
        start_means();
    }

    std::size_t hop() const override { return kHop; }
    std::size_t delay() const override { return kHop + kLookahead * kHop; }

    void push(const float* noisy, float* clean) override {
        newest_ = (newest_ + 1) % kTaps;
        std::vector<Complex>& bins = frames_[newest_];
        find_spectrum(noisy, bins);
        find_band_features(bins);
        find_bin_features(bins);
        encoder_.infer();
        band_decoder_.infer();
        filter_decoder_.infer();
        make_clean_bins();
        add_window(clean);
    }

    void reset() override {
        encoder_.reset();
        band_decoder_.reset();
        filter_decoder_.reset();
        std::fill(last_samples_.begin(), last_samples_.end(), 0.0F);
        std::fill(last_half_.begin(), last_half_.end(), 0.0F);
        for (auto& frame : frames_) std::fill(frame.begin(), frame.end(), Complex());
        start_means();
    }

private:
    std::map<std::string, Tensor> encoded(const std::vector<std::string>& names) const {
        std::map<std::string, Tensor> tensors;
        for (const std::string& name : names) tensors.emplace(name, encoder_.output_tensor(name));
        return tensors;
    }

    void start_means() {
        set_line(band_mean_, -60, -90);  // in dB
        set_line(bin_mean_, 0.001F, 0.0001F);
    }

    // The frame that came `age` frames before the newest one.
    const std::vector<Complex>& frame(std::size_t age) const {
        return frames_[(newest_ + kTaps - age) % kTaps];
    }

    void find_spectrum(const float* samples, std::vector<Complex>& bins) {
        std::copy(last_samples_.begin(), last_samples_.end(), window_.begin());
        std::copy(samples, samples + kHop, window_.begin() + kHop);
        std::copy(samples, samples + kHop, last_samples_.begin());
        for (std::size_t i = 0; i < kWindow; ++i) window_[i] *= shape_[i] / kWindow;
        fft_.forward(window_.data(), bins.data());
    }

    // The power of each band in dB, above its running mean, in units of 40 dB.
    void find_band_features(const std::vector<Complex>& bins) {
        for (std::size_t band = 0; band < kBands; ++band) {
            float power = 0;
            for (std::size_t i = starts_[band]; i < starts_[band + 1]; ++i) {
                power += std::norm(bins[i]);
            }
            power /= float(starts_[band + 1] - starts_[band]);
            const float level = 10 * std::log10(power + 1e-10F);
            band_mean_[band] = kKept * band_mean_[band] + (1 - kKept) * level;
            band_features_[band] = (level - band_mean_[band]) / 40;
        }
    }

    // The low bins, each divided by the root of its running mean magnitude; first the real parts.
    void find_bin_features(const std::vector<Complex>& bins) {
        for (std::size_t i = 0; i < kFiltered; ++i) {
            const float mean = kKept * bin_mean_[i] + (1 - kKept) * std::abs(bins[i]);
            bin_mean_[i] = std::max(mean, kLeastMean);
            const Complex value = bins[i] / std::sqrt(bin_mean_[i]);
            bin_features_[i] = value.real();
            bin_features_[kFiltered + i] = value.imag();
        }
    }

    // The networks have seen kLookahead frames more than the one that is made now. The taps are
    // [96,(5,2)], the oldest frame's first.
    void make_clean_bins() {
        const std::vector<Complex>& noisy = frame(kLookahead);
        for (std::size_t band = 0; band < kBands; ++band) {
            for (std::size_t i = starts_[band]; i < starts_[band + 1]; ++i) {
                clean_[i] = noisy[i] * gains_[band];
            }
        }
        std::fill(clean_.begin(), clean_.begin() + kFiltered, Complex());
        for (std::size_t tap = 0; tap < kTaps; ++tap) {
            const std::vector<Complex>& read = frame(kTaps - 1 - tap);
            for (std::size_t i = 0; i < kFiltered; ++i) {
                const float* parts = taps_ + (i * kTaps + tap) * 2;
                clean_[i] += Complex(parts[0] * read[i].real() - parts[1] * read[i].imag(),
                                     parts[0] * read[i].imag() + parts[1] * read[i].real());
            }
        }
    }

    // A hop is ready with the half of the window that overlaps the one before.
    void add_window(float* samples) {
        fft_.back(clean_.data(), window_.data());
        for (std::size_t i = 0; i < kHop; ++i) {
            samples[i] = last_half_[i] + window_[i] * shape_[i] * kWindow;
            last_half_[i] = window_[kHop + i] * shape_[kHop + i] * kWindow;
        }
    }

    Network encoder_;
    Network band_decoder_;
    Network filter_decoder_;
    float* band_features_;  // [1,1,1,32]
    float* bin_features_;   // [1,2,1,96]
    const float* gains_;
    const float* taps_;
    Fft fft_{kWindow};
    std::vector<std::size_t> starts_ = band_starts();
    std::vector<float> shape_ = std::vector<float>(kWindow);  // squares that overlap add up to 1
    std::vector<float> window_ = shape_;
    std::vector<float> last_samples_ = std::vector<float>(kHop);
    std::vector<float> last_half_ = std::vector<float>(kHop);  // of the window before
    std::vector<float> band_mean_ = std::vector<float>(kBands);
    std::vector<float> bin_mean_ = std::vector<float>(kFiltered);
    std::vector<std::vector<Complex>> frames_{kTaps, std::vector<Complex>(kBins)};
    std::size_t newest_ = 0;
    std::vector<Complex> clean_ = std::vector<Complex>(kBins);
};

}  // namespace

std::unique_ptr<Denoiser> make_deep_filter(const Networks& networks) {
    return std::make_unique<DeepFilter>(networks);
}

}  // namespace rondo::denoise
