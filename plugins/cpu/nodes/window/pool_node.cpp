// MaxPool and AvgPool.
#include "core/ops/window/pool.hpp"

#include <algorithm>
#include <utility>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/window/pool.hpp"
#include "plugins/cpu/kernels/window/tap_source.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/convolution_kernels.hpp"

namespace rondo::cpu {
namespace {

std::unique_ptr<Call> make_pool_call(std::shared_ptr<const Pool> pool) {
    const auto run = [pool](const RunArgs& args) {
        void* places = args.outputs.size() > 1 ? args.outputs[1] : nullptr;
        pool->run({args.inputs[0], args.outputs[0], places, args.scratch}, args.team);
    };
    return make_call(run, {pool->scratch_bytes()});
}

PoolSizes sizes_of(const Shape& shape, const std::vector<ops::ConvolutionAxis>& axes) {
    return {static_cast<std::int64_t>(shape[0] * shape[1]), window_axes<3>(axes)};
}

// The kernels of one function in both precisions.
class PoolKernels {
public:
    PoolKernels(Isa isa, TapFunction function)
        : floats_(shared_tap_kernel(isa, {function, Precision::f32})),
          doubles_(shared_tap_kernel(isa, {function, Precision::f64})) {}
    const TapKernel& of(Precision precision) const {
        return precision == Precision::f64 ? *doubles_ : *floats_;
    }

private:
    std::shared_ptr<const TapKernel> floats_;
    std::shared_ptr<const TapKernel> doubles_;
};

bool reads_places(const CallSite& site) {
    return site.outputs.size() > 1 && site.outputs[1].wanted;
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
          kernels_(context.isa, TapFunction::maximum) {}

    bool may_skip_output(std::size_t output) const override { return output == 1; }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        if (reads_places(site) || element_count(site.inputs[0].shape) == 0) return make(site);
        return make_widened_call(site, isa_, [&](const CallSite& wide) { return make(wide); });
    }

private:
    std::unique_ptr<Call> make(const CallSite& site) const {
        const Shape& shape = site.inputs[0].shape;
        const ElementType type = site.inputs[0].type;
        const PoolSizes sizes = sizes_of(shape, op_.axes(shape));
        const bool is_float = type == ElementType::f32 || type == ElementType::f64;
        if (is_float && !reads_places(site) && element_count(shape) > 0 &&
            suits_tap_source(sizes.axes, 1)) {
            const Precision precision = precision_of(type);
            return make_pool_call(
                make_max_pool(kernels_.of(precision), precision, sizes, site.threads));
        }
        PlaceConfig places{site.outputs.size() > 1 ? site.outputs[1].type : ElementType::i64, 1};
        const InferContext context = context_of(op_, site);
        for (std::size_t i = normalize_axis(context, op_.axis(), shape.size()); i < shape.size();
             ++i) {
            places.block *= std::max<std::int64_t>(static_cast<std::int64_t>(shape[i]), 1);
        }
        return make_pool_call(make_pool_with_indices(type, sizes, places));
    }

    const ops::MaxPool& op_;
    Isa isa_;
    PoolKernels kernels_;
};

std::unique_ptr<Call> make_average_call(const ops::AvgPool& op, const PoolKernels& kernels,
                                        const CallSite& site) {
    const Shape& shape = site.inputs[0].shape;
    const auto axes = op.axes(shape);
    const PoolSizes sizes = sizes_of(shape, axes);
    // How many elements a window counts along each axis.
    PoolCounts counts{{{1}, {1}, {1}}};
    std::size_t to = counts.size() - axes.size();
    for (auto& own : op.counts(axes)) counts[to++] = std::move(own);
    const Precision precision = precision_of(site.inputs[0].type);
    const TapKernel* kernel = suits_tap_source(sizes.axes, 1) ? &kernels.of(precision) : nullptr;
    return make_pool_call(
        make_average_pool(kernel, precision, sizes, std::move(counts), site.threads));
}

}  // namespace

std::unique_ptr<CpuNode> make_max_pool_node(const Node& node, const CompileContext& context) {
    return std::make_unique<MaxPoolNode>(dynamic_cast<const ops::MaxPool&>(node), context);
}

std::unique_ptr<CpuNode> make_avg_pool_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const ops::AvgPool&>(node);
    return make_function_node(
        op,
        {"avg_pool_" + kernel_suffix(context.isa, op.output_type(0)),
         "sums line by line, then divided"},
        [&op, isa = context.isa,
         kernels = PoolKernels(context.isa, TapFunction::sum)](const CallSite& site) {
            const bool is_empty = element_count(site.outputs[0].shape) == 0 ||
                                  element_count(site.inputs[0].shape) == 0;
            if (is_empty) return make_zero_call(site.outputs[0]);
            return make_widened_call(site, isa, [&](const CallSite& wide) {
                return make_average_call(op, kernels, wide);
            });
        });
}

}  // namespace rondo::cpu
