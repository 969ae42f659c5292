// GatherElements: single elements of the data that indices name.
#include "core/ops/indexing/gathers.hpp"

#include "plugins/cpu/kernels/indexing/scatter_elements.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/bad_index.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/indexing/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kGatherElementsGrain = 1 << 14;  // elements that are worth a thread

class GatherElementsCall final : public Call {
public:
    GatherElementsCall(const Node& node, const ElementSizes& sizes, const CallSite& site)
        : node_(node),
          indices_(site.inputs[1].type),
          gather_(sizes, indices_, element_bytes(site.inputs[0].type)) {}

    void run(const RunArgs& args) const override {
        const ElementPlaces& places = gather_.places();
        if (const auto bad = places.find_bad(args.inputs[1])) {
            throw_bad_index(node_, indices_, args.inputs[1], *bad, places.extent());
        }
        if (places.loop().size() == 0) return;
        share(args.team, gather_.pieces(), kGatherElementsGrain / gather_.piece_size() + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  gather_.run({args.inputs[0], args.inputs[1], args.outputs[0]}, begin, end);
              });
    }

private:
    const Node& node_;
    ElementType indices_;
    GatherElements gather_;
};

class GatherElementsNode final : public CpuNode {
public:
    explicit GatherElementsNode(const Node& node)
        : CpuNode(node, "gather_elements", "copies elements one by one") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto& op = dynamic_cast<const ops::GatherElements&>(node());
        const Shape& data = site.inputs[0].shape;
        const std::size_t axis = normalize_axis(context_of(op, site), op.axis(), data.size());
        return std::make_unique<GatherElementsCall>(
            op, ElementSizes{extents_of(data), extents_of(site.inputs[1].shape), axis}, site);
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_gather_elements_node(const Node& node, const CompileContext&) {
    return std::make_unique<GatherElementsNode>(node);
}

}  // namespace rondo::cpu
