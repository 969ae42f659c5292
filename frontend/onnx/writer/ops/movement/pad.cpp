// Writes Pad; what ONNX's operator doesn't do is gathered along each axis.
#include "core/ops/movement/pad.hpp"

#include <algorithm>

#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/movement/writers.hpp"

namespace rondo::onnx {
namespace {

using ops::PadMode;

bool are_known_and_positive(const WriteContext& context) {
    for (const std::size_t input : {std::size_t{1}, std::size_t{2}}) {
        const auto pads = context.find_ints(input);
        if (!pads) return false;
        if (std::any_of(pads->begin(), pads->end(), [](auto pad) { return pad < 0; })) return false;
    }
    return true;
}

// Whether each mirrored pad is shorter than its axis: runtimes disagree about longer ones.
bool are_short(const WriteContext& context) {
    if (!context.shape(0).has_rank()) return false;
    for (const std::size_t input : {std::size_t{1}, std::size_t{2}}) {
        const Ints pads = *context.find_ints(input);
        for (std::size_t i = 0; i < pads.size(); ++i) {
            const Dimension& extent = context.shape(0)[i];
            if (pads[i] != 0 && (!extent.is_static() || pads[i] >= extent.length())) return false;
        }
    }
    return true;
}

// The places of the padded axis as elements of the data, [places]: from -begin to extent + end.
class AxisPlaces {
public:
    AxisPlaces(WriteContext& context, std::size_t axis) : context_(context) {
        const auto index = static_cast<std::int64_t>(axis);
        const auto scalar = [&](const std::string& vector) -> std::string {
            return context.emit("Gather", {vector, context.scalar(index)}).with_int("axis", 0);
        };
        extent_ = scalar(context.shape_of(context.input(0)));
        const std::string before = scalar(context.input_as(1, ElementType::i64));
        const std::string behind = scalar(context.input_as(2, ElementType::i64));
        places_ =
            context.emit("Range", {context.emit("Neg", {before}),
                                   context.emit("Add", {extent_, behind}), context.scalar(1)});
    }

    std::string of(PadMode mode) {
        const std::string last = minus_one(extent_);
        if (mode == PadMode::edge) {
            return context_.emit("Clip", {places_, context_.scalar(0), last});
        }
        // A mirrored axis repeats with twice its extent, less the two edges where they stand once.
        const bool edges = mode == PadMode::symmetric;
        const std::string steps = edges ? extent_ : last;
        const std::string twice = context_.emit("Add", {steps, steps});
        const std::string period = context_.emit("Max", {twice, context_.scalar(1)});
        const std::string place = context_.emit("Mod", {places_, period});
        const std::string mirrored =
            context_.emit("Sub", {edges ? minus_one(period) : period, place});
        const std::string inside = context_.emit("Less", {place, extent_});
        return context_.emit("Where", {inside, place, mirrored});
    }

private:
    std::string minus_one(const std::string& value) {
        return context_.emit("Sub", {value, context_.scalar(1)});
    }

    WriteContext& context_;
    std::string extent_;
    std::string places_;
};

bool is_kept(const WriteContext& context, std::size_t axis) {
    const auto before = context.find_ints(1);
    const auto behind = context.find_ints(2);
    return before && behind && (*before)[axis] == 0 && (*behind)[axis] == 0;
}

Names gathered(WriteContext& context, PadMode mode) {
    std::string data = context.input(0);
    for (std::size_t axis = 0; axis < context.rank(0); ++axis) {
        if (is_kept(context, axis)) continue;
        const std::string places = AxisPlaces(context, axis).of(mode);
        data = context.emit("Gather", {data, places})
                   .with_int("axis", static_cast<std::int64_t>(axis));
    }
    return {data == context.input(0) ? std::string(context.emit("Identity", {data})) : data};
}

}  // namespace

Names write_pad(WriteContext& context) {
    const PadMode mode = context.op<ops::Pad>().mode();
    if (mode == PadMode::symmetric) return gathered(context, mode);
    const bool plain = are_known_and_positive(context);
    if (mode == PadMode::edge && !plain) return gathered(context, mode);
    if (mode == PadMode::reflect && !(plain && are_short(context))) return gathered(context, mode);
    const std::string pads = context.joined({context.vector(1), context.vector(2)});
    Names inputs{context.input(0), pads};
    if (mode == PadMode::constant && context.has_input(3)) inputs.push_back(context.input(3));
    const char* name = mode == PadMode::edge      ? "edge"
                       : mode == PadMode::reflect ? "reflect"
                       : mode == PadMode::wrap    ? "wrap"
                                                  : "constant";
    return {context.emit("Pad", inputs).with_text("mode", name)};
}

}  // namespace rondo::onnx
