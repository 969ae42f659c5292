#include "bindings/ladspa/settings.hpp"

#include <gmock/gmock.h>

#include <rondo/error.hpp>

#include "tests/support/expect_error.hpp"

namespace rondo::test::settings_test {
namespace {

using denoise::SpectrumOptions;
using testing::ElementsAre;

const std::vector<std::string> kAll = {"hop", "output", "rate", "window"};

ladspa::Settings read(const std::string& text, const std::vector<std::string>& allowed = kAll) {
    ladspa::Settings settings;
    ladspa::read_settings(text, allowed, settings);
    return settings;
}

TEST(LadspaSettings, ModelsAndOptions) {
    const auto settings = read("/a/b.onnx:c.xml:rate=48000:hop=480:window=vorbis:output=mask");
    EXPECT_THAT(settings.models, ElementsAre("/a/b.onnx", "c.xml"));
    EXPECT_EQ(settings.rate, 48000U);
    EXPECT_EQ(settings.spectrum.hop, 480U);
    EXPECT_EQ(settings.spectrum.shape, SpectrumOptions::Shape::vorbis);
    EXPECT_EQ(settings.spectrum.output, SpectrumOptions::Output::mask);
}

TEST(LadspaSettings, APathMayHaveAnEqualSign) {
    EXPECT_THAT(read("/run=3/model.onnx:./a=b:m.v=2").models,
                ElementsAre("/run=3/model.onnx", "./a=b", "m.v=2"));
}

TEST(LadspaSettings, EmptyPartsAreNothing) {
    EXPECT_THAT(read(":a.onnx::").models, ElementsAre("a.onnx"));
}

TEST(LadspaSettings, WhatIsWrongIsNamed) {
    expect_error<ModelError>(
        [] { read("a.onnx:hops=3"); },
        "has no option 'hops'; did you mean 'hop'? There are: 'hop', 'output',");
    expect_error<ModelError>([] { read("a.onnx:rate=8000", {}); },
                             "has no option 'rate'; there are: none");
    for (const char* bad : {"rate=", "rate=0", "rate=-1", "rate=1x", "rate=99999999999999999999"}) {
        expect_error<ModelError>([&] { read(bad); }, "expected 1 to 1000000");
    }
    expect_error<ModelError>(
        [] { read("window=hannn"); },
        "option 'window' is 'hannn'; did you mean 'hann'? There are: 'hamming',");
    expect_error<ModelError>([] { read("output=gain"); }, "'gain'; there are: 'mask', 'spectrum'");
}

}  // namespace
}  // namespace rondo::test::settings_test
