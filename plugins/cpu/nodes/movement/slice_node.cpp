#include "core/ops/movement/slice.hpp"

#include "core/ops/movement/strided_slice.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/nodes.hpp"

namespace rondo::cpu {
namespace {

using Kind = ops::StridedSlicePart::Kind;

// The copy that takes `parts` of the data; nothing where a number isn't known yet.
std::optional<CopyPart> copy_of(const std::vector<ops::StridedSlicePart>& parts,
                                const TensorInfo& data, const Shape& result) {
    const std::size_t element = size_of(data.type);
    const Strides strides = dense_strides(data.shape, element);
    CopyPart copy;
    copy.layout = {element, result, {}, dense_strides(result, element)};
    std::size_t axis = 0;
    std::ptrdiff_t offset = 0;
    for (const auto& part : parts) {
        if (part.kind == Kind::new_axis) {
            copy.layout.from.push_back(0);
            continue;
        }
        ops::SliceRequest request = part.request;
        const auto extent = static_cast<std::int64_t>(data.shape[axis]);
        const std::ptrdiff_t stride = strides[axis++];
        if (!request.start || !request.step) return std::nullopt;
        if (part.kind == Kind::shrink) {
            const std::int64_t index = *request.start;
            offset += stride * (index < 0 ? index + extent : index);
            continue;
        }
        if (!request.stop) return std::nullopt;
        const ops::SliceRange range = ops::resolve(request, extent);
        if (range.length > 0) offset += stride * range.start;
        copy.layout.from.push_back(stride * range.step);
    }
    copy.from_offset = element_count(result) == 0 ? 0 : static_cast<std::size_t>(offset);
    return copy;
}

class SliceNode final : public CpuNode {
public:
    explicit SliceNode(const Node& node)
        : CpuNode(node, kCopyKernel, "strided copy, or a view where the part is one run") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto parts = parts_of(context_of(node(), site));
        if (!parts) return make_reference_call(node(), site);
        const auto copy = copy_of(*parts, site.inputs[0], site.outputs[0].shape);
        if (!copy) return make_reference_call(node(), site);
        return make_view_or_copy(*copy);
    }

private:
    std::optional<std::vector<ops::StridedSlicePart>> parts_of(const InferContext& context) const {
        if (const auto* strided = dynamic_cast<const ops::StridedSlice*>(&node())) {
            return ops::strided_slice_parts(context, strided->masks());
        }
        const auto requests = ops::slice_requests(context);
        if (!requests) return std::nullopt;
        std::vector<ops::StridedSlicePart> parts;
        for (const auto& request : *requests) parts.push_back({Kind::cut, request});
        return parts;
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_slice_node(const Node& node, const CompileContext&) {
    return std::make_unique<SliceNode>(node);
}

std::unique_ptr<CpuNode> make_strided_slice_node(const Node& node, const CompileContext&) {
    return std::make_unique<SliceNode>(node);
}

}  // namespace rondo::cpu
