// Writes Split and VariadicSplit.
#include "core/ops/movement/split.hpp"

#include <algorithm>
#include <numeric>

#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/movement/writers.hpp"

namespace rondo::onnx {
namespace {

// ONNX takes a negative axis too.
std::int64_t axis_of(const WriteContext& context) {
    return context.known_ints(1, "the axis").at(0);
}

// ONNX has no -1 for what is left.
std::string lengths_of(WriteContext& context, std::int64_t axis) {
    auto lengths = context.find_ints(2);
    const bool open = !lengths || std::count(lengths->begin(), lengths->end(), -1) > 0;
    if (!open) return context.ints(*lengths);
    const std::size_t rank = context.rank(0);
    const auto place =
        static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
    const Dimension& extent = context.shape(0)[place];
    if (lengths && extent.is_static()) {
        // The sum counts the -1 too.
        const std::int64_t known =
            std::accumulate(lengths->begin(), lengths->end(), std::int64_t{1});
        std::replace(lengths->begin(), lengths->end(), std::int64_t{-1}, extent.length() - known);
        return context.ints(*lengths);
    }
    const std::string given = context.input_as(2, ElementType::i64);
    const std::string whole = context.elements(context.shape_of(context.input(0)), {axis});
    const std::string sum = context.emit("ReduceSum", {given});
    const std::string known = context.emit("Add", {context.reshape(sum, {1}), context.ints({1})});
    const std::string rest = context.emit("Sub", {whole, known});
    const std::string is_rest = context.emit("Less", {given, context.ints({0})});
    return context.emit("Where", {is_rest, rest, given});
}

}  // namespace

Names write_split(WriteContext& context) {
    const auto parts = context.op<ops::Split>().num_splits();
    return context.emit("Split", {context.input(0)}, static_cast<std::size_t>(parts))
        .with_int("axis", axis_of(context))
        .with_int("num_outputs", parts)
        .outputs();
}

Names write_variadic_split(WriteContext& context) {
    const std::int64_t axis = axis_of(context);
    return context
        .emit("Split", {context.input(0), lengths_of(context, axis)}, context.node().output_count())
        .with_int("axis", axis)
        .outputs();
}

}  // namespace rondo::onnx
