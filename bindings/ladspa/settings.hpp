// What a label's environment variable says: models and how they are used.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bindings/ladspa/denoise/denoiser.hpp"

namespace rondo::ladspa {

/// "first.onnx:second.onnx:rate=16000:hop=256": models, then options, with colons between.
struct Settings {
    std::vector<std::string> models;
    std::size_t rate = 0;  ///< samples a second; 0 isn't known
    denoise::SpectrumOptions spectrum;
};

/// Reads `text` into `settings`, which has the defaults. Options that `allowed` doesn't list aren't
/// options of this kind. Throws ModelError that says what is wrong with which part.
void read_settings(const std::string& text, const std::vector<std::string>& allowed,
                   Settings& settings);

}  // namespace rondo::ladspa
