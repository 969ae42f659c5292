// Convolution and GroupConvolution, alone and with an elementwise program behind.
#include "core/ops/window/convolution.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/window/convolution.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/epilogue.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/shown_parts.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/convolution_kernels.hpp"
#include "plugins/cpu/nodes/window/makers.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {
namespace {

ConvolutionSizes sizes_of(const ops::ConvolutionBase& op, const Shape& data, const Shape& filters) {
    const auto [batch, groups, channels, filter_count] = op.sizes(data, filters);
    ConvolutionSizes sizes;
    sizes.batch = static_cast<std::int64_t>(batch);
    sizes.groups = static_cast<std::int64_t>(groups);
    sizes.channels = static_cast<std::int64_t>(channels);
    sizes.filters = static_cast<std::int64_t>(filter_count);
    const auto axes = op.axes(data, filters);
    std::size_t to = sizes.axes.size() - axes.size();
    for (const auto& axis : axes) {
        sizes.axes[to++] = {axis.input,  axis.kernel,   axis.output,
                            axis.stride, axis.dilation, axis.pad_begin};
    }
    return sizes;
}

class ConvolutionCall final : public Call {
public:
    ConvolutionCall(std::unique_ptr<Convolution> convolution, std::string detail,
                    std::optional<Epilogue> epilogue = {})
        : convolution_(std::move(convolution)),
          detail_(std::move(detail)),
          epilogue_(std::move(epilogue)) {}

    std::size_t scratch_bytes() const override {
        return convolution_->scratch_bytes() + (epilogue_ ? epilogue_->scratch_bytes() : 0);
    }
    std::string detail() const override { return detail_; }
    void run(const RunArgs& args) const override {
        const EpilogueRun epilogue(epilogue_ ? &*epilogue_ : nullptr, args);
        const auto finish = [&](Range done) { epilogue.block(done.begin, done.end); };
        const FunctionRef<void(Range)> done(finish);
        convolution_->run({args.inputs[0], args.inputs[1], epilogue.result(), epilogue.scratch(),
                           epilogue.by_blocks() ? &done : nullptr},
                          args.team);
        epilogue.finish();
    }

private:
    std::unique_ptr<Convolution> convolution_;
    std::string detail_;
    std::optional<Epilogue> epilogue_;
};

// Without channels: sums of nothing.
class NoChannels final : public Convolution {
public:
    NoChannels(std::int64_t elements, std::int64_t element_bytes)
        : elements_(elements), bytes_(elements * element_bytes) {}

