// Writes Fourier transforms as DFT, an axis each, and STFT.
#include "core/ops/spectral/spectral_ops.hpp"

#include "frontend/onnx/writer/ops/op_list.hpp"

namespace rondo::onnx {
namespace {

using ops::FourierFunction;

// Number i of signal_size: -1 means the extent itself, or for that of the real numbers whose
// half spectrum it is.
std::string run_length(WriteContext& context, std::size_t i, std::int64_t axis, bool is_half) {
    const auto element = [&](const std::string& vector, std::int64_t place) {
        return context.gather(vector, context.scalar(place));
    };
    const std::string given = element(context.wide_input(2), static_cast<std::int64_t>(i));
    std::string own = element(context.shape_of(context.input(0)), axis);
    if (is_half) {
        const std::string less = context.emit("Sub", {own, context.scalar(1)});
        own = context.emit("Mul", {less, context.scalar(2)});
    }
    const std::string is_own = context.emit("Equal", {given, context.scalar(-1)});
    return context.emit("Where", {is_own, own, given});
}

}  // namespace

// An operator an axis. The spectrum of real numbers is halved along the last axis, which comes
// first, and last on the way back. The IR counts a negative axis without the axis of complex parts.
Names write_fourier(WriteContext& context) {
    const FourierFunction function = context.op<ops::Fourier>().function();
    const bool halves = function == FourierFunction::rdft;
    const bool doubles = function == FourierFunction::irdft;
    const bool inverse = doubles || function == FourierFunction::idft;
    Ints axes = context.known_ints(1, "the axes");
    const auto rank = static_cast<std::int64_t>(context.rank(0)) - (halves ? 0 : 1);
    const auto known = context.has_input(2) ? context.find_ints(2) : Ints(axes.size(), -1);
    const std::size_t last = axes.size() - 1;
    Names lengths;
    for (std::size_t i = 0; i <= last; ++i) {
        if (axes[i] < 0) axes[i] += rank;
        const bool is_half = doubles && i == last;
        lengths.push_back(!known              ? run_length(context, i, axes[i], is_half)
                          : (*known)[i] == -1 ? ""
                                              : context.scalar((*known)[i]));
    }
    std::string data = context.input(0);
    const auto transform = [&](std::size_t i, bool onesided) {
        data = context.emit("DFT", {data, lengths[i], context.scalar(axes[i])})
                   .with("inverse", inverse)
                   .with("onesided", onesided);
    };
    if (halves) data = context.unsqueeze(data, {rank});
    if (halves) transform(last, true);
    for (std::size_t i = 0; i < last; ++i) transform(i, false);
    if (!halves) transform(last, doubles);
    return {doubles ? context.squeeze(data, {rank}) : data};
}

// ONNX's window has the length of a frame: a shorter one is in the middle between zeros. Its
// signal has an axis of parts, and its frames come before the frequencies.
Names write_stft(WriteContext& context) {
    const ElementType type = context.type(0);
    const auto scalar = [&](std::size_t index) {
        return context.reshape(context.wide_input(index), {});
    };
    const std::string size = scalar(2);
    const bool has_batch = context.rank(0) == 2;
    std::string signal = context.unsqueeze(context.input(0), has_batch ? Ints{2} : Ints{0, 2});
    const std::string whole = context.reshape(size, {1});
    const std::string own = context.shape_of(context.input(1));
    const std::string missing = context.emit("Sub", {whole, own});
    const std::string before = context.emit("Div", {missing, context.ints({2})});
    const std::string behind = context.emit("Sub", {missing, before});
    const std::string window = context.emit(
        "Pad", {context.input(1), context.joined({before, behind}), context.number(type, 0)});
    std::string spectrum =
        context.emit("STFT", {signal, scalar(3), window, size}).with("onesided", true);
    if (!context.op<ops::Stft>().frames_first()) {
        spectrum = context.transpose(spectrum, {0, 2, 1, 3});
    }
    return {has_batch ? spectrum : context.squeeze(spectrum, {0})};
}

}  // namespace rondo::onnx
