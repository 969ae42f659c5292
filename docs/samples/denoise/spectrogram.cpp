#include "spectrogram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <stdexcept>

#include "bindings/ladspa/denoise/fft.hpp"

namespace {

constexpr std::size_t kWidth = 600, kHeight = 128, kGap = 4;  // pixels
constexpr std::size_t kBinsARow = 2;  // of 31.25 Hz: a window has 32 ms, and 8 kHz are 256 bins

using Row = std::array<std::uint8_t, kWidth>;  // 0 to 15: 16 colours

// The upper row is the highest frequency.
std::vector<Row> levels(const std::vector<float>& samples, std::size_t rate, float loudest) {
    rondo::denoise::Fft fft(rate * 32 / 1000);
    if (samples.size() < fft.length()) throw std::runtime_error("the sound has less than 32 ms");
    std::vector<Row> rows(kHeight);
    std::vector<float> window(fft.length());
    std::vector<rondo::denoise::Complex> bins(fft.bins());
    for (std::size_t x = 0; x < kWidth; ++x) {
        const std::size_t start = (samples.size() - fft.length()) * x / (kWidth - 1);
        for (std::size_t i = 0; i < fft.length(); ++i) {
            const double turn = 2 * 3.141592653589793 * double(i) / double(fft.length() - 1);
            window[i] = samples[start + i] * float(0.5 - 0.5 * std::cos(turn));
        }
        fft.forward(window.data(), bins.data());
        for (std::size_t y = 0; y < kHeight; ++y) {
            const auto* first = &bins[(kHeight - 1 - y) * kBinsARow];
            const float power = std::max(std::abs(first[0]), std::abs(first[1]));
            const float share = power / float(fft.length()) / loudest;
            const float level = (20 * std::log10(share + 1e-9F) + 100) / 80 * 16;
            rows[y][x] = static_cast<std::uint8_t>(std::clamp(level, 0.0F, 15.0F));
        }
    }
    return rows;
}

std::string big_endian(std::uint32_t value) {
    return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

// The checksum of PNG blocks: the remainder of a division of polynomials with bits as coefficients.
std::uint32_t crc(const std::string& bytes) {
    std::uint32_t rest = 0xFFFFFFFF;
    for (const char byte : bytes) {
        rest ^= static_cast<std::uint8_t>(byte);
        for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1 ? 0xEDB88320 : 0);
    }
    return ~rest;
}

std::string block(const std::string& name, const std::string& data) {
    return big_endian(std::uint32_t(data.size())) + name + data + big_endian(crc(name + data));
}

// As zlib stores bytes that it doesn't compress: pieces with their length and its complement, and
// two sums at the end.
std::string stored(const std::string& bytes) {
    constexpr std::size_t kMost = 65535;
    std::string result = "\x78\x01";
    std::uint32_t sum = 1, sum_of_sums = 0;
    for (std::size_t at = 0; at < bytes.size(); at += kMost) {
        const std::size_t size = std::min(kMost, bytes.size() - at);
        result += char(at + size == bytes.size());  // 1: the last piece
        for (const std::size_t number : {size, ~size}) {
            result += {char(number), char(number >> 8)};
        }
        result += bytes.substr(at, size);
    }
    for (const char byte : bytes) {
        sum = (sum + static_cast<std::uint8_t>(byte)) % 65521;
        sum_of_sums = (sum_of_sums + sum) % 65521;
    }
    return result + big_endian(sum_of_sums << 16 | sum);
}

// 16 colours, from silence to the loudest: black, violet, orange, yellow.
std::string colours() {
    struct Stop {
        double level, red, green, blue;
    };
    constexpr Stop kStops[] = {
        {0, 0, 0, 15}, {6, 110, 30, 120}, {11, 240, 110, 30}, {15, 255, 250, 160}};
    std::string bytes;
    for (int level = 0; level < 16; ++level) {
        const Stop* stop = kStops;
        while (level > stop[1].level) ++stop;
        const double share = (level - stop[0].level) / (stop[1].level - stop[0].level);
        const auto mix = [share](double a, double b) { return char(int(a + (b - a) * share)); };
        bytes += {mix(stop[0].red, stop[1].red), mix(stop[0].green, stop[1].green),
                  mix(stop[0].blue, stop[1].blue)};
    }
    return bytes;
}

}  // namespace

void draw(const std::string& path, const std::vector<std::vector<float>>& sounds,
          std::size_t rate) {
    float loudest = 1e-6F;
    for (const auto& samples : sounds) {
        for (const float sample : samples) loudest = std::max(loudest, std::abs(sample));
    }
    std::vector<Row> rows;
    for (const auto& samples : sounds) {
        Row bright;
        bright.fill(15);
        if (!rows.empty()) rows.insert(rows.end(), kGap, bright);
        const std::vector<Row> more = levels(samples, rate, loudest);
        rows.insert(rows.end(), more.begin(), more.end());
    }
    std::string pixels;
    for (const Row& row : rows) {
        pixels += '\0';  // the pixels as they are, two a byte
        for (std::size_t x = 0; x < kWidth; x += 2) pixels += char(row[x] << 4 | row[x + 1]);
    }
    const std::string kind = {4, 3, 0, 0, 0};  // 4 bits a pixel, by palette
    std::ofstream file(path, std::ios::binary);
    file << "\x89PNG\r\n\x1a\n"
         << block("IHDR", big_endian(kWidth) + big_endian(std::uint32_t(rows.size())) + kind)
         << block("PLTE", colours()) << block("IDAT", stored(pixels)) << block("IEND", "");
    if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}
