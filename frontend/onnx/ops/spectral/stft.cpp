// Converts STFT: to the IR's op where the signal is real and half of each spectrum is wanted, else
// to a Gather of the frames and a DFT.
#include "core/ops/spectral/stft.hpp"

#include <string>
#include <utility>

#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/source/range.hpp"
#include "core/ops/spectral/fourier.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/spectral/complex_parts.hpp"
#include "frontend/onnx/ops/spectral/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

struct Frames {
    Output size;  // i64 scalars
    Output step;
    Output window;  // [size]
};

Output int_scalar(Arithmetic& by, const Output& value) {
    return by.scalar(by.converted(value, ElementType::i64));
}

// The extent of an axis that the value has.
Output extent_of(NodeContext& context, Arithmetic& by, const Output& value, std::size_t axis) {
    const PartialShape& shape = value.shape();
    if (shape.has_rank() && shape[axis].is_static()) {
        return make_int_scalar(context, by.role(), shape[axis].length());
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

Frames frames_of(NodeContext& context, Arithmetic& by, const Output& signal) {
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
Output gathered(NodeContext& context, Arithmetic& by, const Output& signal, const Frames& frames) {
    const Output one = make_int_scalar(context, by.role(), 1);
    const Output stop = by.add(by.subtract(extent_of(context, by, signal, 1), frames.size), one);
    const Output starts = context.make<ops::Range>(
        by.role(), make_int_scalar(context, by.role(), 0), stop, frames.step, ElementType::i64);
    const Output places =
        by.add(by.unsqueeze(starts, 1), by.count_to(frames.size, ElementType::i64));
    const Output cut = context.make<ops::Gather>(by.role(), signal, places,
                                                 make_int_scalar(context, by.role(), 1));
    return by.multiply(cut, by.unsqueeze(frames.window, 1));
}

}  // namespace

std::vector<Output> convert_stft(NodeContext& context) {
    Output signal = context.input(0);
    Arithmetic by(context, NodeContext::known_type(signal, "signal"));
    // Some exporters leave out the axis of parts.
    if (signal.shape().has_rank() && signal.shape().rank() == 2) signal = by.unsqueeze(signal, 2);
    NodeContext::check_shape(signal, PartialShape::of_rank(3), "signal");
    const Dimension parts = parts_of(signal, 3, "signal");
    const bool onesided = context.attributes().flag("onesided", true);
    const Frames frames = frames_of(context, by, signal);
    if (onesided && parts.contains(1)) {
        std::vector<Output> inputs{by.squeeze(signal, 2), frames.window, frames.size, frames.step};
        return {context.make<ops::Stft>("", std::move(inputs), false)};
    }
    const Output cut = gathered(context, by, with_two_parts(context, by, signal), frames);
    std::vector<Output> inputs{cut, make_ints(context, "axis", {2})};
    const Output whole = context.make<ops::Fourier>(onesided ? "whole" : "",
                                                    ops::FourierFunction::dft, std::move(inputs));
    if (!onesided) return {whole};
    const Output half =
        by.binary(BinaryFunction::divide, frames.size, make_int_scalar(context, by.role(), 2));
    const Output bins = by.add(half, make_int_scalar(context, by.role(), 1));
    return {context.make<ops::Slice>(
        "", whole, make_ints(context, by.role(), {0}), make_reshape(context, by.role(), bins, {1}),
        make_ints(context, by.role(), {1}), make_ints(context, by.role(), {2}))};
}

}  // namespace rondo::onnx
