// Split and VariadicSplit: data, axis, ...; the outputs' shapes determine the parts.
#include "core/ops/common/extents.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/movement/makers.hpp"

namespace rondo::cpu {
namespace {

class SplitNode final : public CopyNode {
public:
    explicit SplitNode(const Node& node)
        : CopyNode(node, "a copy for each part", "along an outermost axis") {}

    bool may_skip_output(std::size_t) const override { return true; }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const InferContext context = context_of(node(), site);
        const Shape& shape = site.inputs[0].shape;
        // An axis that isn't known leaves the shapes open, except those of scalars: these have no
        // axis, so that any is refused.
        const auto named = ops::single_int(context, 1, "axis");
        const std::size_t axis = normalize_axis(context, named.value_or(0), shape.size());
        const std::int64_t element = element_bytes(site.inputs[0].type);
        const Strides from = dense_strides(shape, element);
        std::vector<CopyPart> parts;
        std::vector<View> views;
        std::int64_t offset = 0;
        bool all_plain = true;
        for (std::size_t i = 0; i < site.outputs.size(); ++i) {
            const Shape& part = site.outputs[i].shape;
            const CopyLayout layout{element, extents_of(part), from, dense_strides(part, element)};
            const bool empty = element_count(part) == 0;
            views.push_back({0, empty ? 0 : static_cast<std::size_t>(offset)});
            all_plain = all_plain && (empty || StridedCopy(layout).is_plain());
            if (site.outputs[i].wanted && !empty) parts.push_back({0, i, offset, 0, layout});
            offset += layout.extents[axis] * from[axis];
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
