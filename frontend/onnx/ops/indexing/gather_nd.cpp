// Converts GatherND.
#include "core/ops/indexing/gather_nd.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/indexing/converters.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kBatchSince = 12;

}  // namespace

std::vector<Output> convert_gather_nd(NodeContext& context) {
    const bool has_batch = context.opset() >= kBatchSince;
    const std::int64_t batch =
        has_batch ? context.attributes().find_int("batch_dims").value_or(0) : 0;
    return {context.make<ops::GatherND>("", context.input(0), context.input(1), batch)};
}

}  // namespace rondo::onnx
