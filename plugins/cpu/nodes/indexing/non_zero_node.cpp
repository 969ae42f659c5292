// NonZero: how many places there are is found in each run.
#include "core/ops/indexing/indexing_ops.hpp"

#include "plugins/cpu/kernels/indexing/non_zero.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

std::unique_ptr<Call> make_non_zero(const Node& node, const NonZero& non_zero,
                                    const CallSite& site) {
    if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
    const Shape& shape = site.inputs[0].shape;
    const auto run =
        [&node, non_zero, extents = extents_of(shape), elements = count_of(shape),
         count = static_cast<std::int64_t>(site.outputs[0].shape[1])](const RunArgs& args) {
            // The count was found in memory that a caller may have written to since.
            if (non_zero.count(args.inputs[0], elements) != count) {
                throw ModelError(describe(node) + ": data changed during the inference");
            }
            non_zero.write(args.inputs[0], extents, count, static_cast<std::int64_t*>(args.scratch),
                           args.outputs[0]);
        };
    return make_call(run, {shape.size() * sizeof(std::int64_t)});
}

}  // namespace

std::unique_ptr<CpuNode> make_non_zero_node(const Node& node, const CompileContext&) {
    const auto& op = dynamic_cast<const ops::NonZero&>(node);
    const NonZero non_zero(node.input(0).element_type(), op.output_type());
    return make_function_node(
        node, {"non_zero", "counts, then writes places in order"},
        [&node, non_zero](const CallSite& site) { return make_non_zero(node, non_zero, site); },
        [non_zero](std::span<const TensorInfo* const> seen) -> ExtentFinder {
            return [non_zero, rank = seen[0]->shape.size(), elements = count_of(seen[0]->shape)](
                       std::span<const void* const> inputs, std::span<Shape> shapes) {
                shapes[0].resize(2);
                shapes[0][0] = rank;
                shapes[0][1] = static_cast<std::size_t>(non_zero.count(inputs[0], elements));
            };
        });
}

}  // namespace rondo::cpu
