// Concat: each input is copied to its place in the output.
#include "core/ops/movement/concat.hpp"

#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/movement/makers.hpp"

namespace rondo::cpu {
namespace {

class ConcatNode final : public CpuNode {
public:
    explicit ConcatNode(const Node& node) : CpuNode(node, kCopyKernel, "a copy for each input") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto& op = dynamic_cast<const ops::Concat&>(node());
        const TensorInfo& result = site.outputs[0];
        const std::size_t axis =
            normalize_axis(context_of(op, site), op.axis(), result.shape.size());
        const std::int64_t element = element_bytes(result.type);
        const Strides to = dense_strides(result.shape, element);
        std::vector<CopyPart> parts;
        std::int64_t offset = 0;
        for (std::size_t i = 0; i < site.inputs.size(); ++i) {
            const Shape& shape = site.inputs[i].shape;
            const CopyLayout layout{element, extents_of(shape), dense_strides(shape, element), to};
            if (element_count(shape) > 0) parts.push_back({i, 0, 0, offset, layout});
            offset += layout.extents[axis] * to[axis];
        }
        if (parts.size() == 1) {
            return std::make_unique<ViewCall>(std::vector<View>{{parts[0].input, 0}});
        }
        return make_copy_call(parts);
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_concat_node(const Node& node, const CompileContext&) {
    return std::make_unique<ConcatNode>(node);
}

}  // namespace rondo::cpu
