// Converts Split.
#include "core/ops/movement/split.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/reshape.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kNumOutputsSince = 18;

// Lengths whose number isn't declared: one an output, which a Reshape checks when it runs.
Output counted(NodeContext& context, const Output& lengths) {
    const PartialShape& shape = lengths.shape();
    if (shape.has_rank() && shape.is_static()) return lengths;
    const auto count = static_cast<std::int64_t>(context.output_count());
    return context.make<ops::Reshape>("counted", lengths, make_ints(context, "count", {count}),
                                      false);
}

std::vector<Output> split_by(NodeContext& context, const Output& given, std::int64_t axis) {
    const Output lengths = counted(context, given);
    const auto node = context.make<ops::VariadicSplit>(
        "", context.input(0), make_int_scalar(context, "axis", axis), lengths);
    const auto parts = outputs_of(node);
    if (parts.size() != context.output_count()) {
        throw ModelError("split has " + std::to_string(parts.size()) + " entries; expected " +
                         std::to_string(context.output_count()) + ", one an output");
    }
    return parts;
}

std::vector<Output> split_evenly(NodeContext& context, std::int64_t axis) {
    const auto parts = static_cast<std::int64_t>(context.output_count());
    return make_split(context, "", context.input(0), axis, parts);
}

// ceil(extent / parts), as i64 [1], for an extent that is open until run time.
Output chunk_length(NodeContext& context, std::int64_t axis, std::int64_t parts) {
    const Output shape = make_shape_of(context, "shape", context.input(0));
    const Output extent = make_element(context, "extent", shape, axis);
    const Output more =
        context.make<ops::Binary>("rounded_up", ops::BinaryFunction::add, extent,
                                  make_ints(context, "parts_less_one", {parts - 1}));
    return context.make<ops::Binary>("chunk", ops::BinaryFunction::divide, more,
                                     make_ints(context, "parts", {parts}));
}

// Chunks of a known extent, as constants.
Output chunks_of(NodeContext& context, std::int64_t extent, std::int64_t parts) {
    const std::int64_t chunk = extent / parts + (extent % parts == 0 ? 0 : 1);
    const std::int64_t rest = extent - (parts - 1) * chunk;
    if (rest < 0) {
        throw ModelError("an extent of " + std::to_string(extent) + " can't be split into " +
                         std::to_string(parts) + " chunks of " + std::to_string(chunk));
    }
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(parts), chunk);
    lengths.back() = rest;
    return make_ints(context, "lengths", lengths);
}

// Equal chunks, of which the last may be smaller.
std::vector<Output> split_into_chunks(NodeContext& context, std::int64_t axis, std::int64_t parts) {
    const PartialShape& shape = context.input(0).shape();
    Dimension extent;
    if (shape.has_rank()) {
        const InferContext place(context.name(), "Split", {});
        extent = shape[normalize_axis(place, axis, shape.rank())];
    }
    if (extent.is_static()) {
        return split_by(context, chunks_of(context, extent.length(), parts), axis);
    }
    if (parts == 1) return split_evenly(context, axis);
    const Output chunk = chunk_length(context, axis, parts);
    std::vector<Output> lengths(static_cast<std::size_t>(parts - 1), chunk);
    lengths.push_back(make_ints(context, "rest", {-1}));
    return split_by(context, make_concat(context, "lengths", std::move(lengths), 0), axis);
}

std::int64_t num_outputs(NodeContext& context) {
    const std::int64_t parts = context.attributes().find_int("num_outputs").value_or(0);
    if (parts >= 1 && static_cast<std::size_t>(parts) == context.output_count()) return parts;
    throw ModelError("num_outputs is " + std::to_string(parts) + "; expected " +
                     std::to_string(context.output_count()) + ", one an output");
}

}  // namespace

std::vector<Output> convert_split_2(NodeContext& context) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(0);
    const auto lengths = context.attributes().find_ints("split");
    if (!lengths) return split_evenly(context, axis);
    return split_by(context, make_ints(context, "split", *lengths), axis);
}

// The lengths may be an input of the data's type.
std::vector<Output> convert_split_1(NodeContext& context) {
    const Output lengths = context.optional_input(1);
    if (!lengths) return convert_split_2(context);
    if (context.attributes().has("split")) throw ModelError("split is given twice");
    const std::int64_t axis = context.attributes().find_int("axis").value_or(0);
    return split_by(context, context.make<ops::Convert>("split", lengths, ElementType::i64), axis);
}

std::vector<Output> convert_split_13(NodeContext& context) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(0);
    const bool counted =
        context.opset() >= kNumOutputsSince && context.attributes().has("num_outputs");
    const Output lengths = context.optional_input(1);
    if (lengths && counted) throw ModelError("both split and num_outputs are given");
    if (lengths) return split_by(context, lengths, axis);
    return counted ? split_into_chunks(context, axis, num_outputs(context))
                   : split_evenly(context, axis);
}

}  // namespace rondo::onnx
