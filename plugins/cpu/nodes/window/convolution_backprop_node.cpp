// Transposed convolutions, grouped or not, as convolutions of stride 1.
#include "core/ops/window/convolution_backprop_data.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "core/support/process.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/window/transposed_convolution.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/convolution_kernels.hpp"
#include "plugins/cpu/nodes/window/makers.hpp"

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

class PartFiltersCache {
public:
    template <typename Make>
    std::shared_ptr<const PartFilters> find_or_make(const PartKey& key, Make make) {
        const std::lock_guard lock(mutex_);
        std::erase_if(entries_, [](const auto& entry) { return entry.second.expired(); });
        for (const auto& [known, filters] : entries_) {
            if (known != key) continue;
            if (auto alive = filters.lock()) return alive;
        }
        std::shared_ptr<const PartFilters> made = make();
        entries_.emplace_back(key, made);
        return made;
    }

private:
    ForkMutex mutex_;
    std::vector<std::pair<PartKey, std::weak_ptr<const PartFilters>>> entries_;
};

class BackpropCall final : public Call {
public:
    BackpropCall(std::unique_ptr<Convolution> convolution,
                 std::vector<std::shared_ptr<const PartFilters>> filters, std::string detail)
        : filters_(std::move(filters)),
          convolution_(std::move(convolution)),
          detail_(std::move(detail)) {}

    std::size_t scratch_bytes() const override { return convolution_->scratch_bytes(); }
    std::string detail() const override { return detail_; }
    void run(const RunArgs& args) const override {
        convolution_->run({args.inputs[0], args.inputs[1], args.outputs[0], args.scratch, nullptr},
                          args.team);
    }

private:
    std::vector<std::shared_ptr<const PartFilters>> filters_;
    std::unique_ptr<Convolution> convolution_;
    std::string detail_;
};

ConvolutionSizes sizes_of(const ops::BackpropBase& op, const CallSite& site) {
    const Shape &data = site.inputs[0].shape, &filters = site.inputs[1].shape;
    const auto [batch, groups, channels, filter_count] = op.sizes(data, filters);
    ConvolutionSizes sizes;
    sizes.batch = static_cast<std::int64_t>(batch);
    sizes.groups = static_cast<std::int64_t>(groups);
    sizes.channels = static_cast<std::int64_t>(channels);
    sizes.filters = static_cast<std::int64_t>(filter_count);
    const auto axes = op.axes(data, filters, site.outputs[0].shape);
    std::size_t to = sizes.axes.size() - axes.size();
    for (const auto& axis : axes) {
        sizes.axes[to++] = {axis.input,  axis.kernel,   axis.output,
                            axis.stride, axis.dilation, axis.pad_begin};
    }
    return sizes;
}

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
        if (is_half(site.inputs[0].type)) {
            return make_widened_call(site, isa_, [&](const CallSite& wide) { return make(wide); });
        }
        return make(site);
    }

private:
    std::unique_ptr<Call> make(const CallSite& site) const {
        const ConvolutionSizes sizes = sizes_of(op_, site);
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
        return std::make_unique<BackpropCall>(
            make_transposed_convolution(element_bytes(type), sizes, std::move(steps)),
            std::move(filters), std::move(detail));
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
            std::int64_t elements = one.groups * one.filters * one.channels;
            for (const WindowAxis& axis : one.axes) elements *= axis.kernel;
            made->filters = AlignedBytes(static_cast<std::size_t>(elements * bytes));
            put_transposed_filters(part, sizes, bytes, filters_.data(), made->filters.data());
            made->packed = kernels_.pack(made->filters.data(), one, positions);
            return std::shared_ptr<const PartFilters>(std::move(made));
        });
    }

    const ops::BackpropBase& op_;
    Isa isa_;
    ConvolutionKernels kernels_;
    Tensor filters_;  // constant ones, or an empty handle
    mutable PartFiltersCache cache_;
};

}  // namespace

std::unique_ptr<CpuNode> make_convolution_backprop_node(const Node& node,
                                                        const CompileContext& context) {
    return std::make_unique<BackpropNode>(dynamic_cast<const ops::BackpropBase&>(node), context);
}

}  // namespace rondo::cpu
