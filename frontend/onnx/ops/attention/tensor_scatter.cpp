// Converts TensorScatter: rows are written into a cache at a place of each batch.
#include "core/graph/infer_context.hpp"
#include "core/ops/indexing/scatters.hpp"
#include "frontend/onnx/ops/attention/converters.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

bool is_circular(NodeContext& context) {
    const std::string mode = context.attributes().find_string("mode").value_or("linear");
    if (mode == "linear" || mode == "circular") return mode == "circular";
    throw ModelError("attribute 'mode' is '" + mode + "'; expected 'linear' or 'circular'");
}

std::size_t axis_of(NodeContext& context, const Output& cache) {
    if (!cache.shape().has_rank()) throw UnsupportedError("the rank of past_cache isn't known");
    const std::int64_t given = context.attributes().find_int("axis").value_or(-2);
    const InferContext place(context.name(), "TensorScatter", {});
    const std::size_t axis = normalize_axis(place, given, cache.shape().rank());
    if (axis > 0) return axis;
    throw ModelError("attribute 'axis' names axis 0, the batch; expected another one");
}

}  // namespace

// The places on the axis where each element of the update goes.
std::vector<Output> convert_tensor_scatter(NodeContext& context) {
    const Output cache = context.input(0), update = context.input(1);
    const bool circular = is_circular(context);
    const std::size_t axis = axis_of(context, cache), rank = cache.shape().rank();
    NodeContext::check_shape(update, PartialShape::of_rank(rank), "update");
    Composer by(context);
    Composer::Ints along(rank - axis, 1), batch(rank, 1);
    along[0] = batch[0] = -1;
    const auto at = static_cast<std::int64_t>(axis);
    Output places = by.reshape(by.range(by.extent(update, at)), along);
    if (const Output first = context.optional_input(2)) {
        places = by.add(by.reshape(first, batch), places);
    }
    if (circular) {
        places = by.apply(ops::BinaryFunction::floor_mod, places, by.extent(cache, at));
    }
    const Output indices = by.broadcast(places, make_shape_of(context, by.role(), update));
    std::vector<Output> inputs{cache, indices, update, by.integer(at)};
    return {context.make<ops::ScatterElementsUpdate>("", std::move(inputs),
                                                     ops::ScatterReduction::none)};
}

}  // namespace rondo::onnx
