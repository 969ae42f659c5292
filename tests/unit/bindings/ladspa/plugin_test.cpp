// The plugin as a host sees it: what comes out, how late, and what is refused.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <thread>

#include "bindings/ladspa/kinds.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/models.hpp"
#include "tests/unit/bindings/ladspa/host.hpp"
#include "tests/unit/bindings/ladspa/models.hpp"

namespace rondo::test::plugin_test {
namespace {

using testing::Each;
using testing::HasSubstr;

/// A label with its environment, and the rate that it takes.
struct Case {
    std::string label;
    std::string variable;
    std::string value;
    unsigned long rate;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.label << " " << one.value; }

std::optional<Case> real_case(const std::string& label) {
    const std::map<std::string, std::vector<std::string>> models = {
        {"dtln", {"dtln_pytorch_p1", "dtln_pytorch_p2"}},
        {"deep_filter_net", {"dfn3_enc", "dfn3_erb_dec", "dfn3_df_dec"}},
        {"gtcrn", {"gtcrn_simple"}}};
    for (const ladspa::Kind& kind : ladspa::kinds()) {
        if (label != kind.label) continue;
        std::string value;
        for (const std::string& name : models.at(label)) {
            const auto path = real_model(name);
            if (!path) return {};
            value += (value.empty() ? "" : ":") + *path;
        }
        return Case{label, kind.variable, value, kind.rate};
    }
    return {};
}

std::vector<Case> all_cases() {
    const std::string window = write_model(scaling({1, 512}, 0.5F), "window");
    const std::string samples = "RONDO_LADSPA_SAMPLES", spectrum = "RONDO_LADSPA_SPECTRUM";
    std::vector<Case> cases = {
        {"samples", samples, write_model(one_pole(), "pole") + ":rate=8000", 8000},
        {"samples", samples, write_model(frames_lstm(), "frames") + ":rate=44100:hop=32", 44100},
        {"spectrum", spectrum, write_model(scaling({1, 129, 1, 2}, 0.5F), "half") + ":rate=16000",
         16000},
        {"spectrum", spectrum,
         write_model(ones_mask(33), "ones") + ":rate=16000:hop=16:window=hann", 16000}};
    for (const char* label : {"dtln", "deep_filter_net", "gtcrn"}) {
        if (const auto one = real_case(label)) cases.push_back(*one);
    }
    return cases;
}

// What the denoiser gives for whole chunks, as late as the plugin gives it.
std::vector<float> offline(const Case& one, const std::vector<float>& samples) {
    for (const ladspa::Kind& kind : ladspa::kinds()) {
        if (one.label != kind.label) continue;
        const ladspa::Loaded loaded = ladspa::load(kind, one.rate);
        const std::size_t hop = loaded.denoiser->hop();
        std::vector<float> out(samples.size() + 2 * hop);
        std::vector<float> in = samples;
        in.resize(samples.size() + hop);
        for (std::size_t at = 0; at < samples.size(); at += hop) {
            loaded.denoiser->push(&in[at], &out[at + hop]);
        }
        out.resize(samples.size());
        return out;
    }
    return {};
}

class EachCase : public testing::TestWithParam<Case> {
protected:
    std::unique_ptr<Hosted> hosted() { return make_hosted(GetParam().label, GetParam().rate); }

