// Gather: blocks of the data that indices name.
#include "core/ops/movement/movement_ops.hpp"

#include "core/ops/common/extents.hpp"
#include "plugins/cpu/kernels/movement/gather.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/axis_values.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kGatherGrainBytes = 1 << 18;  // that are worth a thread

GatherSizes sizes_of(const CallSite& site, std::size_t axis, std::size_t batch) {
    const Shape& data = site.inputs[0].shape;
    const Shape& indices = site.inputs[1].shape;
    GatherSizes sizes;
    sizes.batches = extents_product(data, 0, batch);
    sizes.rows = extents_product(data, batch, axis);
    sizes.extent = static_cast<std::int64_t>(data[axis]);
    sizes.count = extents_product(indices, batch, indices.size());
    sizes.block = extents_product(data, axis + 1, data.size()) * element_bytes(site.inputs[0].type);
    return sizes;
}

std::unique_ptr<Call> make_gather_call(const Node& node, const GatherSizes& sizes,
                                       const CallSite& site) {
    return make_call(
        [&node, gather = Gather(sizes, site.inputs[1].type), indices = site.inputs[1].type,
         axis = AxisValues(site.inputs[2], site.inputs[0].shape.size())](const RunArgs& args) {
            const GatherSizes& own = gather.sizes();
            axis.check(node, args.inputs[2]);
            // All indices, before any write.
            if (const auto bad = gather.find_bad_index(args.inputs[1])) {
                throw_bad_index(node, indices, args.inputs[1], *bad, own.extent);
            }
            if (own.block == 0) return;
            share(args.team, own.blocks(), kGatherGrainBytes / own.block + 1,
                  [&](std::int64_t begin, std::int64_t end) {
                      gather.run({args.inputs[0], args.inputs[1], args.outputs[0]}, begin, end);
                  });
        });
}

// Null unless it is one row of the data, whose index is known.
std::unique_ptr<Call> view_of_row(const GatherSizes& sizes, const CallSite& site) {
    const Tensor& indices = site.inputs[1].value;
    const bool is_one_row = sizes.blocks() == 1 && sizes.rows == 1 && sizes.block > 0;
    if (!indices || !site.inputs[2].value || !is_one_row) return nullptr;
    const Gather gather(sizes, indices.element_type());
    if (gather.find_bad_index(indices.data())) return nullptr;  // an error when it runs
    const std::int64_t index = to_int64_vector(indices).front();
    const std::int64_t row = index < 0 ? index + sizes.extent : index;
    return make_view_call({0, static_cast<std::size_t>(row * sizes.block)});
}

std::unique_ptr<Call> prepare_gather(const ops::Gather& op, const CallSite& site) {
    const InferContext context = context_of(op, site);
    // If the axis isn't known yet, but the output's shape is, the data has one axis.
    const auto named = ops::single_int(context, 2, "axis");
    const std::size_t axis =
        normalize_axis(context, named.value_or(0), site.inputs[0].shape.size());
    const auto indices_rank = static_cast<std::int64_t>(site.inputs[1].shape.size());
    const std::int64_t batch = op.batch_dims() + (op.batch_dims() < 0 ? indices_rank : 0);
    const GatherSizes sizes = sizes_of(site, axis, static_cast<std::size_t>(batch));
    auto view = view_of_row(sizes, site);
    return view ? std::move(view) : make_gather_call(op, sizes, site);
}

}  // namespace

std::unique_ptr<CpuNode> make_gather_node(const Node& node, const CompileContext&) {
    const char* const outlook = "a view where one row's index is known";
    return make_function_node(node, {"gather", "copies rows", outlook}, prepare_gather);
}

}  // namespace rondo::cpu
