#include "picture.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iomanip>
#include <stdexcept>

namespace {

constexpr std::size_t kWidth = 900;
constexpr double kWaveMiddle = 90, kWaveHeight = 75;      // the sound: 15 to 165
constexpr double kCurveBottom = 290, kCurveHeight = 100;  // the probability: 190 to 290
constexpr double kBottom = 310;

// The shape between the loudest and the lowest sample of each column of the picture.
void draw_sound(std::ofstream& file, const std::vector<float>& samples) {
    float loudest = 1e-6F;
    for (const float sample : samples) loudest = std::max({loudest, sample, -sample});
    std::vector<std::pair<float, float>> columns;
    for (std::size_t x = 0; x < kWidth; ++x) {
        const auto first = samples.begin() + std::ptrdiff_t(samples.size() * x / kWidth);
        const auto end = samples.begin() + std::ptrdiff_t(samples.size() * (x + 1) / kWidth);
        const auto [low, high] = std::minmax_element(first, std::max(first + 1, end));
        columns.emplace_back(*low / loudest, *high / loudest);
    }
    file << "<polygon fill='#4477aa' points='";
    for (std::size_t x = 0; x < kWidth; ++x) {
        file << x << ',' << kWaveMiddle - kWaveHeight * double(columns[x].second) << ' ';
    }
    for (std::size_t x = kWidth; x-- > 0;) {
        file << x << ',' << kWaveMiddle - kWaveHeight * double(columns[x].first) << ' ';
    }
    file << "'/>\n";
}

}  // namespace

void draw(const std::string& path, const std::vector<float>& samples,
          const std::vector<float>& probabilities, const std::vector<Segment>& segments,
          double chunk_seconds) {
    const double pixels = double(kWidth) / (double(probabilities.size()) * chunk_seconds);
    std::ofstream file(path);
    file << std::fixed << std::setprecision(1);
    file << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << kWidth << ' ' << kBottom
         << "' font-family='sans-serif' font-size='11'>\n"
         << "<rect width='100%' height='100%' fill='white'/>\n";
    for (const Segment& segment : segments) {
        file << "<rect fill='#cceebb' x='" << segment.begin * pixels << "' y='10' width='"
             << (segment.end - segment.begin) * pixels << "' height='" << kCurveBottom - 10
             << "'/>\n";
    }
    draw_sound(file, samples);
    file << "<polyline fill='none' stroke='#aa3344' stroke-width='1.3' points='";
    for (std::size_t chunk = 0; chunk < probabilities.size(); ++chunk) {
        file << (double(chunk) + 0.5) * chunk_seconds * pixels << ','
             << kCurveBottom - kCurveHeight * double(probabilities[chunk]) << ' ';
    }
    file << "'/>\n<path stroke='#888' stroke-dasharray='4' d='M0 "
         << kCurveBottom - kCurveHeight / 2 << " H" << kWidth << "'/>\n";
    for (int second = 0; second * pixels < double(kWidth); ++second) {
        file << "<text x='" << second * pixels + 2 << "' y='" << kBottom - 5 << "'>" << second
             << " s</text>\n";
    }
    file << "</svg>\n";
    if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}
