// Converts HannWindow, HammingWindow and BlackmanWindow, sums of cosines, and MelWeightMatrix,
// triangles over the bins of a spectrum. All are computed in double.
#include <numbers>

#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"

namespace rondo::onnx {
namespace {

using ElementType::f64;

ElementType output_type(NodeContext& by) {
    return find_element_type(by.attributes(), "output_datatype").value_or(ElementType::f32);
}

// w[i] = (a0 - a1 cos(2 pi i / n) + a2 cos(4 pi i / n)) / sum, in whole numbers so that the middle
// of a window is 1 and not the number before it, which integers would cut to 0.
struct Cosines {
    double a0, a1, a2, sum;
};

// n is the size, or one less if the window isn't periodic. One element of a window that isn't
// periodic is NaN, as the specification's division by 0 has it.
std::vector<Output> cosine_window(NodeContext& by, const Cosines& cosines) {
    const ElementType type = output_type(by);
    const bool is_periodic = by.attribute("periodic", true);
    const Output size = by.scalar(by.input(0));
    Output n = by.convert(size, f64);
    if (!is_periodic) n = by.subtract(n, by.number(f64, 1));
    const Output turn = by.divide(by.number(f64, 2 * std::numbers::pi), n);
    const Output angles = by.multiply(by.range(size, f64), turn);
    const auto cosine = [&](const Output& angle, double factor) {
        return by.multiply(by.apply(UnaryFunction::cos, angle), by.number(f64, factor));
    };
    Output window = by.subtract(by.number(f64, cosines.a0), cosine(angles, cosines.a1));
    if (cosines.a2 != 0) window = by.add(window, cosine(by.add(angles, angles), cosines.a2));
    return {by.convert(by.divide(window, by.number(f64, cosines.sum)), type)};
}

}  // namespace

std::vector<Output> convert_blackman_window(NodeContext& by) {
    return cosine_window(by, {42, 50, 8, 100});
}

std::vector<Output> convert_hamming_window(NodeContext& by) {
    return cosine_window(by, {25, 21, 0, 46});
}

std::vector<Output> convert_hann_window(NodeContext& by) { return cosine_window(by, {1, 1, 0, 2}); }

namespace {

// mel = kMels ln(1 + hertz / kHertz).
constexpr double kMels = 2595 / std::numbers::ln10;
constexpr double kHertz = 700;

Output to_mels(NodeContext& by, const Output& hertz) {
    const Output part = by.add(by.divide(hertz, by.number(f64, kHertz)), by.number(f64, 1));
    return by.multiply(by.apply(UnaryFunction::log, part), by.number(f64, kMels));
}

Output to_hertz(NodeContext& by, const Output& mels) {
    const Output power = by.apply(UnaryFunction::exp, by.divide(mels, by.number(f64, kMels)));
    return by.multiply(by.subtract(power, by.number(f64, 1)), by.number(f64, kHertz));
}

// The bins where triangles begin, peak and end: equal distances in mels.
Output edges(NodeContext& by, const Output& bins, const Output& dft_length) {
    const auto number = [&](std::size_t input) {
        return by.convert(by.scalar(by.input(input)), f64);
    };
    const Output rate = number(2), low = to_mels(by, number(3)), high = to_mels(by, number(4));
    const Output count = by.add(bins, by.number(2, bins));
    const Output step = by.divide(by.subtract(high, low), by.convert(count, f64));
    const Output mels = by.add(by.multiply(by.range(count, f64), step), low);
    const Output length = by.add(by.convert(dft_length, f64), by.number(f64, 1));
    return by.apply(UnaryFunction::floor, by.divide(by.multiply(to_hertz(by, mels), length), rate));
}

}  // namespace

std::vector<Output> convert_mel_weight_matrix(NodeContext& by) {
    const ElementType type = output_type(by);
    const Output bins = by.scalar(by.input(0)), dft_length = by.scalar(by.input(1));
    const Output all = edges(by, bins, dft_length);
    const Output begin = by.slice(all, 0, 0, -2), peak = by.slice(all, 0, 1, -1);
    const Output end = by.slice(all, 0, 2, kSliceEnd);
    const Output one = by.number(f64, 1);
    const Output rows =
        by.add(by.divide(dft_length, by.number(2, dft_length)), by.number(1, dft_length));
    const Output row = by.unsqueeze(by.range(rows, f64), {1});
    // a / b, where b below 1 counts as 1.
    const auto ratio = [&](const Output& a, const Output& b) {
        return by.divide(a, by.maximum(b, one));
    };
    const Output up = ratio(by.subtract(row, begin), by.subtract(peak, begin));
    const Output down = ratio(by.subtract(end, row), by.subtract(end, peak));
    const Output sides = by.maximum(by.minimum(up, down), by.number(f64, 0));
    return {by.convert(by.select(by.equal(row, peak), one, sides), type)};
}

}  // namespace rondo::onnx
