// DeepFilterNet 3: gains for 32 bands, and for the low frequencies a filter over five frames.
//
// H. Schröter, A. N. Escalante-B., T. Rosenkranz, A. Maier, "DeepFilterNet: A Low Complexity Speech
// Enhancement Framework for Full-Band Audio based on Deep Filtering", ICASSP 2022, and
// "DeepFilterNet: Perceptually Motivated Real-Time Speech Enhancement", Interspeech 2023.
#include <algorithm>
#include <cmath>
#include <deque>
#include <rondo/rondo.hpp>

#include "denoiser.hpp"
#include "fft.hpp"

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

// Numbers evenly spaced from `first` to `last`.
std::vector<float> line(float first, float last, std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = first + (last - first) * float(i) / float(count - 1);
    }
    return values;
}

// The model takes whole sequences; here it takes them frame by frame, and keeps the frames that its
// convolutions read and the states of its GRUs.
rondo::InferRequest request_of(const std::string& path) {
    const rondo::Core core;
    rondo::Model model = core.read_model(path);
    model.make_streaming();
    return core.compile_model(model).create_infer_request();
}

class DeepFilter : public Denoiser {
public:
    explicit DeepFilter(const std::string& folder)
        : encoder_(request_of(folder + "/dfn3_enc/model.onnx")),
          band_decoder_(request_of(folder + "/dfn3_erb_dec/model.onnx")),
          filter_decoder_(request_of(folder + "/dfn3_df_dec/model.onnx")) {
        encoder_.set_tensor("feat_erb", band_features_);
        encoder_.set_tensor("feat_spec", bin_features_);
        for (std::size_t i = 0; i < kWindow; ++i) {
            const double ramp = std::sin(3.141592653589793 * (double(i) + 0.5) / kWindow);
            shape_[i] = float(std::sin(3.141592653589793 / 2 * ramp * ramp));
        }
    }

    std::size_t hop() const override { return kHop; }
    std::size_t delay() const override { return kHop + kLookahead * kHop; }

    std::vector<float> push(const std::vector<float>& samples) override {
        frames_.pop_front();
        frames_.push_back(spectrum_of(samples));
        find_band_features(frames_.back());
        find_bin_features(frames_.back());
        encoder_.infer();
        for (const char* name : {"emb", "e3", "e2", "e1", "e0"}) {
            band_decoder_.set_tensor(name, encoder_.get_tensor(name));
        }
        band_decoder_.infer();
        for (const char* name : {"emb", "c0"}) {
            filter_decoder_.set_tensor(name, encoder_.get_tensor(name));
        }
        filter_decoder_.infer();
        return samples_of(clean_frame());
    }

private:
    std::vector<Complex> spectrum_of(const std::vector<float>& samples) {
        std::vector<float> window(last_samples_);
        window.insert(window.end(), samples.begin(), samples.end());
        last_samples_ = samples;
        for (std::size_t i = 0; i < kWindow; ++i) window[i] *= shape_[i] / kWindow;
        return fft_.forward(window);
    }

    // The power of each band in dB, above its running mean, in units of 40 dB.
    void find_band_features(const std::vector<Complex>& bins) {
        auto* features = band_features_.data<float>();
        for (std::size_t band = 0; band < kBands; ++band) {
            float power = 0;
            for (std::size_t i = starts_[band]; i < starts_[band + 1]; ++i) {
                power += std::norm(bins[i]);
            }
            power /= float(starts_[band + 1] - starts_[band]);
            const float level = 10 * std::log10(power + 1e-10F);
            band_mean_[band] = kKept * band_mean_[band] + (1 - kKept) * level;
            features[band] = (level - band_mean_[band]) / 40;
        }
    }

    // The low bins, each divided by the root of its running mean magnitude; first the real parts.
    void find_bin_features(const std::vector<Complex>& bins) {
        auto* features = bin_features_.data<float>();
        for (std::size_t i = 0; i < kFiltered; ++i) {
            bin_mean_[i] = kKept * bin_mean_[i] + (1 - kKept) * std::abs(bins[i]);
            const Complex value = bins[i] / std::sqrt(bin_mean_[i]);
            features[i] = value.real();
            features[kFiltered + i] = value.imag();
        }
    }

    // The networks have seen kLookahead frames more than the one that is made now.
    std::vector<Complex> clean_frame() {
        const rondo::Tensor gains = band_decoder_.get_tensor("m");
        const rondo::Tensor taps = filter_decoder_.get_tensor("coefs");  // [1,1,96,(5,2)]
        std::vector<Complex> clean = frames_[kTaps - 1 - kLookahead];
        for (std::size_t band = 0; band < kBands; ++band) {
            for (std::size_t i = starts_[band]; i < starts_[band + 1]; ++i) {
                clean[i] *= gains.data<float>()[band];
            }
        }
        for (std::size_t i = 0; i < kFiltered; ++i) {
            clean[i] = 0;
            for (std::size_t tap = 0; tap < kTaps; ++tap) {
                const float* parts = taps.data<float>() + (i * kTaps + tap) * 2;
                clean[i] += Complex(parts[0], parts[1]) * frames_[tap][i];
            }
        }
        return clean;
    }

    // The half of the window that overlaps the one before.
    std::vector<float> samples_of(const std::vector<Complex>& bins) {
        const std::vector<float> window = fft_.back(bins);
        std::vector<float> samples = last_half_;
        for (std::size_t i = 0; i < kHop; ++i) {
            samples[i] += window[i] * shape_[i] * kWindow;
            last_half_[i] = window[kHop + i] * shape_[kHop + i] * kWindow;
        }
        return samples;
    }

    rondo::InferRequest encoder_;
    rondo::InferRequest band_decoder_;
    rondo::InferRequest filter_decoder_;
    rondo::Tensor band_features_{rondo::ElementType::f32, {1, 1, 1, kBands}};
    rondo::Tensor bin_features_{rondo::ElementType::f32, {1, 2, 1, kFiltered}};
    Fft fft_{kWindow};
    std::vector<std::size_t> starts_ = band_starts();
    std::vector<float> shape_ = std::vector<float>(kWindow);  // squares that overlap add up to 1
    std::vector<float> last_samples_ = std::vector<float>(kHop);
    std::vector<float> last_half_ = std::vector<float>(kHop);  // of the window before
    std::vector<float> band_mean_ = line(-60, -90, kBands);    // in dB
    std::vector<float> bin_mean_ = line(0.001F, 0.0001F, kFiltered);
    std::deque<std::vector<Complex>> frames_{kTaps, std::vector<Complex>(kBins)};
};

}  // namespace

std::unique_ptr<Denoiser> make_deep_filter(const std::string& folder) {
    return std::make_unique<DeepFilter>(folder);
}
