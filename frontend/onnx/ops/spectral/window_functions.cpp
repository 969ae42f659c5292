// Converts HannWindow, HammingWindow and BlackmanWindow: sums of cosines, computed in double.
#include <numbers>

#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/spectral/converters.hpp"

namespace rondo::onnx {
namespace {

using ops::UnaryFunction;

// w[i] = (a0 - a1 cos(2 pi i / n) + a2 cos(4 pi i / n)) / sum, in whole numbers so that the middle
// of a window is 1 and not the number before it, which integers would cut to 0.
struct Cosines {
    double a0, a1, a2, sum;
};
constexpr Cosines kHann{1, 1, 0, 2};
constexpr Cosines kHamming{25, 21, 0, 46};
constexpr Cosines kBlackman{42, 50, 8, 100};

// n is the size, or one less where the window isn't periodic. One element of a window that isn't
// periodic is NaN, as the specification's division by 0 has it.
template <const Cosines& cosines>
std::vector<Output> window(NodeContext& context) {
    const ElementType type =
        find_element_type(context.attributes(), "output_datatype").value_or(ElementType::f32);
    const bool is_periodic = context.attributes().flag("periodic", true);
    Composer by(context, ElementType::f64);
    const Output size = by.scalar(context.input(0));
    Output n = by.wide(size);
    if (!is_periodic) n = by.subtract(n, by.number(1));
    const Output turn = by.divide(by.number(2 * std::numbers::pi), n);
    const Output angles = by.multiply(by.range(size, ElementType::f64), turn);
    const Output first = by.multiply(by.apply(UnaryFunction::cos, angles), by.number(cosines.a1));
    Output window = by.subtract(by.number(cosines.a0), first);
    if (cosines.a2 != 0) {
        const Output twice = by.apply(UnaryFunction::cos, by.add(angles, angles));
        window = by.add(window, by.multiply(twice, by.number(cosines.a2)));
    }
    return {by.convert(by.divide(window, by.number(cosines.sum)), type)};
}

}  // namespace

std::vector<Output> convert_blackman_window(NodeContext& context) {
    return window<kBlackman>(context);
}

std::vector<Output> convert_hamming_window(NodeContext& context) {
    return window<kHamming>(context);
}

std::vector<Output> convert_hann_window(NodeContext& context) { return window<kHann>(context); }

}  // namespace rondo::onnx