    EnvironmentVariable variable_{GetParam().variable, GetParam().value};
};

TEST_P(EachCase, BlocksOfAnySizeGiveWhatChunksGive) {
    const std::vector<float> samples = noise(20000);
    const std::vector<float> expected = offline(GetParam(), samples);
    for (const std::vector<std::size_t>& blocks :
         {std::vector<std::size_t>{1}, {64}, {480}, {1024}, {20000}, {7, 1, 333, 0, 2048, 31}}) {
        EXPECT_EQ(hosted()->run(samples, blocks), expected) << blocks.front();
    }
    EXPECT_EQ(hosted()->run_in_place(samples, 256), expected);
}

TEST_P(EachCase, TwoInstancesDoNotDisturbEachOther) {
    const std::vector<float> first = noise(8000, 1), second = noise(8000, 2);
    const auto a = hosted(), b = hosted();
    std::vector<float> from_a, from_b;
    for (std::size_t at = 0; at < 8000; at += 500) {
        const auto part = [at](const std::vector<float>& samples) {
            return std::vector<float>(&samples[at], &samples[at] + 500);
        };
        for (const float sample : a->run(part(first), {100})) from_a.push_back(sample);
        for (const float sample : b->run(part(second), {160})) from_b.push_back(sample);
    }
    EXPECT_EQ(from_a, offline(GetParam(), first));
    EXPECT_EQ(from_b, offline(GetParam(), second));
}

TEST_P(EachCase, InstancesRunOnThreads) {
    const std::vector<float> samples = noise(8000);
    const std::vector<float> expected = offline(GetParam(), samples);
    std::vector<std::vector<float>> results(4);
    std::vector<std::thread> threads;
    for (auto& result : results) {
        threads.emplace_back([this, &result, &samples] { result = hosted()->run(samples, {128}); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(results, Each(expected));
}

TEST_P(EachCase, ActivatingBeginsAgain) {
    const std::vector<float> samples = noise(8000);
    const auto one = hosted();
    const std::vector<float> first = one->run(samples, {300});
    one->activate();
    EXPECT_EQ(one->run(samples, {300}), first);
}

TEST_P(EachCase, WhatIsNotFiniteIsSilenceAndPasses) {
    std::vector<float> samples = noise(20000);
    samples[3000] = std::numeric_limits<float>::quiet_NaN();
    samples[3001] = std::numeric_limits<float>::infinity();
    const std::vector<float> result = hosted()->run(samples, {512});
    samples[3000] = samples[3001] = 0;
    EXPECT_EQ(result, offline(GetParam(), samples));
}

TEST_P(EachCase, LoudSoundsDoNotStayInTheStates) {
    const auto one = hosted();
    const std::vector<float> huge(4000, std::numeric_limits<float>::max());
    const auto is_finite = testing::Truly([](float sample) { return std::isfinite(sample); });
    EXPECT_THAT(one->run(huge, {512}), Each(is_finite));
    std::vector<float> result = one->run(noise(20000), {512});
    EXPECT_THAT(result, Each(is_finite));
    EXPECT_THAT(std::vector<float>(result.end() - 4000, result.end()), Each(testing::Lt(10)));
}

TEST_P(EachCase, WithoutAttenuationTheNoisySoundPasses) {
    const std::vector<float> samples = noise(12000);
    const auto one = hosted();
    one->set_limit(0);
    const std::vector<float> result = one->run(samples, {256});
    const auto late = static_cast<std::size_t>(one->latency());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        ASSERT_NEAR(result[i], i < late ? 0 : samples[i - late], 1e-6) << i;
    }
}

TEST_P(EachCase, AnotherRateIsRefused) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(make_hosted(GetParam().label, 22050), nullptr);
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                HasSubstr("ladspa_rondo: " + GetParam().label +
                          ": the sound has 22050 samples a second; expected " +
                          std::to_string(GetParam().rate)));
}

INSTANTIATE_TEST_SUITE_P(Ladspa, EachCase, testing::ValuesIn(all_cases()));

TEST(LadspaPlugin, LatencyIsThatOfTheSound) {
    const Case one{"spectrum", "RONDO_LADSPA_SPECTRUM",
                   write_model(scaling({1, 129, 1, 2}, 1), "one") + ":rate=16000:hop=64", 16000};
    const EnvironmentVariable variable(one.variable, one.value);
    const auto hosted = make_hosted(one.label, one.rate);
    const std::vector<float> samples = noise(4000);
    const std::vector<float> result = hosted->run(samples, {100});
    EXPECT_EQ(hosted->latency(), 256);
    for (std::size_t i = 256; i < samples.size(); ++i) {
        ASSERT_NEAR(result[i], samples[i - 256], 2e-6) << i;
    }
}

TEST(LadspaPlugin, RealModelsReportTheirLatency) {
    for (const auto& [label, latency] :
         std::map<std::string, float>{{"dtln", 512}, {"deep_filter_net", 1920}, {"gtcrn", 512}}) {
        const auto one = real_case(label);
        if (!one) GTEST_SKIP() << kNoModels;
        const EnvironmentVariable variable(one->variable, one->value);
        const auto hosted = make_hosted(one->label, one->rate);
        hosted->run(noise(10), {10});
        EXPECT_EQ(hosted->latency(), latency) << label;
    }
}

// The network gives silence, and 20 dB leave a tenth of the noise.
TEST(LadspaPlugin, TheLimitKeepsAPartOfTheNoise) {
    const EnvironmentVariable variable("RONDO_LADSPA_SAMPLES",
                                       write_model(scaling({1, 64}, 0), "silence") + ":rate=8000");
    const auto hosted = make_hosted("samples", 8000);
    hosted->set_limit(20);
    const std::vector<float> result = hosted->run(std::vector<float>(1000, 1), {64});
    EXPECT_EQ(hosted->latency(), 64);
    for (std::size_t i = 0; i < 1000; ++i) ASSERT_NEAR(result[i], i < 64 ? 0 : 0.1F, 1e-6) << i;
}

/// A label with a value that is refused, and a part of the message.
struct Refusal {
    std::string label;
    std::string variable;
    std::string value;
    std::string message;
};

void PrintTo(const Refusal& one, std::ostream* out) { *out << one.label << ": " << one.value; }

std::vector<Refusal> refusals() {
    const std::string half = write_model(scaling({1, 64}, 0.5F), "half_samples");
    const std::string open = write_model(scaling({1, Dimension()}, 0.5F), "open");
    const std::string cube = write_model(scaling({4, 129, 2}, 0.5F), "cube");
    const std::string bins = write_model(scaling({1, 129, 2}, 0.5F), "bins");
    const std::string window = write_model(scaling({1, 512}, 0.5F), "window");
    const std::string samples = "RONDO_LADSPA_SAMPLES", spectrum = "RONDO_LADSPA_SPECTRUM";
    const std::string dtln = "RONDO_LADSPA_DTLN", deep = "RONDO_LADSPA_DEEP_FILTER_NET";
    return {
        {"samples", samples, "", "the environment has no RONDO_LADSPA_SAMPLES; expected one model"},
        {"samples", samples, half, "doesn't say how many samples a second the model takes; add"},
        {"samples", samples, half + ":rate=8000:hop=63",
         "f32[1,64]; expected f32 with 63 elements"},
        {"samples", samples, half + ":rate=x", "RONDO_LADSPA_SAMPLES: option 'rate' is 'x'"},
        {"samples", samples, half + ":" + half + ":rate=8000",
         "names 2 models; expected one model"},
        {"samples", samples, "/nowhere.onnx:rate=8000", "/nowhere.onnx"},
        {"samples", samples, "/etc/hostname:rate=8000", "/etc/hostname"},
        {"samples", samples, half + ":rate=8000:window=hann", "has no option 'window'"},
        {"spectrum", spectrum, cube + ":rate=8000", "has shape [4,129,2]; expected the bins"},
        {"spectrum", spectrum, bins + ":rate=8000:hop=100", "a hop of 100 doesn't divide it"},
        {"spectrum", spectrum, bins + ":rate=8000:hop=256",
         "has no weight; expected a smaller hop"},
        {"dtln", dtln, half, "names 1 models; expected the network of magnitudes and the network"},
        {"dtln", dtln, half + ":" + half, "f32[1,64]; expected f32 with 512 elements"},
        {"dtln", dtln, half + ":" + window, "has 64 bins; expected 257"},
        {"deep_filter_net", deep, half + ":" + half + ":" + half, "has no output 'emb'; there are"},
    };
}

class EachRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(EachRefusal, IsNoInstanceAndAMessage) {
    const EnvironmentVariable variable(GetParam().variable, GetParam().value);
    testing::internal::CaptureStderr();
    const std::map<std::string, unsigned long> rates = {
        {"deep_filter_net", 48000}, {"dtln", 16000}, {"samples", 8000}, {"spectrum", 8000}};
    EXPECT_EQ(make_hosted(GetParam().label, rates.at(GetParam().label)), nullptr);
    const std::string message = testing::internal::GetCapturedStderr();
    EXPECT_THAT(message, HasSubstr(GetParam().message));
    EXPECT_THAT(message, HasSubstr("ladspa_rondo: " + GetParam().label + ": "));
}

INSTANTIATE_TEST_SUITE_P(Ladspa, EachRefusal, testing::ValuesIn(refusals()));

}  // namespace
}  // namespace rondo::test::plugin_test
