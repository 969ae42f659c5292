// Converts DFT to DFT, IDFT, RDFT or IRDFT.
#include <string>
#include <utility>

#include "core/ops/movement/unsqueeze.hpp"
#include "core/ops/spectral/fourier.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/spectral/complex_parts.hpp"
#include "frontend/onnx/ops/spectral/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::CompareFunction;
using ops::FourierFunction;

constexpr std::int64_t kAxisInputSince = 20;

// The IR counts a negative axis from the last one that isn't the axis of parts.
Output known_axis(NodeContext& context, std::int64_t axis, const Output& data) {
    const auto rank = static_cast<std::int64_t>(data.shape().rank());
    if (axis < -rank || axis > rank - 2 || axis == -1) {
        throw ModelError("axis is " + std::to_string(axis) + ", but the input has shape " +
                         to_string(data.shape()) + "; expected " + std::to_string(-rank) +
                         " to -2, or 0 to " + std::to_string(rank - 2));
    }
    return make_ints(context, "axis", {axis < 0 ? axis + 1 : axis});
}

// An axis of a run: -1, which names the axis of parts, becomes one that is out of range.
Output run_axis(NodeContext& context, Arithmetic& by, const Output& axis) {
    constexpr std::int64_t kNoAxis = std::int64_t{1} << 40;
    const Output whole = make_reshape(context, "axis", by.converted(axis, ElementType::i64), {1});
    const Output zero = make_int_scalar(context, by.role(), 0);
    const Output shifted = by.select(by.compare(CompareFunction::less, whole, zero),
                                     by.add(whole, make_int_scalar(context, by.role(), 1)), whole);
    const Output is_last =
        by.compare(CompareFunction::equal, whole, make_int_scalar(context, by.role(), -1));
    return by.select(is_last, make_int_scalar(context, by.role(), kNoAxis), shifted);
}

Output axis_of(NodeContext& context, Arithmetic& by, const Output& data) {
    if (context.opset() < kAxisInputSince) {
        return known_axis(context, context.attributes().find_int("axis").value_or(1), data);
    }
    const Output axis = context.optional_input(2);
    if (!axis) return known_axis(context, -2, data);
    const auto known = NodeContext::known_ints(axis);
    if (!known) return run_axis(context, by, axis);
    if (known->size() == 1) return known_axis(context, known->front(), data);
    throw ModelError("axis has shape " + to_string(axis.shape()) + "; expected a scalar");
}

void check_parts(const Dimension& parts, std::int64_t expected, const char* form) {
    if (parts.contains(expected)) return;
    throw ModelError(std::string(form) + " of an input whose last extent is " + to_string(parts) +
                     "; expected " + std::to_string(expected));
}

}  // namespace

std::vector<Output> convert_dft(NodeContext& context) {
    const Output data = context.input(0);
    const Dimension parts = parts_of(data, 2, "the input");
    const bool inverse = context.attributes().flag("inverse", false);
    const bool onesided = context.attributes().flag("onesided", false);
    Arithmetic by(context, NodeContext::known_type(data, "input"));
    std::vector<Output> inputs{data, axis_of(context, by, data)};
    if (const Output length = context.optional_input(1)) {
        inputs.push_back(make_reshape(context, "dft_length", length, {1}));
    }
    if (!onesided) {
        inputs[0] = with_two_parts(context, by, data);
        return {context.make<ops::Fourier>(
            "", inverse ? FourierFunction::idft : FourierFunction::dft, std::move(inputs))};
    }
    if (!inverse) {
        check_parts(parts, 1, "onesided");
        inputs[0] = by.squeeze(data, -1);
        return {context.make<ops::Fourier>("", FourierFunction::rdft, std::move(inputs))};
    }
    check_parts(parts, 2, "onesided and inverse");
    const Output real =
        context.make<ops::Fourier>("real", FourierFunction::irdft, std::move(inputs));
    return {context.make<ops::Unsqueeze>("", real, make_ints(context, by.role(), {-1}))};
}

}  // namespace rondo::onnx
