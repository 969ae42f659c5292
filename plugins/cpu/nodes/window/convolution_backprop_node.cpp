// Transposed convolutions, grouped or not, as convolutions of stride 1.
#include "core/ops/window/convolutions.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "plugins/cpu/kernels/machine/shared_bytes.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/window/transposed_convolution.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/convolution_kernels.hpp"

namespace rondo::cpu {
namespace {

// The taps of each axis' phases: what a part's filters depend on.
using PartKey = std::vector<std::int64_t>;

PartKey key_of(const TransposedPart& part, bool is_packed) {
    PartKey key{is_packed ? 1 : 0};
    for (const TransposedAxis& axis : part.axes) {
        key.push_back(axis.window.kernel);
        key.push_back(static_cast<std::int64_t>(axis.phases.size()));
        for (const TransposedPhase& phase : axis.phases) key.push_back(phase.tap);
    }
    return key;
}

// Constant filters in the order of a part, for all calls that have such a part.
struct PartFilters {
    AlignedBytes filters;
    PackedFilters packed;
};

std::string name_of_kernel(Isa isa, ElementType type) {
    if (is_integral(type)) return "convolution_backprop_plain";
    return "convolution_backprop_" +
           kernel_suffix(isa, type == ElementType::f64 ? ElementType::f64 : ElementType::f32);
}

class BackpropNode final : public CpuNode {
public:
    BackpropNode(const ops::BackpropBase& op, const CompileContext& context)
        : CpuNode(op, name_of_kernel(context.isa, op.output_type(0)),
                  "convolutions of stride 1, one for outputs that meet as many taps"),
          op_(op),
          isa_(context.isa),
          kernels_(context.isa,
                   op.output_type(0) == ElementType::f64 ? ElementType::f64 : ElementType::f32,
                   false) {
        const Tensor value = known_value(op.input(1));
        const ElementType type = op.output_type(0);
        const bool is_float = type == ElementType::f32 || type == ElementType::f64;
        if (value && is_float && value.element_type() == type) filters_ = value.contiguous();
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0 || element_count(site.inputs[0].shape) == 0 ||
            element_count(site.inputs[1].shape) == 0) {
            return make_zero_call(site.outputs[0]);
        }
        return make_widened_call(site, isa_, [&](const CallSite& wide) { return make(wide); });
    }

private:
    std::unique_ptr<Call> make(const CallSite& site) const {
        const Shape &data = site.inputs[0].shape, &kernel = site.inputs[1].shape;
        const ConvolutionSizes sizes =
            convolution_sizes(op_, data, kernel, op_.axes(data, kernel, site.outputs[0].shape));
        const ElementType type = site.inputs[0].type;
        std::vector<TransposedStep> steps;
        std::vector<std::shared_ptr<const PartFilters>> filters;
        std::string detail;
        for (TransposedPart& part : transposed_parts(sizes)) {
            const ConvolutionSizes one = part.sizes(sizes);
            TransposedStep step;
            if (is_integral(type)) {
                step.convolution = make_plain_convolution(type, one);
            } else {
                filters.push_back(filters_of(part, sizes));
                const PartFilters& own = *filters.back();
                auto chosen = kernels_.make(one, own.packed, site.threads);
                step.convolution = std::move(chosen.convolution);
                detail = std::move(chosen.detail);
                step.filters = own.filters.size() == 0 ? nullptr : own.filters.data();
            }
            step.part = std::move(part);
            steps.push_back(std::move(step));
        }
        const std::shared_ptr<const Convolution> whole =
            make_transposed_convolution(element_bytes(type), sizes, std::move(steps));
        const auto run = [whole, filters = std::move(filters)](const RunArgs& args) {
            whole->run({args.inputs[0], args.inputs[1], args.outputs[0], args.scratch, nullptr},
                       args.team);
        };
        return make_call(run, {whole->scratch_bytes(), std::move(detail)});
    }

    // Empty where the filters come with the run.
    std::shared_ptr<const PartFilters> filters_of(const TransposedPart& part,
                                                  const ConvolutionSizes& sizes) const {
        if (!filters_) return std::make_shared<PartFilters>();
        const ConvolutionSizes one = part.sizes(sizes);
        const std::int64_t positions = positions_of(one);
        const bool is_packed = suits_filter_lanes(one.filters, positions, kernels_.lanes());
        return cache_.find_or_make(key_of(part, is_packed), [&] {
            auto made = std::make_shared<PartFilters>();
            const std::int64_t bytes = element_bytes(filters_.element_type());
            const std::int64_t elements = one.groups * one.filters * one.channels *
                                          axes_product(one.axes, &WindowAxis::kernel);
            made->filters = AlignedBytes(static_cast<std::size_t>(elements * bytes));
            put_transposed_filters(part, sizes, bytes, filters_.data(), made->filters.data());
            made->packed = kernels_.pack(made->filters.data(), one, positions);
            return made;
        });
    }

    const ops::BackpropBase& op_;
    Isa isa_;
    ConvolutionKernels kernels_;
    Tensor filters_;  // constant ones, or an empty handle
    mutable AliveCache<PartKey, const PartFilters> cache_;
};

}  // namespace

std::unique_ptr<CpuNode> make_convolution_backprop_node(const Node& node,
                                                        const CompileContext& context) {
    return std::make_unique<BackpropNode>(dynamic_cast<const ops::BackpropBase&>(node), context);
}

}  // namespace rondo::cpu
