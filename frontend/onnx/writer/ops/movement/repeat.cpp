// Writes Broadcast and Tile.
#include <algorithm>

#include "core/ops/movement/broadcast.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/movement/writers.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

std::size_t vector_length(const WriteContext& context, std::size_t input, const char* what) {
    const PartialShape& shape = context.shape(input);
    if (shape.has_rank() && shape.rank() == 1 && shape[0].is_static()) {
        return static_cast<std::size_t>(shape[0].length());
    }
    throw UnsupportedError(std::string("the number of ") + what + " isn't known");
}

// Data with an axis of extent 1 at each place of the target that axes_mapping doesn't name.
std::string with_mapped_axes(WriteContext& context) {
    const Ints mapping = context.known_ints(2, "the axes that data's become");
    const std::size_t rank = vector_length(context, 1, "the target's extents");
    Ints added;
    for (const std::int64_t axis : counted_ints(rank)) {
        if (std::find(mapping.begin(), mapping.end(), axis) == mapping.end()) added.push_back(axis);
    }
    return context.unsqueeze(context.input(0), added);
}

}  // namespace

// Expand takes what fits either way.
Names write_broadcast(WriteContext& context) {
    const bool mapped = context.op<ops::Broadcast>().mode() == ops::BroadcastMode::explicit_axes;
    const std::string data = mapped ? with_mapped_axes(context) : context.input(0);
    return {context.emit("Expand", {data, context.vector(1)})};
}

// ONNX wants a number for each axis.
Names write_tile(WriteContext& context) {
    const std::size_t rank = context.rank(0);
    const std::size_t count = vector_length(context, 1, "repeats");
    std::string data = context.input(0);
    if (count > rank) data = context.unsqueeze(data, counted_ints(count - rank));
    std::string repeats = context.vector(1);
    if (count < rank) repeats = context.joined({context.ints(Ints(rank - count, 1)), repeats});
    return {context.emit("Tile", {data, repeats})};
}

}  // namespace rondo::onnx
