// Slice and StridedSlice: a part of the data, with steps.
#include "plugins/cpu/nodes/movement/makers.hpp"
#include "plugins/cpu/nodes/movement/slice_axes.hpp"

namespace rondo::cpu {
namespace {

// A part whose place is known only when the call runs: element begin[i], as a loop over time steps
// takes it, or a moving window.
class LateSliceCall final : public Call {
public:
    LateSliceCall(const Node& node, const CallSite& site, SlicePlan plan)
        : node_(node),
          numbers_(site.inputs[1].type, site.inputs[2].type),
          offset_(plan.copy.from_offset),
          copy_(plan.copy.layout),
          late_(std::move(plan.late)),
          is_empty_(element_count(site.outputs[0].shape) == 0) {}

    void run(const RunArgs& args) const override {
        const std::int64_t offset = offset_ + numbers_.offset(node_, late_, args.inputs);
        if (is_empty_) return;
        copy_.run(static_cast<const char*>(args.inputs[0]) + offset, args.outputs[0], args.team);
    }
    std::string detail() const override { return "index read in each run"; }

private:
    const Node& node_;
    SliceNumbers numbers_;
    std::int64_t offset_;
    StridedCopy copy_;
    std::vector<LateAxis> late_;
    bool is_empty_;
};

class SliceNode final : public CopyNode {
public:
    explicit SliceNode(const Node& node)
        : CopyNode(node, "strided copy", "where the part is one run") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const TensorInfo& data = site.inputs[0];
        // Axes that aren't known leave a known shape only where the output is empty or a scalar.
        const auto parts = slice_parts(node(), context_of(node(), site))
                               .value_or(std::vector<ops::StridedSlicePart>(data.shape.size()));
        SlicePlan plan = plan_slice(parts, data, site.outputs[0].shape);
        if (plan.late.empty()) return make_view_or_copy(plan.copy);
        return std::make_unique<LateSliceCall>(node(), site, std::move(plan));
    }

    std::unique_ptr<ExtentFinder> make_extent_finder(
        std::span<const TensorInfo* const> inputs) const override {
        return make_slice_extents(node(), inputs);
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
