// Converts DFT to DFT, IDFT, RDFT or IRDFT; and STFT, to the IR's op where the signal is real and
// half of each spectrum is wanted, else to a Gather of the frames and a DFT.
#include <string>
#include <utility>

#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/pad.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/source/range.hpp"
#include "core/ops/spectral/fourier.hpp"
#include "core/ops/spectral/stft.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/spectral/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// The last extent of the data; throws UnsupportedError where the rank isn't known, ModelError
// where that is neither 1 nor 2, or the rank is below `least`. `what` names the data.
Dimension parts_of(const Output& data, std::size_t least, const char* what) {
    if (!data.shape().has_rank()) {
        throw UnsupportedError(std::string(what) + ": its rank isn't known");
    }
    const auto& extents = data.shape().dimensions();
    if (extents.size() < least || !(extents.back().contains(1) || extents.back().contains(2))) {
        throw ModelError(std::string(what) + " has shape " + to_string(data.shape()) +
                         "; expected rank " + std::to_string(least) +
                         " or more with a last axis of 1 (real) or 2 (complex)");
    }
    return extents.back();
}

// The data with two parts: an imaginary part of 0 where it has one.
Output with_two_parts(NodeContext& context, Composer& by, const Output& data) {
    const Dimension parts = data.shape().dimensions().back();
    if (parts == Dimension(2)) return data;
    std::vector<std::int64_t> pads(data.shape().rank());
    const Output begin = by.ints(pads);
    pads.back() = 1;
    const Output end = by.ints(pads);
    const Output padded = context.make<ops::Pad>(by.role(), std::vector<Output>{data, begin, end},
                                                 ops::PadMode::constant);
    // Complex data loses the pad again.
    return parts == Dimension(1) ? padded : by.slice(padded, -1, 0, 2);
}

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
Output run_axis(NodeContext& context, Composer& by, const Output& axis) {
    constexpr std::int64_t kNoAxis = std::int64_t{1} << 40;
    const Output whole = make_reshape(context, "axis", by.convert(axis, ElementType::i64), {1});
    const Output zero = by.integer(0);
    const Output shifted = by.select(by.compare(CompareFunction::less, whole, zero),
                                     by.add(whole, by.integer(1)), whole);
    const Output is_last = by.compare(CompareFunction::equal, whole, by.integer(-1));
    return by.select(is_last, by.integer(kNoAxis), shifted);
}

Output axis_of(NodeContext& context, Composer& by, const Output& data) {
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
    Composer by(context, NodeContext::known_type(data, "input"));
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
        inputs[0] = by.squeeze(data, {-1});
        return {context.make<ops::Fourier>("", FourierFunction::rdft, std::move(inputs))};
    }
    check_parts(parts, 2, "onesided and inverse");
    const Output real =
        context.make<ops::Fourier>("real", FourierFunction::irdft, std::move(inputs));
    return {context.make<ops::Unsqueeze>("", real, by.ints({-1}))};
}

namespace {

using ops::BinaryFunction;

struct Frames {
    Output size;  // i64 scalars
    Output step;
    Output window;  // [size]
};

Output int_scalar(Composer& by, const Output& value) {
    return by.scalar(by.convert(value, ElementType::i64));
}

// The extent of an axis that the value has.
Output extent_of(NodeContext& context, Composer& by, const Output& value, std::size_t axis) {
    const PartialShape& shape = value.shape();
    if (shape.has_rank() && shape[axis].is_static()) {
        return by.integer(shape[axis].length());
    }
    return by.scalar(make_element(context, by.role(), make_shape_of(context, by.role(), value),
                                  static_cast<std::int64_t>(axis)));
}

void check_window(const Output& window, const Output& length) {
    NodeContext::check_shape(window, PartialShape::of_rank(1), "window");
    if (!length || !window.shape().has_rank()) return;
    const auto known = NodeContext::known_ints(length);
    if (!known || known->size() != 1 || window.shape()[0].contains(known->front())) return;
    throw ModelError("window has shape " + to_string(window.shape()) + ", but frame_length is " +
                     std::to_string(known->front()) + "; expected the same length");
}

Frames frames_of(NodeContext& context, Composer& by, const Output& signal) {
    Frames frames;
    frames.step = int_scalar(by, context.input(1));
    frames.window = context.optional_input(2);
    const Output length = context.optional_input(3);
    if (frames.window) check_window(frames.window, length);
    if (length) {
        frames.size = int_scalar(by, length);
    } else if (frames.window) {
        frames.size = extent_of(context, by, frames.window, 0);
    } else {
        frames.size = extent_of(context, by, signal, 1);
    }
    if (!frames.window) {
        const Output shape = make_reshape(context, by.role(), frames.size, {1});
        frames.window = make_broadcast(context, by.role(), by.number(1), shape);
    }
    return frames;
}

// [batch, frames, size, 2] of the signal [batch, length, 2].
Output gathered(NodeContext& context, Composer& by, const Output& signal, const Frames& frames) {
    const Output one = by.integer(1);
    const Output stop = by.add(by.subtract(extent_of(context, by, signal, 1), frames.size), one);
    const Output starts =
        context.make<ops::Range>(by.role(), by.integer(0), stop, frames.step, ElementType::i64);
    const Output places = by.add(by.unsqueeze(starts, {1}), by.range(frames.size));
    const Output cut = context.make<ops::Gather>(by.role(), signal, places, by.integer(1));
    return by.multiply(cut, by.unsqueeze(frames.window, {1}));
}

}  // namespace

std::vector<Output> convert_stft(NodeContext& context) {
    Output signal = context.input(0);
    Composer by(context, NodeContext::known_type(signal, "signal"));
    // Some exporters leave out the axis of parts.
    if (signal.shape().has_rank() && signal.shape().rank() == 2) signal = by.unsqueeze(signal, {2});
    NodeContext::check_shape(signal, PartialShape::of_rank(3), "signal");
    const Dimension parts = parts_of(signal, 3, "signal");
    const bool onesided = context.attributes().flag("onesided", true);
    const Frames frames = frames_of(context, by, signal);
    if (onesided && parts.contains(1)) {
        std::vector<Output> inputs{by.squeeze(signal, {2}), frames.window, frames.size,
                                   frames.step};
        return {context.make<ops::Stft>("", std::move(inputs), false)};
    }
    const Output cut = gathered(context, by, with_two_parts(context, by, signal), frames);
    std::vector<Output> inputs{cut, make_ints(context, "axis", {2})};
    const Output whole = context.make<ops::Fourier>(onesided ? "whole" : "",
                                                    ops::FourierFunction::dft, std::move(inputs));
    if (!onesided) return {whole};
    const Output half = by.apply(BinaryFunction::divide, frames.size, by.integer(2));
    const Output bins = by.add(half, by.integer(1));
    return {context.make<ops::Slice>("", whole, by.ints({0}),
                                     make_reshape(context, by.role(), bins, {1}), by.ints({1}),
                                     by.ints({2}))};
}

}  // namespace rondo::onnx
