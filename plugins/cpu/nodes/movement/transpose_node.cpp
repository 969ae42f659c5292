// Transpose: a copy with the strides in another order.
#include "core/ops/movement/transpose.hpp"

#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/movement/makers.hpp"

namespace rondo::cpu {
namespace {

class TransposeNode final : public CopyNode {
public:
    explicit TransposeNode(const Node& node)
        : CopyNode(node, "tiled copy", "where only axes of extent 1 move") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const InferContext context = context_of(node(), site);
        const TensorInfo& data = site.inputs[0];
        // An order that isn't known leaves the shape open, except that of a scalar: it has none.
        const auto order = ops::transpose_order(
            context, context.ints(1).value_or(std::vector<std::int64_t>(count_of_order(site))),
            data.shape.size());
        const std::int64_t element = element_bytes(data.type);
        const Shape& result = site.outputs[0].shape;
        const Strides strides = dense_strides(data.shape, element);
        CopyPart part;
        part.layout = {element, extents_of(result), {}, dense_strides(result, element)};
        for (const std::size_t axis : order) part.layout.from.push_back(strides[axis]);
        return make_view_or_copy(part);
    }

private:
    static std::size_t count_of_order(const CallSite& site) {
        return element_count(site.inputs[1].shape);
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_transpose_node(const Node& node, const CompileContext&) {
    return std::make_unique<TransposeNode>(node);
}

}  // namespace rondo::cpu
