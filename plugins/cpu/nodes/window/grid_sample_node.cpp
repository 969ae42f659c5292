// GridSample: the taps of a block of points serve all channels.
#include "core/ops/window/grid_sample.hpp"

#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/window/grid_sample.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/makers.hpp"

namespace rondo::cpu {
namespace {

class GridSampleCall final : public Call {
public:
    explicit GridSampleCall(std::unique_ptr<GridSampler> sampler) : sampler_(std::move(sampler)) {}
    void run(const RunArgs& args) const override {
        sampler_->run({args.inputs[0], args.inputs[1], args.outputs[0]}, args.team);
    }

private:
    std::unique_ptr<GridSampler> sampler_;
};

GridSizes sizes_of(const Shape& data, const Shape& output) {
    GridSizes sizes;
    sizes.batch = static_cast<std::int64_t>(output[0]);
    sizes.channels = static_cast<std::int64_t>(output[1]);
    sizes.points = extents_product(output, 2, output.size());
    sizes.spatial = static_cast<std::int64_t>(data.size()) - 2;
    for (std::size_t i = 2; i < data.size(); ++i) {
        sizes.extents[i - 2] = static_cast<std::int64_t>(data[i]);
    }
    return sizes;
}

class GridSampleNode final : public CpuNode {
public:
    GridSampleNode(const ops::GridSample& op, const CompileContext& context)
        : CpuNode(op, "grid_sample", "the taps of a block of points serve all channels"),
          op_(op),
          isa_(context.isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        const GridSizes sizes = sizes_of(site.inputs[0].shape, site.outputs[0].shape);
        const ops::GridRule rule = op_.rule();
        const auto make = [&](const CallSite& own) -> std::unique_ptr<Call> {
            return std::make_unique<GridSampleCall>(
                make_grid_sampler(own.inputs[0].type, own.inputs[1].type, rule, sizes));
        };
        const bool widens = is_half(site.inputs[0].type) && rule.mode != ops::GridMode::nearest;
        return widens ? make_widened_call(site, isa_, make) : make(site);
    }

private:
    const ops::GridSample& op_;
    Isa isa_;
};

}  // namespace

std::unique_ptr<CpuNode> make_grid_sample_node(const Node& node, const CompileContext& context) {
    return std::make_unique<GridSampleNode>(dynamic_cast<const ops::GridSample&>(node), context);
}

}  // namespace rondo::cpu
