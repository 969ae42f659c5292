// Converts DepthToSpace and SpaceToDepth.
#include "core/ops/movement/block_move.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kToSpaceModeSince = 11;
constexpr std::int64_t kToDepthModeSince = 28;

std::int64_t block_size_of(NodeContext& context) {
    const auto size = context.attributes().find_int("blocksize");
    if (!size) throw ModelError("attribute 'blocksize' is missing");
    return *size;
}

// DCR: the depth says the column and the row of a block first, then the channel; CRD: last.
ops::BlockMode block_mode_of(NodeContext& context, std::int64_t since) {
    if (context.opset() < since) return ops::BlockMode::blocks_first;
    const std::string mode = context.attributes().find_string("mode").value_or("DCR");
    if (mode == "DCR") return ops::BlockMode::blocks_first;
    if (mode == "CRD") return ops::BlockMode::depth_first;
    throw ModelError("attribute 'mode' is '" + mode + "'; expected DCR or CRD");
}

}  // namespace

std::vector<Output> convert_depth_to_space(NodeContext& context) {
    return {context.make<ops::DepthToSpace>("", context.input(0), block_size_of(context),
                                            block_mode_of(context, kToSpaceModeSince))};
}

std::vector<Output> convert_space_to_depth(NodeContext& context) {
    return {context.make<ops::SpaceToDepth>("", context.input(0), block_size_of(context),
                                            block_mode_of(context, kToDepthModeSince))};
}

}  // namespace rondo::onnx
