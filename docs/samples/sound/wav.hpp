// Reads and writes sound files: one channel of 16-bit samples (.wav). The machine must be
// little-endian, as the files are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

/// Samples go from -1 to 1.
struct Sound {
    std::vector<float> samples;
    std::uint32_t rate = 0;  ///< samples a second
};

/// Throws std::runtime_error that names the file and its fault.
inline Sound read_wav(const std::string& path) {
    const auto require = [&path](bool holds, const std::string& problem) {
        if (!holds) throw std::runtime_error(path + ": " + problem);
    };
    std::ifstream file(path, std::ios::binary);
    require(file.is_open(), "cannot be opened");
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    require(
        bytes.size() >= 12 && bytes.compare(0, 4, "RIFF") == 0 && bytes.compare(8, 4, "WAVE") == 0,
        "is not a WAV file");

    // Blocks of a name of 4 letters, a size in bytes, and as many bytes (and one more if odd).
    Sound sound;
    for (std::size_t at = 12; at + 8 <= bytes.size();) {
        std::uint32_t size = 0;
        std::memcpy(&size, &bytes[at + 4], 4);
        const std::string name = bytes.substr(at, 4);
        at += 8;
        require(size <= bytes.size() - at, "ends inside its block '" + name + "'");
        if (name == "fmt ") {
            std::uint16_t format[8];  // kind, channels, rate (2), bytes a second (2), block, bits
            require(size >= sizeof(format), "has a short header");
            std::memcpy(format, &bytes[at], sizeof(format));
            require(format[0] == 1 && format[1] == 1 && format[7] == 16,
                    "is not one channel of 16-bit samples");
            std::memcpy(&sound.rate, &bytes[at + 4], 4);
        } else if (name == "data" && size >= 2) {
            std::vector<std::int16_t> values(size / 2);
            std::memcpy(values.data(), bytes.data() + at, values.size() * 2);
            for (const std::int16_t value : values) sound.samples.push_back(value / 32768.0F);
        }
        at += size + size % 2;
    }
    require(sound.rate != 0 && !sound.samples.empty(), "has no samples");
    return sound;
}

/// Louder samples than -1 to 1 are clipped. Throws std::runtime_error if it can't be written.
inline void write_wav(const std::string& path, const Sound& sound) {
    const auto bytes = static_cast<std::uint32_t>(sound.samples.size() * 2);
    const auto text = [](const char* name) {
        std::uint32_t letters = 0;
        std::memcpy(&letters, name, 4);
        return letters;
    };
    constexpr std::uint32_t kPcmMono = 0x10001, k16Bits = 0x100002;  // two 16-bit fields each
    const std::uint32_t header[] = {text("RIFF"), 36 + bytes,   text("WAVE"), text("fmt "),
                                    16,           kPcmMono,     sound.rate,   sound.rate * 2,
                                    k16Bits,      text("data"), bytes};
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(header), sizeof(header));
    for (const float sample : sound.samples) {
        const float scaled = std::nearbyint(sample * 32768.0F);
        const auto value = static_cast<std::int16_t>(std::clamp(scaled, -32768.0F, 32767.0F));
        file.write(reinterpret_cast<const char*>(&value), 2);
    }
    if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}
