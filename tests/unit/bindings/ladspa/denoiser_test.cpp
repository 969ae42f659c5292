// Denoisers against the networks called by hand, with transforms by their definition.
#include "bindings/ladspa/denoise/denoiser.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <map>

#include <rondo/rondo.hpp>

#include "tests/support/expect_error.hpp"
#include "tests/support/models.hpp"
#include "tests/unit/bindings/ladspa/host.hpp"
#include "tests/unit/bindings/ladspa/models.hpp"

namespace rondo::test::denoiser_test {
namespace {

using Bins = std::vector<std::complex<double>>;

constexpr double kPi = 3.141592653589793;

std::vector<float> cleaned(denoise::Denoiser& denoiser, const std::vector<float>& noisy) {
    std::vector<float> clean(noisy.size());
    for (std::size_t at = 0; at + denoiser.hop() <= noisy.size(); at += denoiser.hop()) {
        denoiser.push(&noisy[at], &clean[at]);
    }
    return clean;
}

Bins bins_of(const std::vector<double>& samples) {
    Bins bins(samples.size() / 2 + 1);
    for (std::size_t k = 0; k < bins.size(); ++k) {
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const auto turn = double(i * k % samples.size()) / double(samples.size());
            bins[k] += samples[i] * std::polar(1.0, -2 * kPi * turn);
        }
    }
    return bins;
}

std::vector<double> samples_of(const Bins& bins) {
    std::vector<double> samples(2 * (bins.size() - 1));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        for (std::size_t k = 0; k < samples.size(); ++k) {
            const std::size_t mirrored = samples.size() - k;
            const auto bin = k < bins.size() ? bins[k] : std::conj(bins[mirrored]);
            const auto turn = double(i * k % samples.size()) / double(samples.size());
            samples[i] += (bin * std::polar(1.0, 2 * kPi * turn)).real() / double(samples.size());
        }
    }
    return samples;
}

// The request of a network whose states are fed by hand, as its authors' programs do.
class ByHand {
public:
    ByHand(const std::string& path, std::map<std::string, std::string> states)
        : request_(Core().compile_model(path).create_infer_request()), states_(std::move(states)) {
        for (const auto& state : states_) request_.get_tensor(state.first);
    }

    std::vector<float> run(const std::string& input, const std::vector<float>& values,
                           const std::string& output) {
        const auto tensor = request_.get_tensor(input);
        std::copy(values.begin(), values.end(), Tensor(tensor).data<float>());
        request_.infer();
        for (const auto& [state, next] : states_) {
            const Tensor after = request_.get_tensor(next);
            Tensor before = request_.get_tensor(state);
            std::copy(after.data<float>(), after.data<float>() + after.size(),
                      before.data<float>());
        }
        const Tensor result = request_.get_tensor(output);
        return {result.data<float>(), result.data<float>() + result.size()};
    }

private:
    InferRequest request_;
    std::map<std::string, std::string> states_;
};

TEST(Denoiser, GtcrnIsItsNetworkByHand) {
    const auto path = real_model("gtcrn_simple");
    if (!path) GTEST_SKIP() << kNoModels;
    constexpr std::size_t kWindow = 512, kHop = 256, kBins = 257;
    const std::vector<float> noisy = noise(10 * kHop);
    const auto denoiser = denoise::make_spectral(denoise::load_networks({*path}), {});
    const std::vector<float> result = cleaned(*denoiser, noisy);
    EXPECT_EQ(denoiser->delay(), kWindow - kHop);

    ByHand network(*path, {{"conv_cache", "conv_cache_out"},
                           {"tra_cache", "tra_cache_out"},
                           {"inter_cache", "inter_cache_out"}});
    std::vector<double> window(kWindow), sum(noisy.size() + kHop);
    const auto weight = [](std::size_t i) { return std::sin(kPi * double(i) / kWindow); };
    for (std::size_t at = 0; at < noisy.size(); at += kHop) {
        std::vector<double> samples(kWindow);
        for (std::size_t i = 0; i < kWindow; ++i) {
            const std::size_t place = at + i;  // of a sound that a hop of silence precedes
            samples[i] = (place < kHop ? 0 : double(noisy[place - kHop])) * weight(i);
        }
        const Bins bins = bins_of(samples);
        std::vector<float> parts(2 * kBins);
        for (std::size_t k = 0; k < kBins; ++k) {
            parts[2 * k] = float(bins[k].real());
            parts[2 * k + 1] = float(bins[k].imag());
        }
        const auto clean = network.run("mix", parts, "enh");
        Bins made(kBins);
        for (std::size_t k = 0; k < kBins; ++k) made[k] = {clean[2 * k], clean[2 * k + 1]};
        made.front().imag(0);
        made.back().imag(0);
        const std::vector<double> part = samples_of(made);
        for (std::size_t i = 0; i < kWindow; ++i) sum[at + i] += part[i] * weight(i);
    }
    for (std::size_t i = 0; i < noisy.size(); ++i) ASSERT_NEAR(result[i], sum[i], 1e-4) << i;
}

