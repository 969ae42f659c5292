#include "core/ops/common/extents.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/nodes.hpp"

namespace rondo::cpu {
namespace {

// Split and VariadicSplit: data, axis, ...; the outputs' shapes say where to cut.
class SplitNode final : public CpuNode {
public:
    explicit SplitNode(const Node& node)
        : CpuNode(node, kCopyKernel, "a copy for each part, or views along an outermost axis") {}

    bool may_skip_output(std::size_t) const override { return true; }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const InferContext context = context_of(node(), site);
        const auto named = ops::single_int(context, 1, "axis");
        const Shape& shape = site.inputs[0].shape;
        if (!named) return make_reference_call(node(), site);
        const std::size_t axis = normalize_axis(context, *named, shape.size());
        const std::size_t element = size_of(site.inputs[0].type);
        const Strides from = dense_strides(shape, element);
        std::vector<CopyPart> parts;
        std::vector<View> views;
        std::size_t offset = 0;
        bool all_plain = true;
        for (std::size_t i = 0; i < site.outputs.size(); ++i) {
            const Shape& part = site.outputs[i].shape;
            const CopyLayout layout{element, part, from, dense_strides(part, element)};
            const bool empty = element_count(part) == 0;
            views.push_back({0, empty ? 0 : offset});
            all_plain = all_plain && (empty || StridedCopy(layout).is_plain());
            if (site.outputs[i].wanted && !empty) parts.push_back({0, i, offset, 0, layout});
            offset += part[axis] * static_cast<std::size_t>(from[axis]);
        }
        if (all_plain) return std::make_unique<ViewCall>(std::move(views));
        return make_copy_call(parts);
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_split_node(const Node& node, const CompileContext&) {
    return std::make_unique<SplitNode>(node);
}

}  // namespace rondo::cpu
