// Removes noise from a sound file, chunk by chunk, as from a microphone: DTLN for 16,000 samples a
// second, DeepFilterNet 3 for 48,000. usage: denoise NOISY.wav CLEAN.wav PICTURE.png [SPEECH.wav];
// with SPEECH, the speech without noise, the signal-to-distortion ratio is printed.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <rondo/rondo.hpp>

#include "bindings/ladspa/denoise/denoiser.hpp"
#include "spectrogram.hpp"
#include "wav.hpp"

namespace {

using rondo::denoise::Denoiser;

rondo::denoise::Networks load(const std::vector<std::string>& names) {
    const char* models = std::getenv("RONDO_MODELS");
    const std::string folder = models != nullptr ? models : "../shared/models";
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(folder + "/" + name + "/model.onnx");
    return rondo::denoise::load_networks(paths);
}

std::unique_ptr<Denoiser> make_denoiser(const std::string& path, std::size_t rate) {
    if (rate == 16000) {
        return rondo::denoise::make_dtln(load({"dtln_pytorch_p1", "dtln_pytorch_p2"}));
    }
    if (rate == 48000) {
        return rondo::denoise::make_deep_filter(load({"dfn3_enc", "dfn3_erb_dec", "dfn3_df_dec"}));
    }
    throw std::runtime_error(path + ": " + std::to_string(rate) +
                             " samples a second; expected 16000 or 48000");
}

struct Result {
    std::vector<float> samples;        // as many as came, without the denoiser's delay
    std::vector<double> milliseconds;  // of each push(), sorted
};

Result clean(Denoiser& denoiser, std::vector<float> samples) {
    Result result;
    const std::size_t count = samples.size();
    samples.resize(count + denoiser.delay() + denoiser.hop());  // brings the last samples out
    result.samples.resize(samples.size());
    for (std::size_t at = 0; at + denoiser.hop() <= samples.size(); at += denoiser.hop()) {
        const auto start = std::chrono::steady_clock::now();
        denoiser.push(&samples[at], &result.samples[at]);
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - start;
        result.milliseconds.push_back(time.count());
    }
    const auto first = result.samples.begin();
    result.samples.erase(first, first + std::ptrdiff_t(denoiser.delay()));
    result.samples.resize(count);
    std::sort(result.milliseconds.begin(), result.milliseconds.end());
    return result;
}

// The scale-invariant signal-to-distortion ratio, in dB.
double si_sdr(const std::vector<float>& speech, const std::vector<float>& sound) {
    double product = 0, power = 0, distortion = 0;
    for (std::size_t i = 0; i < speech.size(); ++i) {
        product += double(speech[i]) * double(sound[i]);
        power += double(speech[i]) * double(speech[i]);
    }
    const double scale = product / power;  // of the speech in the sound
    for (std::size_t i = 0; i < speech.size(); ++i) {
        const double rest = double(sound[i]) - scale * double(speech[i]);
        distortion += rest * rest;
    }
    return 10 * std::log10(scale * scale * power / distortion);
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 4 && argc != 5) {
        throw std::runtime_error("usage: denoise NOISY.wav CLEAN.wav PICTURE.png [SPEECH.wav]");
    }
    const Sound noisy = read_wav(argv[1]);
    const auto denoiser = make_denoiser(argv[1], noisy.rate);
    const Result result = clean(*denoiser, noisy.samples);
    write_wav(argv[2], {result.samples, noisy.rate});
    draw(argv[3], {noisy.samples, result.samples}, noisy.rate);

    const double a_millisecond = noisy.rate / 1000.0;  // samples
    std::printf("%.2f s of sound in chunks of %.0f ms, %.0f ms late\n",
                double(noisy.samples.size()) / noisy.rate, double(denoiser->hop()) / a_millisecond,
                double(denoiser->delay()) / a_millisecond);
    std::printf("a chunk takes %.2f ms (p99 %.2f ms)\n",
                result.milliseconds[result.milliseconds.size() / 2],
                result.milliseconds[result.milliseconds.size() * 99 / 100]);
    if (argc == 5) {
        const Sound speech = read_wav(argv[4]);
        if (speech.samples.size() != noisy.samples.size()) {
            throw std::runtime_error(std::string(argv[4]) + ": not as long as " + argv[1]);
        }
        std::printf("signal to distortion: %.2f dB before, %.2f dB after\n",
                    si_sdr(speech.samples, noisy.samples), si_sdr(speech.samples, result.samples));
    }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "denoise: %s\n", error.what());
    return 1;
}
