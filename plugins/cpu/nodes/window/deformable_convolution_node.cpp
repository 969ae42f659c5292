// DeformableConvolution: moved data of some positions, then products with the filters.
#include "core/ops/window/deformable_convolution.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/window/deformable_convolution.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/makers.hpp"

namespace rondo::cpu {
namespace {

class DeformableCall final : public Call {
public:
    DeformableCall(ElementType type, const DeformableSizes& sizes, int threads)
        : type_(type), sizes_(sizes), slices_(std::max(threads, 1)) {}

    std::size_t scratch_bytes() const override {
        return deformable_scratch(type_, sizes_) * static_cast<std::size_t>(slices_);
    }
    void run(const RunArgs& args) const override {
        const void* factors = args.inputs.size() > 3 ? args.inputs[3] : nullptr;
        run_deformable(type_, sizes_,
                       {args.inputs[0], args.inputs[1], args.inputs[2], factors, args.outputs[0],
                        args.scratch},
                       slices_, args.team);
    }

private:
    ElementType type_;
    DeformableSizes sizes_;
    int slices_;
};

class DeformableNode final : public CpuNode {
public:
    DeformableNode(const ops::DeformableConvolution& op, const CompileContext& context)
        : CpuNode(op, "deformable_convolution", "moved data of 64 positions, then products"),
          op_(op),
          isa_(context.isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const Shape &data = site.inputs[0].shape, &filters = site.inputs[2].shape;
        if (element_count(site.outputs[0].shape) == 0 || element_count(data) == 0) {
            return make_zero_call(site.outputs[0]);
        }
        DeformableSizes sizes;
        sizes.batch = static_cast<std::int64_t>(data[0]);
        sizes.groups = op_.group();
        sizes.channels = static_cast<std::int64_t>(filters[1]);
        sizes.filters = static_cast<std::int64_t>(filters[0]) / op_.group();
        sizes.offset_groups = op_.offset_group();
        sizes.pads_by_zero = op_.pads_by_zero();
        const auto axes = op_.axes(data, filters);
        for (std::size_t i = 0; i < 2; ++i) {
            sizes.axes[i] = {axes[i].input,  axes[i].kernel,   axes[i].output,
                             axes[i].stride, axes[i].dilation, axes[i].pad_begin};
        }
        const auto make = [&](const CallSite& own) {
            return std::make_unique<DeformableCall>(own.inputs[0].type, sizes, own.threads);
        };
        return is_half(site.inputs[0].type) ? make_widened_call(site, isa_, make) : make(site);
    }

private:
    const ops::DeformableConvolution& op_;
    Isa isa_;
};

}  // namespace

std::unique_ptr<CpuNode> make_deformable_convolution_node(const Node& node,
                                                          const CompileContext& context) {
    return std::make_unique<DeformableNode>(dynamic_cast<const ops::DeformableConvolution&>(node),
                                            context);
}

}  // namespace rondo::cpu
