// The kinds of denoiser that the plugin offers, and instances of them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bindings/ladspa/settings.hpp"

namespace rondo::ladspa {

/// A row of the table of kinds.
struct Kind {
    unsigned long id;
    const char* label;
    const char* name;
    const char* variable;  ///< of the environment: its models and options
    const char* networks;  ///< which models these are, for messages
    std::size_t network_count;
    std::size_t rate;  ///< 0: an option says it
    std::vector<std::string> options;
    std::unique_ptr<denoise::Denoiser> (*make)(const denoise::Networks&, const Settings&);
};

const std::vector<Kind>& kinds();

/// A denoiser with the networks that it runs, which instances of one process share.
struct Loaded {
    std::shared_ptr<const denoise::Networks> networks;
    std::unique_ptr<denoise::Denoiser> denoiser;
};

/// Makes an instance for a sound of `rate` samples a second, of the models that the environment
/// names. Throws rondo::Error: models or options that are missing or wrong, another rate.
Loaded load(const Kind& kind, std::size_t rate);

}  // namespace rondo::ladspa
