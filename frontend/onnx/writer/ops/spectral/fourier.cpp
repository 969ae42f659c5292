// Writes Fourier transforms as DFT, an axis each, and STFT.
#include "core/ops/spectral/fourier.hpp"

#include "core/ops/spectral/stft.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/spectral/writers.hpp"

namespace rondo::onnx {
namespace {

using ops::FourierFunction;

struct Form {
    bool inverse = false;
    bool onesided = false;
};

// One transform of data [..., parts]. The IR counts a negative axis without the axis of parts.
class Transform {
public:
    explicit Transform(WriteContext& context)
        : context_(context),
          axes_(context.known_ints(1, "the axes")),
          rank_(static_cast<std::int64_t>(context.rank(0)) -
                (takes_complex(context.op<ops::Fourier>().function()) ? 1 : 0)) {
        for (auto& axis : axes_) axis += axis < 0 ? rank_ : 0;
        if (!context.has_input(2)) return;
        if (const auto known = context.find_ints(2)) {
            for (const auto length : *known) {
                lengths_.push_back(length == -1 ? "" : context.scalar(length));
            }
        } else {
            for (const auto i : counted_ints(axes_.size())) lengths_.push_back(run_length(i));
        }
    }

    std::size_t count() const { return axes_.size(); }
    std::int64_t rank() const { return rank_; }

    std::string write(const std::string& data, std::size_t i, Form form) {
        return context_
            .emit("DFT", {data, lengths_.empty() ? "" : lengths_[i], context_.scalar(axes_[i])})
            .with_int("inverse", form.inverse ? 1 : 0)
            .with_int("onesided", form.onesided ? 1 : 0);
    }

private:
    // -1 stands for the extent itself, or for that of the real numbers whose half spectrum it is.
    std::string run_length(std::int64_t i) {
        const auto scalar = [&](const std::string& vector, std::int64_t place) -> std::string {
            return context_.emit("Gather", {vector, context_.scalar(place)}).with_int("axis", 0);
        };
        const std::string given = scalar(context_.input_as(2, ElementType::i64), i);
        std::string own =
            scalar(context_.shape_of(context_.input(0)), axes_[static_cast<std::size_t>(i)]);
        const bool is_last = static_cast<std::size_t>(i) + 1 == axes_.size();
        if (is_last && context_.op<ops::Fourier>().function() == FourierFunction::irdft) {
            const std::string less = context_.emit("Sub", {own, context_.scalar(1)});
            own = context_.emit("Mul", {less, context_.scalar(2)});
        }
        const std::string is_own = context_.emit("Equal", {given, context_.scalar(-1)});
        return context_.emit("Where", {is_own, own, given});
    }

    WriteContext& context_;
    Ints axes_;
    std::int64_t rank_;
    Names lengths_;
};

}  // namespace

// The spectrum of real numbers is halved along the last axis, which comes first, and last on the
// way back.
Names write_fourier(WriteContext& context) {
    Transform transform(context);
    const std::size_t last = transform.count() - 1;
    std::string data = context.input(0);
    switch (context.op<ops::Fourier>().function()) {
        case FourierFunction::dft:
        case FourierFunction::idft: {
            const bool inverse = context.op<ops::Fourier>().function() == FourierFunction::idft;
            for (std::size_t i = 0; i <= last; ++i) {
                data = transform.write(data, i, {.inverse = inverse});
            }
            return {data};
        }
        case FourierFunction::rdft:
            data = transform.write(context.unsqueeze(data, {transform.rank()}), last,
                                   {.onesided = true});
            for (std::size_t i = 0; i < last; ++i) data = transform.write(data, i, {});
            return {data};
        case FourierFunction::irdft: break;
    }
    for (std::size_t i = 0; i < last; ++i) data = transform.write(data, i, {.inverse = true});
    return {context.squeeze(transform.write(data, last, {.inverse = true, .onesided = true}),
                            {transform.rank()})};
}

// ONNX's window has the length of a frame: a shorter one stands in the middle between zeros. Its
// signal has an axis of parts, and its frames come before the frequencies.
Names write_stft(WriteContext& context) {
    const ElementType type = context.type(0);
    const auto scalar = [&](std::size_t index) {
        return context.reshape(context.input_as(index, ElementType::i64), {});
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
        context.emit("STFT", {signal, scalar(3), window, size}).with_int("onesided", 1);
    if (!context.op<ops::Stft>().frames_first()) {
        spectrum = context.transpose(spectrum, {0, 2, 1, 3});
    }
    return {has_batch ? spectrum : context.squeeze(spectrum, {0})};
}

}  // namespace rondo::onnx
