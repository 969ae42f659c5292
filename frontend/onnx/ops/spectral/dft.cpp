// Converts DFT to DFT, IDFT, RDFT or IRDFT; and STFT, to the IR's op if the signal is real and
// half of each spectrum is wanted, else to a Gather of the frames and a DFT.
#include <string>
#include <utility>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/spectral/spectral_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::FourierFunction;

// The last extent of the data; throws UnsupportedError if the rank isn't known, ModelError
// if that is neither 1 nor 2, or the rank is below `least`. `what` names the data.
Dimension complex_parts_of(const Output& data, std::size_t least, const char* what) {
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

// The data with two parts: an imaginary part of 0 if it has one.
Output with_two_parts(NodeContext& by, const Output& data) {
    const Dimension parts = data.shape().dimensions().back();
    if (parts == Dimension(2)) return data;
    Ints pads(data.shape().rank());
    const Output begin = by.ints(pads);
    pads.back() = 1;
    const Output padded = by.pad(data, begin, by.ints(pads));
    // Complex data loses the pad again.
    return parts == Dimension(1) ? padded : by.slice(padded, -1, 0, 2);
}

Output fourier(NodeContext& by, FourierFunction function, std::vector<Output> inputs) {
    return by.make<ops::Fourier>(function, std::move(inputs));
}

constexpr std::int64_t kAxisInputSince = 20;

// The IR counts a negative axis from the last one that isn't the axis of parts.
Output known_axis(NodeContext& by, std::int64_t axis, const Output& data) {
    const auto rank = static_cast<std::int64_t>(data.shape().rank());
    if (axis < -rank || axis > rank - 2 || axis == -1) {
        throw ModelError("axis is " + std::to_string(axis) + ", but the input has shape " +
                         to_string(data.shape()) + "; expected " + std::to_string(-rank) +
                         " to -2, or 0 to " + std::to_string(rank - 2));
    }
    return by.ints({axis < 0 ? axis + 1 : axis});
}

// An axis of a run: -1, which names the axis of parts, becomes one that is out of range.
Output run_axis(NodeContext& by, const Output& axis) {
    constexpr std::int64_t kNoAxis = std::int64_t{1} << 40;
    const Output whole = by.reshape(by.convert(axis, ElementType::i64), {1});
    const Output shifted =
        by.select(by.less(whole, by.integer(0)), by.add(whole, by.integer(1)), whole);
    return by.select(by.equal(whole, by.integer(-1)), by.integer(kNoAxis), shifted);
}

Output dft_axis(NodeContext& by, const Output& data) {
    if (by.opset() < kAxisInputSince) return known_axis(by, by.attribute("axis", 1), data);
    const Output axis = by.optional_input(2);
    if (!axis) return known_axis(by, -2, data);
    const auto known = NodeContext::known_ints(axis);
    if (!known) return run_axis(by, axis);
    if (known->size() == 1) return known_axis(by, known->front(), data);
    throw ModelError("axis has shape " + to_string(axis.shape()) + "; expected a scalar");
}

void check_parts(const Dimension& parts, std::int64_t expected, const char* form) {
    if (parts.contains(expected)) return;
    throw ModelError(std::string(form) + " of an input whose last extent is " + to_string(parts) +
                     "; expected " + std::to_string(expected));
}

}  // namespace

std::vector<Output> convert_dft(NodeContext& by) {
    const Output data = by.input(0);
    const Dimension parts = complex_parts_of(data, 2, "the input");
    const bool inverse = by.attribute("inverse", false);
    const bool onesided = by.attribute("onesided", false);
    NodeContext::known_type(data, "input");
    std::vector<Output> inputs{data, dft_axis(by, data)};
    if (const Output length = by.optional_input(1)) inputs.push_back(by.reshape(length, {1}));
    if (!onesided) {
        inputs[0] = with_two_parts(by, data);
        return {fourier(by, inverse ? FourierFunction::idft : FourierFunction::dft, inputs)};
    }
    if (!inverse) {
        check_parts(parts, 1, "onesided");
        inputs[0] = by.squeeze(data, {-1});
        return {fourier(by, FourierFunction::rdft, inputs)};
    }
    check_parts(parts, 2, "onesided and inverse");
    return {by.unsqueeze(fourier(by, FourierFunction::irdft, inputs), {-1})};
}

namespace {

struct Frames {
    Output size;  // i64 scalars
    Output step;
    Output window;  // [size]
};

void check_window(const Output& window, const Output& length) {
    NodeContext::check_shape(window, PartialShape::of_rank(1), "window");
    if (!length || !window.shape().has_rank()) return;
    const auto known = NodeContext::known_ints(length);
    if (!known || known->size() != 1 || window.shape()[0].contains(known->front())) return;
    throw ModelError("window has shape " + to_string(window.shape()) + ", but frame_length is " +
                     std::to_string(known->front()) + "; expected the same length");
}

Frames frames_of(NodeContext& by, const Output& signal) {
    Frames frames;
    frames.step = by.int_scalar(by.input(1));
    frames.window = by.optional_input(2);
    const Output length = by.optional_input(3);
    if (frames.window) check_window(frames.window, length);
    frames.size = length          ? by.int_scalar(length)
                  : frames.window ? by.extent(frames.window, 0)
                                  : by.extent(signal, 1);
    if (!frames.window) {
        frames.window = by.broadcast(by.number(1, signal), by.reshape(frames.size, {1}));
    }
    return frames;
}

// [batch, frames, size, 2] of the signal [batch, length, 2].
Output gathered(NodeContext& by, const Output& signal, const Frames& frames) {
    const Output stop = by.add(by.subtract(by.extent(signal, 1), frames.size), by.integer(1));
    const Output starts = by.make<ops::Range>(by.integer(0), stop, frames.step, ElementType::i64);
    const Output places = by.add(by.unsqueeze(starts, {1}), by.range(frames.size));
    return by.multiply(by.gather(signal, places, 1), by.unsqueeze(frames.window, {1}));
}

}  // namespace

std::vector<Output> convert_stft(NodeContext& by) {
    Output signal = by.input(0);
    NodeContext::known_type(signal, "signal");
    // Some exporters leave out the axis of parts.
    if (signal.shape().has_rank() && signal.shape().rank() == 2) signal = by.unsqueeze(signal, {2});
    NodeContext::check_shape(signal, PartialShape::of_rank(3), "signal");
    const Dimension parts = complex_parts_of(signal, 3, "signal");
    const bool onesided = by.attribute("onesided", true);
    const Frames frames = frames_of(by, signal);
    if (onesided && parts.contains(1)) {
        std::vector<Output> inputs{by.squeeze(signal, {2}), frames.window, frames.size,
                                   frames.step};
        return {by.make<ops::Stft>(std::move(inputs), false)};
    }
    const Output cut = gathered(by, with_two_parts(by, signal), frames);
    const Output whole = fourier(by, FourierFunction::dft, {cut, by.ints({2})});
    if (!onesided) return {whole};
    const Output bins = by.add(by.divide(frames.size, by.integer(2)), by.integer(1));
    return {by.make<ops::Slice>(whole, by.ints({0}), by.reshape(bins, {1}), by.ints({1}),
                                by.ints({2}))};
}

}  // namespace rondo::onnx
