// CumSum and CumProd: lines along any axis, which may come with the run.
#include "core/ops/reduction/reduction_ops.hpp"

#include <vector>

#include "core/ops/common/extents.hpp"
#include "plugins/cpu/kernels/reduction/cum_sum.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/axis_values.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kCumSumGrain = 1 << 15;  // elements that are worth a thread

CumSumSizes sizes_of(const Shape& shape, std::size_t axis) {
    return {extents_product(shape, 0, axis), static_cast<std::int64_t>(shape[axis]),
            extents_product(shape, axis + 1, shape.size())};
}

std::size_t axis_of(ElementType type, const void* axis, std::size_t rank) {
    const std::int64_t value = visit_integer(type, [&](auto tag) {
        return static_cast<std::int64_t>(*static_cast<const tag_type<decltype(tag)>*>(axis));
    });
    return static_cast<std::size_t>(value) + (value < 0 ? rank : 0);
}

std::unique_ptr<Call> prepare_cum_sum(const ops::Cumulation& op, const CallSite& site) {
    const Shape& shape = site.inputs[0].shape;
    if (element_count(shape) == 0) return make_zero_call(site.outputs[0]);
    const CumSum sum(site.inputs[0].type, {op.options().exclusive, op.options().reverse,
                                           as_op<ops::CumProd>(op) != nullptr});
    std::vector<CumSumSizes> sizes;  // one, or one an axis where that comes with the run
    const InferContext context = context_of(op, site);
    if (const auto axis = ops::single_int(context, 1, "axis")) {
        sizes.push_back(sizes_of(shape, normalize_axis(context, *axis, shape.size())));
    } else {
        for (std::size_t i = 0; i < shape.size(); ++i) sizes.push_back(sizes_of(shape, i));
    }
    return make_call([&op, sum, sizes, type = site.inputs[1].type,
                      axis = AxisValues(site.inputs[1], shape.size())](const RunArgs& args) {
        axis.check(op, args.inputs[1]);
        const CumSumSizes& own =
            sizes.size() == 1 ? sizes[0] : sizes[axis_of(type, args.inputs[1], sizes.size())];
        share(args.team, own.lines(), kCumSumGrain / own.n + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  sum.run(own, args.inputs[0], args.outputs[0], begin, end);
              });
    });
}

}  // namespace

std::unique_ptr<CpuNode> make_cum_sum_node(const Node& node, const CompileContext&) {
    return make_function_node(node,
                              {"cumulation_plain", "lines side by side; floating types in double"},
                              prepare_cum_sum);
}

}  // namespace rondo::cpu
