// GatherND: slices of the data that tuples of indices name.
#include "core/ops/indexing/gather_nd.hpp"

#include "plugins/cpu/kernels/indexing/slice_moves.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/indexing/makers.hpp"
#include "plugins/cpu/nodes/indexing/slice_sizes.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kGrainBytes = 1 << 18;  // that are worth a thread
constexpr std::int64_t kTupleBytes = 32;       // what reading a tuple costs, as bytes to copy

class GatherNDCall final : public Call {
public:
    GatherNDCall(const Node& node, const CallSite& site, std::size_t batch)
        : node_(node),
          indices_(site.inputs[1].type),
          places_(slice_sizes_of(site, batch), indices_),
          slice_(slice_elements_of(site, batch) * element_bytes(site.inputs[0].type)) {}

    void run(const RunArgs& args) const override {
        check_tuples(node_, places_, indices_, args.inputs[1]);
        if (slice_ == 0) return;
        share(args.team, places_.sizes().count(), kGrainBytes / (slice_ + kTupleBytes) + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  gather_slices(places_, slice_, {args.inputs[0], args.inputs[1], args.outputs[0]},
                                begin, end);
              });
    }

private:
    const Node& node_;
    ElementType indices_;
    SlicePlaces places_;
    std::int64_t slice_;  // bytes
};

class GatherNDNode final : public CpuNode {
public:
    explicit GatherNDNode(const Node& node) : CpuNode(node, "gather_nd", "copies slices") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto& op = dynamic_cast<const ops::GatherND&>(node());
        return std::make_unique<GatherNDCall>(op, site, static_cast<std::size_t>(op.batch_dims()));
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_gather_nd_node(const Node& node, const CompileContext&) {
    return std::make_unique<GatherNDNode>(node);
}

}  // namespace rondo::cpu
