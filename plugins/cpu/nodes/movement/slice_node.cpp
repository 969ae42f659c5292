// Slice and StridedSlice: a part of the data, with steps.
#include "core/ops/movement/slice.hpp"

#include <utility>

#include "core/ops/movement/strided_slice.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/movement/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

using Kind = ops::StridedSlicePart::Kind;

// An axis that keeps one element, whose index is known only when the call runs.
struct LateIndex {
    std::size_t element = 0;  // of begin
    std::size_t axis = 0;     // of the data
    std::int64_t extent = 1;
    std::int64_t stride = 0;  // bytes
};

struct SlicePlan {
    CopyPart copy;
    std::vector<LateIndex> late;
};

// The start of an axis in the data, and the bytes between the selected elements.
struct Cut {
    std::int64_t offset = 0;
    std::int64_t stride = 0;
};

Cut cut_of(const ops::SliceRequest& request, std::int64_t extent, std::int64_t stride) {
    // With a number that isn't known only an extent of 0 gives a known shape.
    if (!request.start || !request.stop || !request.step) return {};
    const ops::SliceRange range = ops::resolve(request, extent);
    return {range.length > 0 ? stride * range.start : 0, stride * range.step};
}

SlicePlan plan_slice(const std::vector<ops::StridedSlicePart>& parts, const TensorInfo& data,
                     const Shape& result) {
    const std::int64_t element = element_bytes(data.type);
    const Strides strides = dense_strides(data.shape, element);
    SlicePlan plan;
    CopyLayout& layout = plan.copy.layout;
    layout = {element, extents_of(result), {}, dense_strides(result, element)};
    std::size_t axis = 0;
    for (const auto& part : parts) {
        if (part.kind == Kind::new_axis) {
            layout.from.push_back(0);
            continue;
        }
        const auto extent = static_cast<std::int64_t>(data.shape[axis]);
        const std::int64_t stride = strides[axis];
        if (part.kind == Kind::cut) {
            const Cut cut = cut_of(part.request, extent, stride);
            plan.copy.from_offset += cut.offset;
            layout.from.push_back(cut.stride);
        } else if (const auto index = part.request.start) {
            plan.copy.from_offset += stride * (*index < 0 ? *index + extent : *index);
        } else {
            plan.late.push_back({0, axis, extent, stride});
        }
        ++axis;
    }
    if (element_count(result) == 0) plan.copy.from_offset = 0;
    return plan;
}

// Which element of begin each removed axis reads, in the order of `late`.
void find_elements(const ops::StridedSliceMasks& masks, std::vector<LateIndex>& late) {
    const auto flag = [](const std::vector<std::int64_t>& mask, std::size_t i) {
        return i < mask.size() && mask[i] != 0;
    };
    std::size_t next = 0;
    for (std::size_t i = 0; i < masks.shrink_axis.size() && next < late.size(); ++i) {
        const bool taken = flag(masks.ellipsis, i) || flag(masks.new_axis, i);
        if (flag(masks.shrink_axis, i) && !taken && !flag(masks.begin, i)) late[next++].element = i;
    }
}

// A StridedSlice that takes element begin[i] of an axis, as a loop over time steps does.
class LateSliceCall final : public Call {
public:
    LateSliceCall(const Node& node, const CallSite& site, SlicePlan plan)
        : node_(node),
          begin_(site.inputs[1].type),
          offset_(plan.copy.from_offset),
          copy_(plan.copy.layout),
          late_(std::move(plan.late)),
          is_empty_(element_count(site.outputs[0].shape) == 0) {}

    void run(const RunArgs& args) const override {
        const std::int64_t offset = offset_ + visit_integer(begin_, [&](auto tag) {
            return late_offset(static_cast<const tag_type<decltype(tag)>*>(args.inputs[1]));
        });
        if (is_empty_) return;
        copy_.run(static_cast<const char*>(args.inputs[0]) + offset, args.outputs[0], args.team);
    }
    std::string detail() const override { return "index read in each run"; }

private:
    template <typename Index>
    std::int64_t late_offset(const Index* begin) const {
        std::int64_t offset = 0;
        for (const LateIndex& late : late_) {
            const Index given = begin[late.element];
            if (std::cmp_less(given, -late.extent) || std::cmp_greater_equal(given, late.extent)) {
                throw ModelError(describe(node_) + ": index " + std::to_string(given) +
                                 " is out of range for axis " + std::to_string(late.axis) +
                                 " of extent " + std::to_string(late.extent));
            }
            const auto index = static_cast<std::int64_t>(given);
            offset += (index < 0 ? index + late.extent : index) * late.stride;
        }
        return offset;
    }

    const Node& node_;
    ElementType begin_;
    std::int64_t offset_;
    StridedCopy copy_;
    std::vector<LateIndex> late_;
    bool is_empty_;
};

class SliceNode final : public CpuNode {
public:
    explicit SliceNode(const Node& node)
        : CpuNode(node, kCopyKernel, "strided copy, or a view where the part is one run") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const InferContext context = context_of(node(), site);
        SlicePlan plan = plan_slice(parts_of(context), site.inputs[0], site.outputs[0].shape);
        if (plan.late.empty()) return make_view_or_copy(plan.copy);
        const auto& op = dynamic_cast<const ops::StridedSlice&>(node());
        find_elements(op.masks(), plan.late);
        return std::make_unique<LateSliceCall>(op, site, std::move(plan));
    }

private:
    std::vector<ops::StridedSlicePart> parts_of(const InferContext& context) const {
        std::vector<ops::StridedSlicePart> parts;
        if (const auto* strided = dynamic_cast<const ops::StridedSlice*>(&node())) {
            return ops::strided_slice_parts(context, strided->masks()).value();
        }
        // Axes that aren't known leave a known shape only where the output is empty or a scalar.
        const auto requests = ops::slice_requests(context);
        if (!requests) return std::vector<ops::StridedSlicePart>(context.shape(0).rank());
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
