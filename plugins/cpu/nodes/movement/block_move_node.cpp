// DepthToSpace and SpaceToDepth: a copy with the strides of the other side.
#include "core/ops/movement/block_move.hpp"

#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/movement/makers.hpp"

namespace rondo::cpu {
namespace {

Strides bytes_of(const std::vector<std::int64_t>& strides, std::int64_t element) {
    Strides bytes;
    for (const std::int64_t stride : strides) bytes.push_back(stride * element);
    return bytes;
}

class BlockMoveNode final : public CpuNode {
public:
    explicit BlockMoveNode(const ops::BlockMove& op)
        : CpuNode(op, kCopyKernel, "strided copy"),
          op_(op),
          is_to_space_(as_op<ops::DepthToSpace>(op) != nullptr) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const TensorInfo& space = is_to_space_ ? site.outputs[0] : site.inputs[0];
        if (element_count(space.shape) == 0) return make_zero_call(site.outputs[0]);
        const auto axes = ops::block_axes(space.shape, op_.block_size(), op_.mode());
        const std::int64_t element = element_bytes(space.type);
        CopyPart part;
        part.layout = {element, axes.extents,
                       bytes_of(is_to_space_ ? axes.depth : axes.space, element),
                       bytes_of(is_to_space_ ? axes.space : axes.depth, element)};
        return make_view_or_copy(part);
    }

private:
    const ops::BlockMove& op_;
    bool is_to_space_;
};

}  // namespace

std::unique_ptr<CpuNode> make_block_move_node(const Node& node, const CompileContext&) {
    return std::make_unique<BlockMoveNode>(dynamic_cast<const ops::BlockMove&>(node));
}

}  // namespace rondo::cpu
