// Converts Expand.
#include "core/ops/movement/broadcast.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"

namespace rondo::onnx {

// The shape's extents may be 1 where the data's aren't.
std::vector<Output> convert_expand(NodeContext& context) {
    return {context.make<ops::Broadcast>("", context.input(0), context.input(1),
                                         ops::BroadcastMode::bidirectional)};
}

}  // namespace rondo::onnx
