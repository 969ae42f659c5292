// ScatterElementsUpdate: a copy of the data in which updates meet single elements.
#include "core/ops/indexing/scatters.hpp"

#include "core/ops/common/extents.hpp"
#include "plugins/cpu/kernels/indexing/scatter_elements.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/nodes/common/bad_index.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/indexing/makers.hpp"
#include "plugins/cpu/nodes/indexing/scatter_copy.hpp"

namespace rondo::cpu {
namespace {

using ops::ScatterReduction;

constexpr std::int64_t kScatterElementsGrain = 1 << 14;  // updates that are worth a thread

class ScatterElementsCall final : public Call {
public:
    ScatterElementsCall(const ops::ScatterElementsUpdate& op, const ElementSizes& sizes,
                        const CallSite& site)
        : op_(op),
          indices_(site.inputs[1].type),
          bytes_(count_of(site.inputs[0].shape) * element_bytes(site.inputs[0].type)),
          scatter_(sizes, indices_, element_bytes(site.inputs[0].type)) {
        const ElementType type = site.inputs[0].type;
        if (op.reduction() == ScatterReduction::mean) {
            mean_.emplace(type, count_of(site.inputs[0].shape), op.use_init_val());
        } else {
            loops_ = scatter_loops(op.reduction(), type);
        }
    }

    std::size_t scratch_bytes() const override { return mean_ ? mean_->scratch_bytes() : 0; }

    void run(const RunArgs& args) const override {
        const ElementPlaces& places = scatter_.places();
        if (const auto bad = places.find_bad(args.inputs[1])) {
            throw_bad_index(op_, indices_, args.inputs[1], *bad, places.extent());
        }
        copy_shared(args.team, args.inputs[0], args.outputs[0], bytes_);
        const ScatterElementsArgs scatter{args.outputs[0], args.inputs[1], args.inputs[2]};
        if (places.loop().size() == 0) return;
        if (mean_) return scatter_.run_mean(scatter, *mean_, args.scratch);
        const bool resets = !op_.use_init_val() && op_.reduction() != ScatterReduction::none;
        share(args.team, scatter_.pieces(), kScatterElementsGrain / scatter_.piece_size() + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  if (resets) scatter_.reset(scatter, loops_, begin, end);
                  scatter_.run(scatter, loops_, begin, end);
              });
    }

private:
    const ops::ScatterElementsUpdate& op_;
    ElementType indices_;
    std::int64_t bytes_;  // of the data
    ScatterElements scatter_;
    ScatterLoops loops_{};
    std::optional<ScatterMean> mean_;
};

class ScatterElementsNode final : public CpuNode {
public:
    ScatterElementsNode(const ops::ScatterElementsUpdate& op, const CompileContext& context)
        : CpuNode(op, "scatter_elements", "copies the data, then takes updates one by one"),
          op_(op),
          isa_(context.isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const InferContext context = context_of(op_, site);
        const Shape& data = site.inputs[0].shape;
        // A scalar has no axis that could be known.
        const auto named = ops::single_int(context, 3, "axis").value_or(0);
        const std::size_t axis = normalize_axis(context, named, data.size());
        const ElementSizes sizes{extents_of(data), extents_of(site.inputs[1].shape), axis};
        const auto make = [&](const CallSite& from) {
            return std::make_unique<ScatterElementsCall>(op_, sizes, from);
        };
        const ScatterReduction reduction = op_.reduction();
        const bool widens = is_half(site.inputs[0].type) && reduction != ScatterReduction::none &&
                            reduction != ScatterReduction::mean;
        return widens ? make_widened_call(site, isa_, make) : make(site);
    }

private:
    const ops::ScatterElementsUpdate& op_;
    Isa isa_;
};

}  // namespace

std::unique_ptr<CpuNode> make_scatter_elements_node(const Node& node,
                                                    const CompileContext& context) {
    return std::make_unique<ScatterElementsNode>(
        dynamic_cast<const ops::ScatterElementsUpdate&>(node), context);
}

}  // namespace rondo::cpu
