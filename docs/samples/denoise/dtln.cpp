// DTLN: a network that masks the spectrum, and one that masks what it learned to hear in samples.
//
// N. L. Westhausen and B. T. Meyer, "Dual-Signal Transformation LSTM Network for Real-Time Noise
// Suppression", Interspeech 2020.
#include <algorithm>
#include <rondo/rondo.hpp>

#include "denoiser.hpp"
#include "fft.hpp"

namespace {

constexpr std::size_t kHop = 128;  // samples that arrive together: 8 ms
constexpr std::size_t kWindow = 512;
constexpr std::size_t kBins = kWindow / 2 + 1;

// The h and c of both LSTMs, which the model takes as inputs and gives joined in one output, become
// variables, which the request keeps from chunk to chunk.
rondo::InferRequest request_of(const std::string& path, const std::string& output) {
    const rondo::Core core;
    rondo::Model model = core.read_model(path);
    model.make_stateful({{"h1_in", output + "[0]"},
                         {"c1_in", output + "[1]"},
                         {"h2_in", output + "[2]"},
                         {"c2_in", output + "[3]"}});
    return core.compile_model(model).create_infer_request();
}

class Dtln : public Denoiser {
public:
    explicit Dtln(const std::string& folder)
        : spectrum_mask_(request_of(folder + "/dtln_pytorch_p1/model.onnx", "out_state1")),
          sample_mask_(request_of(folder + "/dtln_pytorch_p2/model.onnx", "out_state2")) {}

    std::size_t hop() const override { return kHop; }
    std::size_t delay() const override { return kWindow - kHop; }

    std::vector<float> push(const std::vector<float>& samples) override {
        std::copy(window_.begin() + kHop, window_.end(), window_.begin());
        std::copy(samples.begin(), samples.end(), window_.end() - kHop);
        const std::vector<float> better = fft_.back(mask_spectrum(fft_.forward(window_)));
        std::copy(better.begin(), better.end(), sample_mask_.get_tensor("y1").data<float>());
        sample_mask_.infer();

        // Windows overlap: a sample is ready when the last one that holds it was added.
        const rondo::Tensor clean = sample_mask_.get_tensor("y");
        std::copy(sum_.begin() + kHop, sum_.end(), sum_.begin());
        std::fill(sum_.end() - kHop, sum_.end(), 0.0F);
        for (std::size_t i = 0; i < kWindow; ++i) sum_[i] += clean.data<float>()[i];
        return {sum_.begin(), sum_.begin() + kHop};
    }

private:
    // The masked magnitudes with the phases of the noisy sound.
    std::vector<Complex> mask_spectrum(std::vector<Complex> bins) {
        auto* magnitudes = spectrum_mask_.get_tensor("mag").data<float>();
        for (std::size_t i = 0; i < kBins; ++i) magnitudes[i] = std::abs(bins[i]);
        spectrum_mask_.infer();
        const rondo::Tensor masked = spectrum_mask_.get_tensor("y1");
        for (std::size_t i = 0; i < kBins; ++i) {
            bins[i] = std::polar(masked.data<float>()[i], std::arg(bins[i]));
        }
        return bins;
    }

    rondo::InferRequest spectrum_mask_;  // mag [1,1,257] -> y1 [1,1,257]
    rondo::InferRequest sample_mask_;    // y1 [1,512,1] -> y [1,512,1]
    Fft fft_{kWindow};
    std::vector<float> window_ = std::vector<float>(kWindow);  // the last samples that came
    std::vector<float> sum_ = std::vector<float>(kWindow);     // of the windows that overlap
};

}  // namespace

std::unique_ptr<Denoiser> make_dtln(const std::string& folder) {
    return std::make_unique<Dtln>(folder);
}
