#include "bindings/ladspa/settings.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include <rondo/error.hpp>
#include <rondo/nearest_name.hpp>

namespace rondo::ladspa {
namespace {

using denoise::SpectrumOptions;

template <typename Value>
Value one_of(const std::string& option, const std::string& text,
             const std::map<std::string, Value>& values) {
    const auto found = values.find(text);
    if (found != values.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& entry : values) known.push_back(entry.first);
    throw ModelError("option '" + option + "' is '" + text + "'; " + known_names(text, known));
}

std::size_t number(const std::string& option, const std::string& text) {
    constexpr std::size_t kMost = 1000000, kMostDigits = 7;
    const bool is_number = !text.empty() && text.size() <= kMostDigits &&
                           text.find_first_not_of("0123456789") == std::string::npos;
    const std::size_t value = is_number ? std::stoul(text) : 0;
    if (value >= 1 && value <= kMost) return value;
    throw ModelError("option '" + option + "' is '" + text + "'; expected 1 to 1000000");
}

void set_option(const std::string& name, const std::string& value, Settings& settings) {
    using Shape = SpectrumOptions::Shape;
    using Output = SpectrumOptions::Output;
    if (name == "rate") settings.rate = number(name, value);
    if (name == "hop") settings.spectrum.hop = number(name, value);
    if (name == "window") {
        settings.spectrum.shape = one_of<Shape>(name, value,
                                                {{"hamming", Shape::hamming},
                                                 {"hann", Shape::hann},
                                                 {"none", Shape::none},
                                                 {"sqrt_hann", Shape::sqrt_hann},
                                                 {"vorbis", Shape::vorbis}});
    }
    if (name == "output") {
        settings.spectrum.output =
            one_of<Output>(name, value, {{"mask", Output::mask}, {"spectrum", Output::spectrum}});
    }
}

// Whether the part is an option, and not a path that has a "=" somewhere.
bool is_option(const std::string& part) {
    const std::size_t sign = part.find('=');
    return sign != std::string::npos && part.find_first_of("/.") > sign;
}

}  // namespace

void read_settings(const std::string& text, const std::vector<std::string>& allowed,
                   Settings& settings) {
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ':');) {
        if (part.empty()) continue;
        if (!is_option(part)) {
            settings.models.push_back(part);
            continue;
        }
        const std::string name = part.substr(0, part.find('='));
        if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
            throw ModelError("has no option '" + name + "'; " + known_names(name, allowed));
        }
        set_option(name, part.substr(name.size() + 1), settings);
    }
}

}  // namespace rondo::ladspa
