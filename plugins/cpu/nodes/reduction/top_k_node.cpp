// TopK: lines along any axis.
#include "core/ops/reduction/reduction_ops.hpp"

#include "plugins/cpu/kernels/reduction/top_k.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kTopKGrain = 1 << 13;  // elements that are worth a thread

std::unique_ptr<Call> prepare_top_k(const ops::TopK& op, const CallSite& site) {
    if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
    const auto& attributes = op.attributes();
    const Shape& shape = site.inputs[0].shape;
    const std::size_t axis = normalize_axis(context_of(op, site), attributes.axis, shape.size());
    TopKSizes sizes;
    sizes.n = static_cast<std::int64_t>(shape[axis]);
    sizes.k = static_cast<std::int64_t>(site.outputs[0].shape[axis]);
    sizes.inner = extents_product(shape, axis + 1, shape.size());
    const TopKLines lines(site.inputs[0].type, sizes,
                          {attributes.mode == ops::TopKMode::min,
                           attributes.sort == ops::TopKSort::index, attributes.index_type});
    const SliceScratch scratch(
        static_cast<std::size_t>(lines.scratch_entries()) * sizeof(std::int64_t), site.threads);
    const auto run = [lines, scratch, count = count_of(shape) / sizes.n,
                      grain = kTopKGrain / sizes.n + 1](const RunArgs& args) {
        scratch.share(args.team, count, grain, args.scratch,
                      [&](std::int64_t begin, std::int64_t end, std::byte* order) {
                          lines.run({args.inputs[0], args.outputs[0], args.outputs[1],
                                     reinterpret_cast<std::int64_t*>(order), begin, end});
                      });
    };
    return make_call(run, {scratch.bytes()});
}

}  // namespace

std::unique_ptr<CpuNode> make_top_k_node(const Node& node, const CompileContext&) {
    const char* const reason = "one scan of each line, or a partial sort where k is above 1";
    return make_function_node(
        node, {"top_k_" + std::string(to_string(node.output_type(0))), reason, {}, true},
        prepare_top_k);
}

}  // namespace rondo::cpu
