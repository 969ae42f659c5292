// Runs Convolution and GroupConvolution, alone or followed by an elementwise program.
#include "core/ops/window/convolutions.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/window/convolution.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/epilogue.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/convolution_kernels.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {
namespace {

ConvolutionSizes sizes_of(const ops::ConvolutionBase& op, const Shape& data, const Shape& filters) {
    return convolution_sizes(op, data, filters, op.axes(data, filters));
}

std::unique_ptr<Call> make_convolution_call(std::shared_ptr<const Convolution> convolution,
                                            std::string detail, std::optional<Epilogue> epilogue) {
    const auto run = [convolution](const RunArgs& args, const EpilogueRun& own) {
        const auto finish = [&](Range done) { own.block(done.begin, done.end); };
        const FunctionRef<void(Range)> done(finish);
        convolution->run({args.inputs[0], args.inputs[1], own.result(), own.scratch(),
                          own.by_blocks() ? &done : nullptr},
                         args.team);
    };
    return make_call(std::move(epilogue), run, {convolution->scratch_bytes(), std::move(detail)});
}

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

bool is_empty(const CallSite& site) {
    return element_count(site.inputs[0].shape) == 0 || element_count(site.inputs[1].shape) == 0 ||
           element_count(site.outputs[0].shape) == 0;
}

// A fused one is shown as the convolution.
class FloatNode final : public CpuNode {
public:
    // `type`: f32 or f64.
    FloatNode(const Node& node, const ops::ConvolutionBase& op, const CompileContext& context,
              ElementType type)
        : CpuNode(node, name_of_kernel(op, node.input(1).shape(), context.isa, type),
                  "windows gathered a tile at a time, then a product; few channels tap by tap"),
          op_(op),
          isa_(context.isa),
          kernels_(context.isa, type, as_op<ops::Convolution>(op) != nullptr),
          epilogues_(context.isa, node, FusedConvolution::kProductParts) {
        show_parts();
        const Tensor value = known_value(node.input(1));
        if (!value || value.size() == 0 || value.element_type() != type) return;
        const Tensor filters = value.contiguous();
        packed_ = kernels_.pack(filters.data(), sizes_of_filters(op, filters.shape()),
                                fewest_positions(op, kernels_.lanes()));
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return epilogues_.prepare(site, [&](const CallSite& own, std::optional<Epilogue> epilogue) {
            return make_widened_call(
                own, isa_, [&](const CallSite& wide) { return make(wide, std::move(epilogue)); });
        });
    }

private:
    std::unique_ptr<Call> make(const CallSite& site, std::optional<Epilogue> epilogue) const {
        const TensorInfo& result = site.outputs[0];
        if (is_empty(site)) {
            return make_convolution_call(
                std::make_shared<NoChannels>(count_of(result.shape), element_bytes(result.type)),
                "", std::move(epilogue));
        }
        const auto sizes = sizes_of(op_, site.inputs[0].shape, site.inputs[1].shape);
        auto chosen = kernels_.make(sizes, packed_, site.threads);
        return make_convolution_call(std::move(chosen.convolution), std::move(chosen.detail),
                                     std::move(epilogue));
    }

    const ops::ConvolutionBase& op_;
    Isa isa_;
    ConvolutionKernels kernels_;
    PackedFilters packed_;
    Epilogues epilogues_;
};

std::unique_ptr<Call> prepare_integer_convolution(const ops::ConvolutionBase& op,
                                                  const CallSite& site) {
    if (is_empty(site)) return make_zero_call(site.outputs[0]);
    const auto sizes = sizes_of(op, site.inputs[0].shape, site.inputs[1].shape);
    return make_convolution_call(make_plain_convolution(site.inputs[0].type, sizes), "", {});
}

}  // namespace

std::unique_ptr<CpuNode> make_convolution_node(const Node& node, const CompileContext& context) {
    const auto& op = product_of<ops::ConvolutionBase>(node);
    const ElementType type = op.output_type(0);
    if (is_integral(type)) {
        return make_function_node(op, {"convolution_plain", "integers, in plain loops"},
                                  prepare_integer_convolution);
    }
    return std::make_unique<FloatNode>(
        node, op, context, type == ElementType::f64 ? ElementType::f64 : ElementType::f32);
}

}  // namespace rondo::cpu
