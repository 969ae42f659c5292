// The reduce family: any function, type and axes.
#include "core/ops/reduction/reduction_ops.hpp"

#include <atomic>

#include "plugins/cpu/kernels/reduction/reduce.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/axis_values.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kReduceGrain = 1 << 15;  // elements that are worth a thread

std::unique_ptr<Call> prepare_reduce(const ops::Reduce& op, Isa isa, const CallSite& site) {
    const InferContext context = context_of(op, site);
    const Shape& shape = site.inputs[0].shape;
    // Axes that aren't known leave a known shape only where all extents are 1: then any axes
    // give the same.
    const auto axes = context.ints(1).value_or(std::vector<std::int64_t>());
    const ReduceSizes sizes{extents_of(shape), ops::reduced_axes(context, axes, shape.size())};
    return make_call([&op, reduce = Reduce(op.function(), site.inputs[0].type, sizes, isa),
                      values = AxisValues(site.inputs[1], shape.size())](const RunArgs& args) {
        values.check(op, args.inputs[1]);
        std::atomic<bool> has_value = true;
        share(args.team, reduce.size(), kReduceGrain / (reduce.group() + 1) + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  if (!reduce.run(args.inputs[0], args.outputs[0], begin, end)) has_value = false;
              });
        if (has_value) return;
        throw ModelError(describe(op) +
                         ": the mean of no integers has no value; expected extents above 0");
    });
}

}  // namespace

std::unique_ptr<CpuNode> make_reduce_node(const Node& node, const CompileContext& context) {
    return make_function_node(
        node, {"reduce_" + std::string(to_string(node.output_type(0))), "floating types in double"},
        context.isa, prepare_reduce);
}

}  // namespace rondo::cpu