TEST(Denoiser, DtlnIsItsNetworksByHand) {
    const auto first = real_model("dtln_pytorch_p1"), second = real_model("dtln_pytorch_p2");
    if (!first || !second) GTEST_SKIP() << kNoModels;
    constexpr std::size_t kWindow = 512, kHop = 128, kBins = 257;
    const std::vector<float> noisy = noise(12 * kHop);
    const auto denoiser = denoise::make_dtln(denoise::load_networks({*first, *second}));
    const std::vector<float> result = cleaned(*denoiser, noisy);

    // Its states are one output: h1, c1, h2, c2.
    Model parts[] = {Core().read_model(*first), Core().read_model(*second)};
    InferRequest requests[2];
    for (int i = 0; i < 2; ++i) {
        const std::string state = i == 0 ? "out_state1" : "out_state2";
        parts[i].make_stateful({{"h1_in", state + "[0]"},
                                {"c1_in", state + "[1]"},
                                {"h2_in", state + "[2]"},
                                {"c2_in", state + "[3]"}});
        requests[i] = Core().compile_model(parts[i]).create_infer_request();
    }
    std::vector<double> sum(noisy.size() + kWindow);
    for (std::size_t at = 0; at < noisy.size(); at += kHop) {
        std::vector<double> samples(kWindow);
        for (std::size_t i = 0; i < kWindow; ++i) {
            const std::size_t place = at + kHop + i;
            samples[i] = place < kWindow ? 0 : double(noisy[place - kWindow]);
        }
        Bins bins = bins_of(samples);
        for (std::size_t k = 0; k < kBins; ++k) {
            requests[0].get_tensor("mag").data<float>()[k] = float(std::abs(bins[k]));
        }
        requests[0].infer();
        for (std::size_t k = 0; k < kBins; ++k) {
            bins[k] = std::polar(double(requests[0].get_tensor("y1").data<float>()[k]),
                                 std::arg(bins[k]));
        }
        bins.front().imag(0);
        bins.back().imag(0);
        const std::vector<double> better = samples_of(bins);
        std::copy(better.begin(), better.end(), requests[1].get_tensor("y1").data<float>());
        requests[1].infer();
        const Tensor clean = requests[1].get_tensor("y");
        for (std::size_t i = 0; i < kWindow; ++i) sum[at + i] += double(clean.data<float>()[i]);
    }
    for (std::size_t i = 0; i < noisy.size(); ++i) ASSERT_NEAR(result[i], sum[i], 1e-4) << i;
}

// A model of a whole sequence, hop by hop.
TEST(Denoiser, HopsOfAStreamingModelAreTheWholeSequence) {
    const std::string path = write_model(frames_lstm(), "whole");
    const std::vector<float> samples = noise(100 * 32);
    const auto denoiser = denoise::make_direct(denoise::load_networks({path}), 32);

    InferRequest request = Core().compile_model(path).create_infer_request();
    Tensor whole(ElementType::f32, {1, 100, 32});
    std::copy(samples.begin(), samples.end(), whole.data<float>());
    request.set_input_tensor(whole);
    request.infer();
    const Tensor expected = request.get_output_tensor();
    EXPECT_EQ(cleaned(*denoiser, samples),
              std::vector<float>(expected.data<float>(), expected.data<float>() + 3200));
}

