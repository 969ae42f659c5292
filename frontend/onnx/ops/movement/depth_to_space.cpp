// Converts DepthToSpace and SpaceToDepth.
#include "core/ops/movement/depth_to_space.hpp"

#include "core/ops/movement/space_to_depth.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kModeSince = 11;

std::int64_t block_size_of(NodeContext& context) {
    const auto size = context.attributes().find_int("blocksize");
    if (!size) throw ModelError("attribute 'blocksize' is missing");
    return *size;
}

std::vector<Output> convert_depth_to_space(NodeContext& context) {
    const std::string mode = context.opset() < kModeSince
                                 ? "DCR"
                                 : context.attributes().find_string("mode").value_or("DCR");
    if (mode != "DCR" && mode != "CRD") {
        throw ModelError("attribute 'mode' is '" + mode + "'; expected DCR or CRD");
    }
    return {context.make<ops::DepthToSpace>(
        "", context.input(0), block_size_of(context),
        mode == "DCR" ? ops::BlockMode::blocks_first : ops::BlockMode::depth_first)};
}

std::vector<Output> convert_space_to_depth(NodeContext& context) {
    return {context.make<ops::SpaceToDepth>("", context.input(0), block_size_of(context),
                                            ops::BlockMode::blocks_first)};
}

constexpr OpEntry kEntries[] = {
    {"", "DepthToSpace", 1, convert_depth_to_space},
    {"", "SpaceToDepth", 1, convert_space_to_depth},
};

}  // namespace

std::span<const OpEntry> depth_to_space_converters() { return kEntries; }

}  // namespace rondo::onnx
