// Slice and StridedSlice: a part of the data, with steps.
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/movement/slice_axes.hpp"

namespace rondo::cpu {
namespace {

// A part whose place is known only when the call runs: element begin[i], as a loop over time steps
// takes it, or a moving window.
std::unique_ptr<Call> make_late_slice(const Node& node, const CallSite& site, SlicePlan plan) {
    const SliceNumbers numbers(site.inputs[1].type, site.inputs[2].type);
    const auto run = [&node, numbers, offset = plan.copy.from_offset,
                      copy = StridedCopy(plan.copy.layout), late = std::move(plan.late),
                      is_empty = element_count(site.outputs[0].shape) == 0](const RunArgs& args) {
        const std::int64_t first = offset + numbers.offset(node, late, args.inputs);
        if (is_empty) return;
        copy.run(static_cast<const char*>(args.inputs[0]) + first, args.outputs[0], args.team);
    };
    return make_call(run, {0, "index read in each run"});
}

std::unique_ptr<Call> prepare_slice(const Node& node, const CallSite& site) {
    const TensorInfo& data = site.inputs[0];
    // Axes that aren't known leave a known shape only where the output is empty or a scalar.
    const auto parts = slice_parts(node, context_of(node, site))
                           .value_or(std::vector<ops::StridedSlicePart>(data.shape.size()));
    SlicePlan plan = plan_slice(parts, data, site.outputs[0].shape);
    if (plan.late.empty()) return make_view_or_copy(plan.copy);
    return make_late_slice(node, site, std::move(plan));
}

}  // namespace

std::unique_ptr<CpuNode> make_slice_node(const Node& node, const CompileContext&) {
    const char* const outlook = "a view where the part is one run";
    return make_function_node(
        node, {"copy", "strided copy", outlook},
        [&node](const CallSite& site) { return prepare_slice(node, site); },
        [&node](auto inputs) { return make_slice_extents(node, inputs); });
}

}  // namespace rondo::cpu
