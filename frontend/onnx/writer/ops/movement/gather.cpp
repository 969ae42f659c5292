// Writes Gather; one of batches becomes GatherND.
#include "core/ops/movement/gather.hpp"

#include <algorithm>

#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/movement/writers.hpp"

namespace rondo::onnx {
namespace {

ElementType index_type(ElementType type) {
    return type == ElementType::i32 ? type : ElementType::i64;
}

// The axis goes behind the batch, and the places that GatherND puts there go back to it: data
// [B.., D.., A, E..] gives [B.., J.., D.., E..] and then [B.., D.., J.., E..].
std::string batched(WriteContext& context, std::size_t batch, std::size_t axis) {
    const std::size_t rank = context.rank(0);
    const std::size_t places = context.rank(1) - batch;
    Ints order = counted_ints(rank);
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(axis));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(batch),
                 static_cast<std::int64_t>(axis));
    const std::string data = context.transpose(context.input(0), order);
    const std::string indices = context.unsqueeze(context.input_as(1, ElementType::i64), {-1});
    const std::string gathered = context.emit("GatherND", {data, indices})
                                     .with_int("batch_dims", static_cast<std::int64_t>(batch));
    // The result's axes are those of the batch, the places, those before A, those behind it.
    Ints back = counted_ints(rank - 1 + places);
    const auto begin = back.begin() + static_cast<std::ptrdiff_t>(batch);
    const auto middle = begin + static_cast<std::ptrdiff_t>(places);
    std::rotate(begin, middle, middle + static_cast<std::ptrdiff_t>(axis - batch));
    return context.transpose(gathered, back);
}

}  // namespace

Names write_gather(WriteContext& context) {
    std::int64_t batch = context.op<ops::Gather>().batch_dims();
    const std::int64_t axis = context.known_ints(2, "the axis").at(0);
    if (batch < 0) batch += static_cast<std::int64_t>(context.rank(1));
    if (batch > 0) {
        return {batched(context, static_cast<std::size_t>(batch),
                        context.known_axis(2, context.rank(0)))};
    }
    return {
        context.emit("Gather", {context.input(0), context.input_as(1, index_type(context.type(1)))})
            .with_int("axis", axis)};
}

}  // namespace rondo::onnx
