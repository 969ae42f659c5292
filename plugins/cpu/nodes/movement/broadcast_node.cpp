#include "core/ops/movement/broadcast.hpp"

#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/nodes.hpp"

namespace rondo::cpu {
namespace {

class BroadcastNode final : public CpuNode {
public:
    explicit BroadcastNode(const Node& node)
        : CpuNode(node, kCopyKernel, "repeating copy, or a view where nothing repeats") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto& op = dynamic_cast<const ops::Broadcast&>(node());
        const TensorInfo& data = site.inputs[0];
        const Shape& result = site.outputs[0].shape;
        const auto axes = ops::broadcast_axes(context_of(op, site), op.mode(), result.size());
        if (!axes) return make_reference_call(node(), site);
        const std::size_t element = size_of(data.type);
        const Strides strides = dense_strides(data.shape, element);
        CopyPart part;
        part.layout = {element, result, Strides(result.size()), dense_strides(result, element)};
        for (std::size_t i = 0; i < data.shape.size(); ++i) {
            if (data.shape[i] != 1) part.layout.from[(*axes)[i]] = strides[i];
        }
        return make_view_or_copy(part);
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_broadcast_node(const Node& node, const CompileContext&) {
    return std::make_unique<BroadcastNode>(node);
}

}  // namespace rondo::cpu
