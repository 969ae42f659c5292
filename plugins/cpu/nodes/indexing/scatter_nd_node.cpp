// ScatterNDUpdate: a copy of the data in which updates meet slices.
#include "core/ops/indexing/scatter_nd_update.hpp"

#include "plugins/cpu/kernels/indexing/slice_moves.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/indexing/makers.hpp"
#include "plugins/cpu/nodes/indexing/scatter_copy.hpp"
#include "plugins/cpu/nodes/indexing/slice_sizes.hpp"

namespace rondo::cpu {
namespace {

using ops::ScatterReduction;

constexpr std::int64_t kScatterNdGrain = 1 << 16;  // elements of updates that are worth a thread

class ScatterNDCall final : public Call {
public:
    ScatterNDCall(const ops::ScatterNDUpdate& op, const CallSite& site)
        : op_(op),
          indices_(site.inputs[1].type),
          places_(slice_sizes_of(site, 0), indices_),
          slice_{slice_elements_of(site, 0), element_bytes(site.inputs[0].type)},
          bytes_(count_of(site.inputs[0].shape) * slice_.bytes),
          loops_(scatter_loops(op.reduction(), site.inputs[0].type)) {}

    void run(const RunArgs& args) const override {
        check_tuples(op_, places_, indices_, args.inputs[1]);
        copy_shared(args.team, args.inputs[0], args.outputs[0], bytes_);
        const std::int64_t tuples = places_.sizes().count();
        if (tuples == 0) return;
        // Several tuples may name one slice: each thread takes its part of all of them, in order.
        share(args.team, slice_.count, kScatterNdGrain / tuples + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  scatter_slices(places_, slice_, loops_,
                                 {args.outputs[0], args.inputs[1], args.inputs[2]}, begin, end);
              });
    }

private:
    const ops::ScatterNDUpdate& op_;
    ElementType indices_;
    SlicePlaces places_;
    SliceElements slice_;
    std::int64_t bytes_;  // of the data
    ScatterLoops loops_;
};

class ScatterNDNode final : public CpuNode {
public:
    ScatterNDNode(const ops::ScatterNDUpdate& op, const CompileContext& context)
        : CpuNode(op, "scatter_nd", "copies the data, then takes updates slice by slice"),
          op_(op),
          isa_(context.isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto make = [&](const CallSite& from) {
            return std::make_unique<ScatterNDCall>(op_, from);
        };
        const bool widens =
            is_half(site.inputs[0].type) && op_.reduction() != ScatterReduction::none;
        return widens ? make_widened_call(site, isa_, make) : make(site);
    }

private:
    const ops::ScatterNDUpdate& op_;
    Isa isa_;
};

}  // namespace

std::unique_ptr<CpuNode> make_scatter_nd_node(const Node& node, const CompileContext& context) {
    return std::make_unique<ScatterNDNode>(dynamic_cast<const ops::ScatterNDUpdate&>(node),
                                           context);
}

}  // namespace rondo::cpu
