#include "bindings/ladspa/kinds.hpp"

#include <cstdlib>
#include <map>
#include <mutex>

#include <rondo/error.hpp>

namespace rondo::ladspa {
namespace {

using denoise::Denoiser;
using denoise::Networks;

std::unique_ptr<Denoiser> make_dtln(const Networks& networks, const Settings& /*settings*/) {
    return denoise::make_dtln(networks);
}

std::unique_ptr<Denoiser> make_deep_filter(const Networks& networks, const Settings& /*settings*/) {
    return denoise::make_deep_filter(networks);
}

std::unique_ptr<Denoiser> make_spectral(const Networks& networks, const Settings& settings) {
    return denoise::make_spectral(networks, settings.spectrum);
}

std::unique_ptr<Denoiser> make_direct(const Networks& networks, const Settings& settings) {
    return denoise::make_direct(networks, settings.spectrum.hop);
}

Settings settings_of(const Kind& kind) {
    const char* text = std::getenv(kind.variable);
    if (text == nullptr || *text == '\0') {
        throw ModelError(std::string("the environment has no ") + kind.variable + "; expected " +
                         kind.networks + ", with colons between");
    }
    Settings settings;
    settings.rate = kind.rate;
    try {
        read_settings(text, kind.options, settings);
    } catch (const ModelError& error) {
        throw ModelError(std::string(kind.variable) + ": " + error.what());
    }
    if (settings.models.size() != kind.network_count) {
        throw ModelError(std::string(kind.variable) + " names " +
                         std::to_string(settings.models.size()) + " models; expected " +
                         kind.networks);
    }
    if (settings.rate == 0) {
        throw ModelError(std::string(kind.variable) +
                         " doesn't say how many samples a second the model takes; add rate=N");
    }
    return settings;
}

// The networks that instances of this process run: they share weights and code. A host knows of no
// common owner of instances, so this is the only place for it.
std::shared_ptr<const Networks> shared_networks(const std::vector<std::string>& paths) {
    static std::mutex mutex;
    static std::map<std::vector<std::string>, std::weak_ptr<const Networks>> all;
    const std::lock_guard lock(mutex);
    std::weak_ptr<const Networks>& known = all[paths];
    std::shared_ptr<const Networks> networks = known.lock();
    if (networks == nullptr) {
        networks = std::make_shared<const Networks>(denoise::load_networks(paths));
        known = networks;
    }
    return networks;
}

}  // namespace

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = {
        {0x526f01,
         "dtln",
         "Rondo DTLN noise removal",
         "RONDO_LADSPA_DTLN",
         "the network of magnitudes and the network of samples",
         2,
         16000,
         {},
         make_dtln},
        {0x526f02,
         "deep_filter_net",
         "Rondo DeepFilterNet 3 noise removal",
         "RONDO_LADSPA_DEEP_FILTER_NET",
         "enc.onnx, erb_dec.onnx and df_dec.onnx",
         3,
         48000,
         {},
         make_deep_filter},
        {0x526f03,
         "gtcrn",
         "Rondo GTCRN noise removal",
         "RONDO_LADSPA_GTCRN",
         "one model",
         1,
         16000,
         {},
         make_spectral},
        {0x526f04,
         "spectrum",
         "Rondo model of spectra",
         "RONDO_LADSPA_SPECTRUM",
         "one model",
         1,
         0,
         {"hop", "output", "rate", "window"},
         make_spectral},
        {0x526f05,
         "samples",
         "Rondo model of samples",
         "RONDO_LADSPA_SAMPLES",
         "one model",
         1,
         0,
         {"hop", "rate"},
         make_direct},
    };
    return all;
}

Loaded load(const Kind& kind, std::size_t rate) {
    const Settings settings = settings_of(kind);
    if (settings.rate != rate) {
        throw ModelError("the sound has " + std::to_string(rate) + " samples a second; expected " +
                         std::to_string(settings.rate) + ": resample it before and after");
    }
    Loaded loaded{shared_networks(settings.models), nullptr};
    loaded.denoiser = kind.make(*loaded.networks, settings);
    return loaded;
}

}  // namespace rondo::ladspa
