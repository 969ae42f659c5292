// MaxPool and AvgPool.
#include "core/ops/window/pool.hpp"

#include <algorithm>
#include <utility>

#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/window/pool.hpp"
#include "plugins/cpu/kernels/window/tap_source.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/makers.hpp"

namespace rondo::cpu {
namespace {

class PoolCall final : public Call {
public:
    explicit PoolCall(std::unique_ptr<Pool> pool) : pool_(std::move(pool)) {}

    std::size_t scratch_bytes() const override { return pool_->scratch_bytes(); }
    void run(const RunArgs& args) const override {
        void* places = args.outputs.size() > 1 ? args.outputs[1] : nullptr;
        pool_->run({args.inputs[0], args.outputs[0], places, args.scratch}, args.team);
    }

private:
    std::unique_ptr<Pool> pool_;
};

PoolSizes sizes_of(const Shape& shape, const std::vector<ops::ConvolutionAxis>& axes) {
    PoolSizes sizes;
    sizes.planes = static_cast<std::int64_t>(shape[0] * shape[1]);
    std::size_t to = sizes.axes.size() - axes.size();
    for (const auto& axis : axes) {
        sizes.axes[to++] = {axis.input,  axis.kernel,   axis.output,
                            axis.stride, axis.dilation, axis.pad_begin};
    }
    return sizes;
}

class MaxPoolNode final : public CpuNode {
public:
    MaxPoolNode(const ops::MaxPool& op, const CompileContext& context)
        : CpuNode(op,
                  is_floating(op.output_type(0))
                      ? "max_pool_" + kernel_suffix(context.isa, op.output_type(0))
                      : "max_pool_plain",
                  "floating types line by line; window by window where places are read"),
          op_(op),
          isa_(context.isa),
          floats_(shared_tap_kernel(context.isa, {TapFunction::maximum, Precision::f32})),
          doubles_(shared_tap_kernel(context.isa, {TapFunction::maximum, Precision::f64})) {}

    bool may_skip_output(std::size_t output) const override { return output == 1; }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        const bool has_places = site.outputs.size() > 1 && site.outputs[1].wanted;
        const ElementType type = site.inputs[0].type;
        const bool is_empty = element_count(site.inputs[0].shape) == 0;
        if (!has_places && !is_empty && is_half(type)) {
            return make_widened_call(site, isa_, [&](const CallSite& wide) { return make(wide); });
        }
        return make(site);
    }

private:
    std::unique_ptr<Call> make(const CallSite& site) const {
        const Shape& shape = site.inputs[0].shape;
        const ElementType type = site.inputs[0].type;
        const PoolSizes sizes = sizes_of(shape, op_.axes(shape));
        const bool has_places = site.outputs.size() > 1 && site.outputs[1].wanted;
        const bool is_float = type == ElementType::f32 || type == ElementType::f64;
        if (is_float && !has_places && element_count(shape) > 0 &&
            suits_tap_source(sizes.axes, 1)) {
            const bool is_f64 = type == ElementType::f64;
            return std::make_unique<PoolCall>(make_max_pool(
                is_f64 ? *doubles_ : *floats_, precision_of(type), sizes, site.threads));
        }
        PlaceConfig places{site.outputs.size() > 1 ? site.outputs[1].type : ElementType::i64, 1};
        const InferContext context = context_of(op_, site);
        for (std::size_t i = normalize_axis(context, op_.axis(), shape.size()); i < shape.size();
             ++i) {
            places.block *= std::max<std::int64_t>(static_cast<std::int64_t>(shape[i]), 1);
        }
        return std::make_unique<PoolCall>(make_place_pool(type, sizes, places));
    }

    const ops::MaxPool& op_;
    Isa isa_;
    std::shared_ptr<const TapKernel> floats_;
    std::shared_ptr<const TapKernel> doubles_;
};

class AvgPoolNode final : public CpuNode {
public:
    AvgPoolNode(const ops::AvgPool& op, const CompileContext& context)
        : CpuNode(op, "avg_pool_" + kernel_suffix(context.isa, op.output_type(0)),
                  "sums line by line, then divided"),
          op_(op),
          isa_(context.isa),
          floats_(shared_tap_kernel(context.isa, {TapFunction::sum, Precision::f32})),
          doubles_(shared_tap_kernel(context.isa, {TapFunction::sum, Precision::f64})) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0 || element_count(site.inputs[0].shape) == 0) {
            return make_zero_call(site.outputs[0]);
        }
        if (is_half(site.inputs[0].type)) {
            return make_widened_call(site, isa_, [&](const CallSite& wide) { return make(wide); });
        }
        return make(site);
    }

private:
    // How many elements a window counts along each axis.
    PoolCounts counts_of(const std::vector<ops::ConvolutionAxis>& axes) const {
        PoolCounts counts{{{1}, {1}, {1}}};
        std::size_t to = counts.size() - axes.size();
        for (auto& own : op_.counts(axes)) counts[to++] = std::move(own);
        return counts;
    }

    std::unique_ptr<Call> make(const CallSite& site) const {
        const Shape& shape = site.inputs[0].shape;
        const auto axes = op_.axes(shape);
        const PoolSizes sizes = sizes_of(shape, axes);
        const bool is_f64 = site.inputs[0].type == ElementType::f64;
        const TapKernel* kernel = is_f64 ? doubles_.get() : floats_.get();
        if (!suits_tap_source(sizes.axes, 1)) kernel = nullptr;
        return std::make_unique<PoolCall>(
            make_average_pool(kernel, is_f64 ? Precision::f64 : Precision::f32, sizes,
                              counts_of(axes), site.threads));
    }

    const ops::AvgPool& op_;
    Isa isa_;
    std::shared_ptr<const TapKernel> floats_;
    std::shared_ptr<const TapKernel> doubles_;
};

}  // namespace

std::unique_ptr<CpuNode> make_max_pool_node(const Node& node, const CompileContext& context) {
    return std::make_unique<MaxPoolNode>(dynamic_cast<const ops::MaxPool&>(node), context);
}

std::unique_ptr<CpuNode> make_avg_pool_node(const Node& node, const CompileContext& context) {
    return std::make_unique<AvgPoolNode>(dynamic_cast<const ops::AvgPool&>(node), context);
}

}  // namespace rondo::cpu
