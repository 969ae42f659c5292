// What a label of the LADSPA plugin makes of a whole sound, chunk by chunk and without a host:
// ladspa_offline LABEL RATE < noisy.f32 > clean.f32. The samples come without the delay; silence
// follows the sound, so that there are as many.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

#include "bindings/ladspa/kinds.hpp"

namespace {

const rondo::ladspa::Kind& find(const std::string& label) {
    for (const auto& kind : rondo::ladspa::kinds()) {
        if (label == kind.label) return kind;
    }
    throw std::runtime_error("no label '" + label + "'");
}

std::vector<float> read_samples() {
    std::vector<float> samples(1 << 24);
    samples.resize(std::fread(samples.data(), sizeof(float), samples.size(), stdin));
    return samples;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 3) throw std::runtime_error("usage: ladspa_offline LABEL RATE");
    const auto loaded = rondo::ladspa::load(find(argv[1]), std::stoul(argv[2]));
    auto& denoiser = *loaded.denoiser;
    std::vector<float> samples = read_samples();
    const std::size_t count = samples.size();
    samples.resize(count + denoiser.delay() + denoiser.hop());
    std::vector<float> clean(samples.size());
    for (std::size_t at = 0; at + denoiser.hop() <= samples.size(); at += denoiser.hop()) {
        denoiser.push(&samples[at], &clean[at]);
    }
    std::fwrite(&clean[denoiser.delay()], sizeof(float), count, stdout);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "ladspa_offline: %s\n", error.what());
    return 1;
}