TEST(Denoiser, ALayerThatStartsFromZerosGoesOn) {
    const auto networks = denoise::load_networks({write_model(hidden_lstm(), "hidden")});
    const auto denoiser = denoise::make_direct(networks, 0);
    const std::vector<float> ones(32, 1);
    const std::vector<float> result = cleaned(*denoiser, ones);
    EXPECT_NE(std::vector<float>(result.begin(), result.begin() + 16),
              std::vector<float>(result.begin() + 16, result.end()));
    denoiser->reset();
    EXPECT_EQ(cleaned(*denoiser, ones), result);
}

TEST(Denoiser, AModelWithVariablesStaysAsItIs) {
    Model model = one_pole();
    model.make_stateful();
    const auto networks = denoise::load_networks({write_model(model, "stateful")});
    const std::vector<float> result =
        cleaned(*denoise::make_direct(networks, 16), std::vector<float>(32, 1));
    EXPECT_EQ(result[0], 2);
    EXPECT_EQ(result[16], 3);
}

// DTLN's own files for TensorFlow give a mask of a Sigmoid, those of others magnitudes.
TEST(Denoiser, ASigmoidGivesFactors) {
    const auto mask = denoise::load_networks({write_model(ones_mask(65), "mask")});
    const auto half = denoise::load_networks({write_model(scaling({65}, 0.5F), "magnitudes")});
    EXPECT_TRUE(mask[0].gives_factors[0]);
    EXPECT_FALSE(half[0].gives_factors[0]);
    const std::vector<float> noisy = noise(64 * 20);
    const auto same = cleaned(*denoise::make_spectral(mask, {}), noisy);
    const auto halved = cleaned(*denoise::make_spectral(half, {}), noisy);
    denoise::SpectrumOptions options;
    options.output = denoise::SpectrumOptions::Output::spectrum;
    const auto ones = cleaned(*denoise::make_spectral(mask, options), noisy);
    for (std::size_t i = 64; i < noisy.size(); ++i) {
        ASSERT_NEAR(same[i], noisy[i - 64], 2e-6) << i;
        ASSERT_NEAR(halved[i], noisy[i - 64] / 2, 2e-6) << i;
    }
    EXPECT_NE(ones, same);
}

TEST(Denoiser, AnyHopThatTheWindowAllows) {
    const auto networks = denoise::load_networks({write_model(scaling({2, 65}, 1), "same")});
    using Shape = denoise::SpectrumOptions::Shape;
    for (const Shape shape :
         {Shape::hamming, Shape::hann, Shape::none, Shape::sqrt_hann, Shape::vorbis}) {
        for (const std::size_t hop : {8, 32, 64, 128}) {
            if (hop == 128 && shape != Shape::none && shape != Shape::hamming) continue;
            denoise::SpectrumOptions options;
            options.shape = shape;
            options.hop = hop;
            const auto denoiser = denoise::make_spectral(networks, options);
            const std::vector<float> noisy = noise(128 * 10);
            const std::vector<float> result = cleaned(*denoiser, noisy);
            EXPECT_EQ(denoiser->delay(), 128 - hop);
            for (std::size_t i = 128; i < noisy.size(); ++i) {
                ASSERT_NEAR(result[i], noisy[i - 128 + hop], 5e-6) << i << " " << hop;
            }
        }
    }
}

TEST(Denoiser, MinutesOfSilence) {
    const auto encoder = real_model("dfn3_enc"), bands = real_model("dfn3_erb_dec"),
               filters = real_model("dfn3_df_dec");
    if (!encoder || !bands || !filters) GTEST_SKIP() << kNoModels;
    const auto denoiser =
        denoise::make_deep_filter(denoise::load_networks({*encoder, *bands, *filters}));
    cleaned(*denoiser, noise(480 * 20));
    std::vector<float> chunk(480);
    for (int i = 0; i < 4000; ++i) denoiser->push(std::vector<float>(480).data(), chunk.data());
    const std::vector<float> after = cleaned(*denoiser, noise(480 * 20));
    for (const float sample : after) ASSERT_TRUE(std::isfinite(sample));
}

}  // namespace
}  // namespace rondo::test::denoiser_test
