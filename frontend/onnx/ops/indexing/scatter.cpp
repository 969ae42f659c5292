// Converts Scatter, ScatterElements and ScatterND.
#include "core/ops/indexing/scatter_elements_update.hpp"
#include "core/ops/indexing/scatter_nd_update.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/indexing/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
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
