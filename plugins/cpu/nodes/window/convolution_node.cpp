// Convolution: chooses where filters and positions go, and packs constant filters.
#include "core/ops/window/convolution.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/window/convolution.hpp"
#include "plugins/cpu/nodes/common/epilogue.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/fill_call.hpp"
#include "plugins/cpu/nodes/common/shown_parts.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/makers.hpp"
#include "plugins/cpu/ops/fused_convolution.hpp"

namespace rondo::cpu {
namespace {

ConvolutionSizes sizes_of(const ops::Convolution& op, const CallSite& site) {
    const Shape& data = site.inputs[0].shape;
    const Shape& filters = site.inputs[1].shape;
    ConvolutionSizes sizes;
    sizes.batch = static_cast<std::int64_t>(data[0]);
    sizes.channels = static_cast<std::int64_t>(data[1]);
    sizes.filters = static_cast<std::int64_t>(filters[0]);
    const auto axes = op.axes(data, filters);
    std::size_t to = sizes.axes.size() - axes.size();
    for (const auto& axis : axes) {
        sizes.axes[to++] = {axis.input,  axis.kernel,   axis.output,
                            axis.stride, axis.dilation, axis.pad_begin};
    }
    return sizes;
}

std::int64_t positions_of(const ConvolutionSizes& sizes) {
    std::int64_t positions = 1;
    for (const WindowAxis& axis : sizes.axes) positions *= axis.output;
    return positions;
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
std::int64_t fewest_positions(const ops::Convolution& op, std::int64_t lanes) {
    const PartialShape& shape = op.output_shape(0);
    std::int64_t count = 1;
    for (std::size_t i = 2; shape.has_rank() && i < shape.rank(); ++i) {
        count *= std::clamp<std::int64_t>(shape[i].min(), 1, lanes);
    }
    return count;
}

class FloatNode : public CpuNode {
public:
    // `node` runs the convolution `op`, which may be a part of it. `type`: f32 or f64.
    FloatNode(const Node& node, const ops::Convolution& op, const CompileContext& context,
              ElementType type)
        : CpuNode(node, "convolution_gemm_" + kernel_suffix(context.isa, type),
                  "windows gathered a tile at a time, then a product"),
          op_(op),
          isa_(context.isa),
          kernel_(shared_gemm_kernel(context.isa, type)) {
        const Tensor value = known_value(node.input(1));
        if (!value || value.size() == 0 || value.element_type() != type) return;
        const auto count = static_cast<std::int64_t>(value.shape()[0]);
        const std::int64_t positions = fewest_positions(op, kernel_->lanes());
        if (!suits_filter_lanes(count, positions, kernel_->lanes())) return;
        const Tensor filters = value.contiguous();
        const std::int64_t window = static_cast<std::int64_t>(filters.size()) / count;
        packed_ = kernel_->pack(transposed(filters.data(), window, count));
        has_packed_ = true;
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (size_of(site.inputs[0].type) == 2) {
            return make_widened_call(site, isa_,
                                     [&](const CallSite& wide) { return make(wide, {}); });
        }
        return make(site, {});
    }

protected:
    std::unique_ptr<Call> make(const CallSite& site, std::optional<Epilogue> epilogue) const {
        if (element_count(site.inputs[0].shape) == 0 || element_count(site.inputs[1].shape) == 0) {
            const TensorInfo& result = site.outputs[0];
            return std::make_unique<ConvolutionCall>(
                std::make_unique<NoChannels>(count_of(result.shape), element_bytes(result.type)),
                "", std::move(epilogue));
        }
        const ConvolutionSizes sizes = sizes_of(op_, site);
        const bool suits = suits_filter_lanes(sizes.filters, positions_of(sizes), kernel_->lanes());
        if (has_packed_ && suits) {
            return std::make_unique<ConvolutionCall>(
                make_filter_lanes(*kernel_, packed_.view, sizes, site.threads),
                "filters on the lanes", std::move(epilogue));
        }
        return std::make_unique<ConvolutionCall>(make_position_lanes(*kernel_, sizes, site.threads),
                                                 "", std::move(epilogue));
    }

private:
    const ops::Convolution& op_;
    Isa isa_;
    std::shared_ptr<const GemmKernel> kernel_;
    PackedMatrix packed_;  // filters as [C*kernel, O]
    bool has_packed_ = false;
};

// Shown as the convolution.
class FusedConvolutionNode final : public FloatNode {
public:
    FusedConvolutionNode(const FusedConvolution& op, const ops::Convolution& convolution,
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
    explicit IntegerNode(const ops::Convolution& op)
        : CpuNode(op, "convolution_plain", "integers, in plain loops"), op_(op) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.inputs[0].shape) == 0 || element_count(site.inputs[1].shape) == 0) {
            return make_zero_call(site.outputs[0]);
        }
        return std::make_unique<ConvolutionCall>(
            make_integer_convolution(site.inputs[0].type, sizes_of(op_, site)), "");
    }

private:
    const ops::Convolution& op_;
};

}  // namespace

std::unique_ptr<CpuNode> make_convolution_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const ops::Convolution&>(node);
    const ElementType type = node.output_type(0);
    if (is_integral(type)) return std::make_unique<IntegerNode>(op);
    return std::make_unique<FloatNode>(
        op, op, context, type == ElementType::f64 ? ElementType::f64 : ElementType::f32);
}

std::unique_ptr<CpuNode> make_fused_convolution_node(const Node& node,
                                                     const CompileContext& context) {
    const auto& op = dynamic_cast<const FusedConvolution&>(node);
    const auto& convolution = dynamic_cast<const ops::Convolution&>(*op.parts()[0].op);
    return std::make_unique<FusedConvolutionNode>(op, convolution, context);
}

}  // namespace rondo::cpu