    void run(const ConvolutionArgs& args, Team&) const override {
        std::memset(args.out, 0, static_cast<std::size_t>(bytes_));
        if (args.done != nullptr) (*args.done)({0, elements_});
    }

private:
    std::int64_t elements_;
    std::int64_t bytes_;
};

// The output positions of one filter, as far as shapes are known.
std::int64_t fewest_positions(const ops::ConvolutionBase& op, std::int64_t lanes) {
    const PartialShape& shape = op.output_shape(0);
    std::int64_t count = 1;
    for (std::size_t i = 2; shape.has_rank() && i < shape.rank(); ++i) {
        count *= std::clamp<std::int64_t>(shape[i].min(), 1, lanes);
    }
    return count;
}

// What constant filters say of the sizes; the data's are not known yet.
ConvolutionSizes sizes_of_filters(const ops::ConvolutionBase& op, const Shape& filters) {
    const std::size_t leading = as_op<ops::GroupConvolution>(op) != nullptr ? 3 : 2;
    Shape data(filters.size() - leading + 2, 1);
    data[1] = leading == 3 ? filters[0] * filters[2] : filters[1];
    for (std::size_t i = 2; i < data.size(); ++i) data[i] = filters[i - 2 + leading];
    return sizes_of(op, data, filters);
}

// `filters`: their shape in the graph.
std::string name_of_kernel(const ops::ConvolutionBase& op, const PartialShape& filters, Isa isa,
                           ElementType type) {
    const bool is_depthwise = as_op<ops::GroupConvolution>(op) != nullptr && filters.has_rank() &&
                              filters[1] == Dimension(1) && filters[2] == Dimension(1);
    return (is_depthwise ? "convolution_depthwise_" : "convolution_gemm_") +
           kernel_suffix(isa, type);
}

class FloatNode : public CpuNode {
public:
    // `node` runs the convolution `op`, which may be a part of it. `type`: f32 or f64.
    FloatNode(const Node& node, const ops::ConvolutionBase& op, const CompileContext& context,
              ElementType type)
        : CpuNode(node, name_of_kernel(op, node.input(1).shape(), context.isa, type),
                  "windows gathered a tile at a time, then a product; few channels tap by tap"),
          op_(op),
          isa_(context.isa),
          kernels_(context.isa, type, as_op<ops::Convolution>(op) != nullptr) {
        const Tensor value = known_value(node.input(1));
        if (!value || value.size() == 0 || value.element_type() != type) return;
        const Tensor filters = value.contiguous();
        packed_ = kernels_.pack(filters.data(), sizes_of_filters(op, filters.shape()),
                                fewest_positions(op, kernels_.lanes()));
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (is_half(site.inputs[0].type)) {
            return make_widened_call(site, isa_,
                                     [&](const CallSite& wide) { return make(wide, {}); });
        }
        return make(site, {});
    }

protected:
    std::unique_ptr<Call> make(const CallSite& site, std::optional<Epilogue> epilogue) const {
        const Shape &data = site.inputs[0].shape, &filters = site.inputs[1].shape;
        const TensorInfo& result = site.outputs[0];
        if (element_count(data) == 0 || element_count(filters) == 0 ||
            element_count(result.shape) == 0) {
            return std::make_unique<ConvolutionCall>(
                std::make_unique<NoChannels>(count_of(result.shape), element_bytes(result.type)),
                "", std::move(epilogue));
        }
        auto chosen = kernels_.make(sizes_of(op_, data, filters), packed_, site.threads);
        return std::make_unique<ConvolutionCall>(std::move(chosen.convolution),
                                                 std::move(chosen.detail), std::move(epilogue));
    }

private:
    const ops::ConvolutionBase& op_;
    Isa isa_;
    ConvolutionKernels kernels_;
    PackedFilters packed_;
};

// Shown as the convolution.
class FusedConvolutionNode final : public FloatNode {
public:
    FusedConvolutionNode(const FusedConvolution& op, const ops::ConvolutionBase& convolution,
                         const CompileContext& context)
        : FloatNode(op, convolution, context, convolution.output_type(0)),
          op_(op),
          epilogue_(make_epilogue_kernel(context.isa, op, FusedConvolution::kProductParts)),
          parts_(parts_behind_first(op, kernel_name())) {}

    ShownOp shown() const override { return shown_first(op_); }
    std::span<const NodePart> parts() const override { return parts_; }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const TensorInfo result = result_of(op_, FusedConvolution::kProductParts, site);
        return make({site.inputs, {&result, 1}, site.threads}, Epilogue(epilogue_, site, result));
    }

private:
    const FusedConvolution& op_;
    EpilogueKernel epilogue_;
    std::vector<NodePart> parts_;
};

class IntegerNode final : public CpuNode {
public:
    explicit IntegerNode(const ops::ConvolutionBase& op)
        : CpuNode(op, "convolution_plain", "integers, in plain loops"), op_(op) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.inputs[0].shape) == 0 || element_count(site.inputs[1].shape) == 0 ||
            element_count(site.outputs[0].shape) == 0) {
            return make_zero_call(site.outputs[0]);
        }
        const ConvolutionSizes sizes = sizes_of(op_, site.inputs[0].shape, site.inputs[1].shape);
        return std::make_unique<ConvolutionCall>(make_plain_convolution(site.inputs[0].type, sizes),
                                                 "");
    }

private:
    const ops::ConvolutionBase& op_;
};

}  // namespace

std::unique_ptr<CpuNode> make_convolution_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const ops::ConvolutionBase&>(node);
    const ElementType type = node.output_type(0);
    if (is_integral(type)) return std::make_unique<IntegerNode>(op);
    return std::make_unique<FloatNode>(
        op, op, context, type == ElementType::f64 ? ElementType::f64 : ElementType::f32);
}

std::unique_ptr<CpuNode> make_fused_convolution_node(const Node& node,
                                                     const CompileContext& context) {
    const auto& op = dynamic_cast<const FusedConvolution&>(node);
    const auto& convolution = dynamic_cast<const ops::ConvolutionBase&>(*op.parts()[0].op);
    return std::make_unique<FusedConvolutionNode>(op, convolution, context);
}

}  // namespace rondo::cpu
