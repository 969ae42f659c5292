// Converts MelWeightMatrix: triangles over the bins of a spectrum, computed in double.
#include <limits>
#include <numbers>

#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/spectral/converters.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;
using ops::CompareFunction;
using ops::UnaryFunction;

// mel = kMels ln(1 + hertz / kHertz).
constexpr double kMels = 2595 / std::numbers::ln10;
constexpr double kHertz = 700;

Output to_mels(Composer& by, const Output& hertz) {
    const Output part = by.add(by.divide(hertz, by.number(kHertz)), by.number(1));
    return by.multiply(by.apply(UnaryFunction::log, part), by.number(kMels));
}

Output to_hertz(Composer& by, const Output& mels) {
    const Output power = by.apply(UnaryFunction::exp, by.divide(mels, by.number(kMels)));
    return by.multiply(by.subtract(power, by.number(1)), by.number(kHertz));
}

// The bins where triangles begin, peak and end: equal distances in mels.
Output edges(NodeContext& context, Composer& by, const Output& bins, const Output& dft_length) {
    const Output rate = by.wide(by.scalar(context.input(2)));
    const Output low = to_mels(by, by.wide(by.scalar(context.input(3))));
    const Output high = to_mels(by, by.wide(by.scalar(context.input(4))));
    const Output count = by.add(bins, by.number(bins.element_type(), 2));
    const Output step = by.divide(by.subtract(high, low), by.wide(count));
    const Output mels = by.add(by.multiply(by.range(count, ElementType::f64), step), low);
    const Output length = by.add(by.wide(dft_length), by.number(1));
    return by.apply(UnaryFunction::floor, by.divide(by.multiply(to_hertz(by, mels), length), rate));
}

// a / b, where b below 1 counts as 1.
Output ratio(Composer& by, const Output& a, const Output& b) {
    return by.divide(a, by.apply(BinaryFunction::maximum, b, by.number(1)));
}

}  // namespace

std::vector<Output> convert_mel_weight_matrix(NodeContext& context) {
    const ElementType type =
        find_element_type(context.attributes(), "output_datatype").value_or(ElementType::f32);
    Composer by(context, ElementType::f64);
    const Output bins = by.scalar(context.input(0)), dft_length = by.scalar(context.input(1));
    const Output all = edges(context, by, bins, dft_length);
    const Output begin = by.slice(all, 0, 0, -2), peak = by.slice(all, 0, 1, -1);
    const Output end = by.slice(all, 0, 2, kSliceEnd);
    const ElementType whole = dft_length.element_type();
    const Output rows = by.add(by.divide(dft_length, by.number(whole, 2)), by.number(whole, 1));
    const Output row = by.unsqueeze(by.range(rows, ElementType::f64), {1});
    const Output up = ratio(by, by.subtract(row, begin), by.subtract(peak, begin));
    const Output down = ratio(by, by.subtract(end, row), by.subtract(end, peak));
    const Output sides = by.apply(BinaryFunction::maximum,
                                  by.apply(BinaryFunction::minimum, up, down), by.number(0));
    const Output is_peak = by.compare(CompareFunction::equal, row, peak);
    return {by.convert(by.select(is_peak, by.number(1), sides), type)};
}

}  // namespace rondo::onnx
