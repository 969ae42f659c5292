// Converts Split.
#include "core/ops/movement/movement_ops.hpp"

#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

std::vector<Output> split_by(NodeContext& by, const Output& given, std::int64_t axis) {
    // Lengths whose number isn't declared: one an output, which a Reshape checks when it runs.
    const PartialShape& shape = given.shape();
    const bool is_counted = shape.has_rank() && shape.is_static();
    const auto count = static_cast<std::int64_t>(by.output_count());
    const Output lengths = is_counted ? given : by.reshape_to(given, Ints{count});
    const auto parts = by.make_all<ops::VariadicSplit>(by.input(0), by.integer(axis), lengths);
    if (parts.size() == by.output_count()) return parts;
    throw ModelError("split has " + std::to_string(parts.size()) + " entries; expected " +
                     std::to_string(count) + ", one an output");
}

std::vector<Output> split_evenly(NodeContext& by, std::int64_t axis) {
    return by.split(by.input(0), axis, static_cast<std::int64_t>(by.output_count()));
}

// Chunks of a known extent, as constants.
Output known_chunks(NodeContext& by, std::int64_t extent, std::int64_t parts) {
    const std::int64_t chunk = extent / parts + (extent % parts == 0 ? 0 : 1);
    const std::int64_t rest = extent - (parts - 1) * chunk;
    if (rest < 0) {
        throw ModelError("an extent of " + std::to_string(extent) + " can't be split into " +
                         std::to_string(parts) + " chunks of " + std::to_string(chunk));
    }
    Ints lengths(static_cast<std::size_t>(parts), chunk);
    lengths.back() = rest;
    return by.ints(lengths);
}

// Equal chunks, of which the last may be smaller.
std::vector<Output> split_into_chunks(NodeContext& by, std::int64_t axis, std::int64_t parts) {
    const PartialShape& shape = by.input(0).shape();
    const Dimension extent = shape.has_rank() ? shape[by.normal_axis(axis, shape)] : Dimension();
    if (extent.is_static()) return split_by(by, known_chunks(by, extent.length(), parts), axis);
    if (parts == 1) return split_evenly(by, axis);
    const Output more = by.add(by.run_extent(by.input(0), axis), by.ints({parts - 1}));
    std::vector<Output> lengths(static_cast<std::size_t>(parts - 1),
                                by.divide(more, by.ints({parts})));
    lengths.push_back(by.ints({-1}));
    return split_by(by, by.concat(lengths, 0), axis);
}

std::int64_t num_outputs(NodeContext& by) {
    const std::int64_t parts = by.attribute("num_outputs", 0);
    if (parts >= 1 && static_cast<std::size_t>(parts) == by.output_count()) return parts;
    throw ModelError("num_outputs is " + std::to_string(parts) + "; expected " +
                     std::to_string(by.output_count()) + ", one an output");
}

}  // namespace

std::vector<Output> convert_split_2(NodeContext& by) {
    const std::int64_t axis = by.attribute("axis", 0);
    const auto lengths = by.attributes().find_ints("split");
    return lengths ? split_by(by, by.ints(*lengths), axis) : split_evenly(by, axis);
}

// The lengths may be an input of the data's type.
std::vector<Output> convert_split_1(NodeContext& by) {
    const Output lengths = by.optional_input(1);
    if (!lengths) return convert_split_2(by);
    if (by.attributes().has("split")) throw ModelError("split is given twice");
    return split_by(by, by.convert(lengths, ElementType::i64), by.attribute("axis", 0));
}

std::vector<Output> convert_split_13(NodeContext& by) {
    constexpr std::int64_t kNumOutputsSince = 18;
    const std::int64_t axis = by.attribute("axis", 0);
    const bool has_number = by.opset() >= kNumOutputsSince && by.attributes().has("num_outputs");
    const Output lengths = by.optional_input(1);
    if (lengths && has_number) throw ModelError("both split and num_outputs are given");
    if (lengths) return split_by(by, lengths, axis);
    return has_number ? split_into_chunks(by, axis, num_outputs(by)) : split_evenly(by, axis);
}

}  // namespace rondo::onnx
