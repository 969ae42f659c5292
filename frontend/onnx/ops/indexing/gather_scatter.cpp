// Converts the operators that take or write elements and slices by their places.
#include "core/ops/indexing/gathers.hpp"
#include "core/ops/indexing/scatters.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/indexing/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

std::vector<Output> convert_gather_elements(NodeContext& context) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(0);
    return {context.make<ops::GatherElements>("", context.input(0), context.input(1), axis)};
}

namespace {

constexpr std::int64_t kBatchSince = 12;

}  // namespace

std::vector<Output> convert_gather_nd(NodeContext& context) {
    const bool has_batch = context.opset() >= kBatchSince;
    const std::int64_t batch =
        has_batch ? context.attributes().find_int("batch_dims").value_or(0) : 0;
    return {context.make<ops::GatherND>("", context.input(0), context.input(1), batch)};
}

namespace {

using ops::ScatterReduction;

struct Reduction {
    const char* name;
    std::int64_t since;
    ScatterReduction reduction;
};

constexpr Reduction kReductions[] = {
    {"none", 16, ScatterReduction::none}, {"add", 16, ScatterReduction::sum},
    {"mul", 16, ScatterReduction::prod},  {"max", 18, ScatterReduction::max},
    {"min", 18, ScatterReduction::min},
};
constexpr std::int64_t kReductionSince = 16;

ScatterReduction reduction_of(NodeContext& context) {
    if (context.opset() < kReductionSince) return ScatterReduction::none;
    const std::string name = context.attributes().find_string("reduction").value_or("none");
    for (const Reduction& known : kReductions) {
        if (known.name == name && known.since <= context.opset()) return known.reduction;
    }
    throw ModelError("attribute 'reduction' is '" + name +
                     "'; expected none, add, mul or, since opset 18, max or min");
}

}  // namespace

std::vector<Output> convert_scatter_elements(NodeContext& context) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(0);
    const ScatterReduction reduction = reduction_of(context);
    std::vector<Output> inputs{context.input(0), context.input(1), context.input(2),
                               make_int_scalar(context, "axis", axis)};
    return {context.make<ops::ScatterElementsUpdate>("", std::move(inputs), reduction)};
}

std::vector<Output> convert_scatter_nd(NodeContext& context) {
    const ScatterReduction reduction = reduction_of(context);
    std::vector<Output> inputs{context.input(0), context.input(1), context.input(2)};
    return {context.make<ops::ScatterNDUpdate>("", std::move(inputs), reduction)};
}

}  // namespace rondo::onnx
