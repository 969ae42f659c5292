#include "core/ops/movement/transpose.hpp"

#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/nodes.hpp"

namespace rondo::cpu {
namespace {

class TransposeNode final : public CpuNode {
public:
    explicit TransposeNode(const Node& node)
        : CpuNode(node, kCopyKernel, "tiled copy, or a view where only axes of extent 1 move") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const InferContext context = context_of(node(), site);
        const auto order = context.ints(1);
        if (!order) return make_reference_call(node(), site);
        const TensorInfo& data = site.inputs[0];
        const std::size_t element = size_of(data.type);
        const Strides strides = dense_strides(data.shape, element);
        CopyPart part;
        part.layout = {
            element, site.outputs[0].shape, {}, dense_strides(site.outputs[0].shape, element)};
        for (const std::size_t axis : ops::transpose_order(context, *order, data.shape.size())) {
            part.layout.from.push_back(strides[axis]);
        }
        return make_view_or_copy(part);
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_transpose_node(const Node& node, const CompileContext&) {
    return std::make_unique<TransposeNode>(node);
}

}  // namespace rondo::cpu
