// Writes Slice; StridedSlice as Slice, Gather and Unsqueeze; and Pad: what ONNX's operator doesn't
// do is gathered along each axis.
#include <algorithm>
#include <limits>

#include "core/ops/movement/movement_ops.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

bool flag_at(const Ints& mask, std::size_t i) { return i < mask.size() && mask[i] != 0; }

std::size_t bound_count(const WriteContext& context) {
    for (std::size_t input = 1; context.has_input(input); ++input) {
        if (const auto count = context.length(input)) return *count;
    }
    throw UnsupportedError("the number of its bounds isn't known");
}

// Element i of an input, as a scalar or a vector.
std::string bound_at(WriteContext& context, std::size_t input, std::size_t i, bool scalar) {
    const auto number = [&](std::int64_t value) {
        return scalar ? context.scalar(value) : context.ints({value});
    };
    if (const auto known = context.find_ints(input)) return number((*known)[i]);
    const std::string vector = context.wide_input(input);
    return context.gather(vector, number(static_cast<std::int64_t>(i)));
}

using ops::PadMode;

// Whether ONNX's operator has the pads: known ones, not below 0, and mirrored ones shorter than
// their axes, since runtimes disagree about longer ones.
bool are_plain(const WriteContext& context, bool mirrored) {
    if (mirrored && !context.shape(0).has_rank()) return false;
    for (const std::size_t input : {std::size_t{1}, std::size_t{2}}) {
        const auto pads = context.find_ints(input);
        if (!pads) return false;
        for (std::size_t i = 0; i < pads->size(); ++i) {
            const std::int64_t pad = (*pads)[i];
            if (pad < 0) return false;
            if (!mirrored || pad == 0) continue;
            const Dimension& extent = context.shape(0)[i];
            if (!extent.is_static() || pad >= extent.length()) return false;
        }
    }
    return true;
}

// The places of the padded axis as elements of the data, [places]: from -begin to extent + end.
std::string padded_places(WriteContext& context, std::int64_t axis, PadMode mode) {
    const auto at_axis = [&](const std::string& vector) {
        return context.gather(vector, context.scalar(axis));
    };
    const auto minus_one = [&](const std::string& value) -> std::string {
        return context.emit("Sub", {value, context.scalar(1)});
    };
    const std::string extent = at_axis(context.shape_of(context.input(0)));
    const std::string before = at_axis(context.wide_input(1));
    const std::string behind = at_axis(context.wide_input(2));
    const std::string places = context.emit(
        "Range",
        {context.emit("Neg", {before}), context.emit("Add", {extent, behind}), context.scalar(1)});
    const std::string last = minus_one(extent);
    if (mode == PadMode::edge) return context.emit("Clip", {places, context.scalar(0), last});
    // A mirrored axis repeats with twice its extent, less the two edges if they are once.
    const bool edges = mode == PadMode::symmetric;
    const std::string steps = edges ? extent : last;
    const std::string twice = context.emit("Add", {steps, steps});
    const std::string period = context.emit("Max", {twice, context.scalar(1)});
    const std::string place = context.emit("Mod", {places, period});
    const std::string mirrored = context.emit("Sub", {edges ? minus_one(period) : period, place});
    const std::string inside = context.emit("Less", {place, extent});
    return context.emit("Where", {inside, place, mirrored});
}

std::string gathered_pads(WriteContext& context, PadMode mode) {
    const auto are_zero = [&](std::size_t input, std::size_t axis) {
        const auto pads = context.find_ints(input);
        return pads && (*pads)[axis] == 0;
    };
    const std::string whole = context.input(0);
    std::string data = whole;
    for (std::size_t i = 0; i < context.rank(0); ++i) {
        if (are_zero(1, i) && are_zero(2, i)) continue;
        const auto axis = static_cast<std::int64_t>(i);
        data = context.gather(data, padded_places(context, axis, mode), axis);
    }
    return data == whole ? context.emit("Identity", {data}) : data;
}

}  // namespace

// The IR's inputs are data, start, stop, step and axes; ONNX's axes come before the steps.
Names write_slice(WriteContext& context) {
    const std::string axes = context.has_input(4) ? context.wide_input(4) : "";
    return context.emit("Slice", {context.input(0), context.wide_input(1), context.wide_input(2),
                                  axes, context.wide_input(3)});
}

// The elements of begin, end and strides say what happens to data's axes, in turn.
Names write_strided_slice(WriteContext& context) {
    const ops::StridedSliceMasks& masks = context.op<ops::StridedSlice>().masks();
    const std::size_t count = bound_count(context);
    const Ints strides =
        context.has_input(3) ? context.known_ints(3, "the strides") : Ints(count, 1);
    std::size_t taken = 0;  // axes that elements name
    for (std::size_t i = 0; i < count; ++i) {
        if (!flag_at(masks.ellipsis, i) && !flag_at(masks.new_axis, i)) ++taken;
    }
    Ints axes, steps;     // that are cut
    Names starts, stops;  // vectors of one element
    Ints shrunk;          // axes that are removed
    Names places;         // of the elements that stay of these: scalars
    Ints added;           // axes of the output
    std::int64_t axis = 0;
    std::int64_t output_axis = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const bool from_edge = flag_at(masks.begin, i);
        const bool to_edge = flag_at(masks.end, i);
        if (flag_at(masks.ellipsis, i)) {
            const auto skipped = static_cast<std::int64_t>(context.rank(0) - taken);
            axis += skipped;
            output_axis += skipped;
        } else if (flag_at(masks.new_axis, i)) {
            added.push_back(output_axis++);
        } else if (flag_at(masks.shrink_axis, i)) {
            shrunk.push_back(axis++);
            places.push_back(from_edge ? context.scalar(0) : bound_at(context, 1, i, true));
        } else {
            const bool down = strides[i] < 0;
            if (!from_edge || !to_edge || strides[i] != 1) {
                axes.push_back(axis);
                steps.push_back(strides[i]);
                starts.push_back(from_edge ? context.ints({down ? kLast : 0})
                                           : bound_at(context, 1, i, false));
                stops.push_back(to_edge ? context.ints({down ? kFirst : kLast})
                                        : bound_at(context, 2, i, false));
            }
            ++axis;
            ++output_axis;
        }
    }
    std::string data = context.input(0);
    if (!axes.empty()) {
        data = context.emit("Slice", {data, context.joined(starts), context.joined(stops),
                                      context.ints(axes), context.ints(steps)});
    }
    for (std::size_t i = shrunk.size(); i-- > 0;) {
        data = context.gather(data, places[i], shrunk[i]);
    }
    if (!added.empty()) return {context.unsqueeze(data, added)};
    return {data == context.input(0) ? context.emit("Identity", {data}) : data};
}

Names write_pad(WriteContext& context) {
    const PadMode mode = context.op<ops::Pad>().mode();
    const bool mirrors = mode == PadMode::reflect;
    const bool takes_all = mode == PadMode::constant || mode == PadMode::wrap;
    if (mode == PadMode::symmetric || (!takes_all && !are_plain(context, mirrors))) {
        return {gathered_pads(context, mode)};
    }
    const std::string pads = context.joined({context.vector(1), context.vector(2)});
    Names inputs{context.input(0), pads};
    if (mode == PadMode::constant && context.has_input(3)) inputs.push_back(context.input(3));
    return context.emit("Pad", inputs).with("mode", mode, ops::kPadModes);
}

}  // namespace rondo::onnx
