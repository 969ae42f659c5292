#include "core/ops/convolution.hpp"

#include <algorithm>
#include <cstring>

#include "plugins/cpu/kernels/shared_kernels.hpp"
#include "plugins/cpu/nodes/nodes.hpp"
#include "plugins/cpu/nodes/reference_node.hpp"
#include "plugins/cpu/nodes/share.hpp"

namespace rondo::cpu {
namespace {

// Filters [O, C*kernel] times the data's windows [C*kernel, positions]. The windows are gathered a
// tile at a time, straight into the panels that the product reads.
class ConvolutionCall final : public Call {
public:
    ConvolutionCall(const GemmKernel& kernel, const ops::Convolution& op, const CallSite& site)
        : kernel_(kernel), axes_(op.axes(site.inputs[0].shape, site.inputs[1].shape)) {
        const Shape& data = site.inputs[0].shape;
        batch_ = static_cast<std::int64_t>(data[0]);
        channels_ = static_cast<std::int64_t>(data[1]);
        filters_ = static_cast<std::int64_t>(site.inputs[1].shape[0]);
        while (axes_.size() < 3) axes_.insert(axes_.begin(), unit_axis());
        for (const auto& axis : axes_) {
            window_ *= axis.kernel;
            image_ *= axis.input;
            positions_ *= axis.output;
        }
        window_ *= channels_;
        const std::int64_t lanes = kernel.lanes();
        const std::int64_t fitting = kTileFloats / (window_ * lanes + 1);
        tile_panels_ = std::clamp<std::int64_t>(fitting, 1, kernel.panels(positions_));
        tiles_ = (positions_ + tile_panels_ * lanes - 1) / (tile_panels_ * lanes);
        const auto flops = static_cast<double>(window_) * static_cast<double>(filters_) *
                           static_cast<double>(tile_panels_ * lanes);
        grain_ = static_cast<std::int64_t>(kFlopsWorthAThread / (flops + 1)) + 1;
        slices_ = std::max(1, site.threads);
    }

    std::size_t scratch_bytes() const override {
        return static_cast<std::size_t>(slice_floats() * slices_) * sizeof(float);
    }

    void run(const RunArgs& args) const override {
        const std::int64_t jobs = batch_ * tiles_;
        const std::int64_t pieces = std::clamp<std::int64_t>(jobs / grain_, 1, slices_);
        args.team.run(static_cast<int>(pieces), [&](int slice) {
            float* scratch = static_cast<float*>(args.scratch) + slice * slice_floats();
            std::memset(scratch, 0, static_cast<std::size_t>(bias_floats()) * sizeof(float));
            for (std::int64_t job = jobs * slice / pieces; job < jobs * (slice + 1) / pieces;
                 ++job) {
                run_tile(args, job / tiles_, job % tiles_, scratch);
            }
        });
    }

private:
    static constexpr std::int64_t kTileFloats = 1 << 15;  // 128 KiB: the windows stay in L2
    static constexpr double kFlopsWorthAThread = 5e5;

    static ops::ConvolutionAxis unit_axis() { return {1, 1, 1, 1, 1, 0, 0}; }

    std::int64_t bias_floats() const { return tile_panels_ * kernel_.lanes(); }
    std::int64_t slice_floats() const { return bias_floats() * (window_ + 1); }

    void run_tile(const RunArgs& args, std::int64_t image, std::int64_t tile,
                  float* scratch) const {
        const auto* data = static_cast<const float*>(args.inputs[0]) + image * channels_ * image_;
        const std::int64_t first = tile * bias_floats();
        const std::int64_t count = std::min(bias_floats(), positions_ - first);
        float* panels = scratch + bias_floats();
        for (std::int64_t k = 0; k < window_; ++k) gather_row(data, k, first, count, panels);
        const PackedView windows{window_, count, panels, scratch};
        GemmArgs gemm;
        gemm.m = filters_;
        gemm.a = static_cast<const float*>(args.inputs[1]);
        gemm.a_stride = window_;
        gemm.c = static_cast<float*>(args.outputs[0]) + image * filters_ * positions_ + first;
        gemm.c_stride = positions_;
        kernel_.run(windows, gemm);
    }

    // Row k of the windows: one channel and place in the filter, for `count` positions.
    void gather_row(const float* data, std::int64_t k, std::int64_t first, std::int64_t count,
                    float* panels) const {
        std::int64_t place[3];
        std::int64_t rest = k;
        for (int i = 2; i >= 0; --i) {
            const auto& axis = axes_[static_cast<std::size_t>(i)];
            place[i] = rest % axis.kernel * axis.dilation - axis.pad_begin;
            rest /= axis.kernel;
        }
        const float* channel = data + rest * image_;
        const std::int64_t lanes = kernel_.lanes();
        const std::int64_t columns = axes_[2].output;
        const std::int64_t padded = kernel_.panels(count) * lanes;
        for (std::int64_t p = 0; p < padded;) {
            if (p >= count) {
                put(panels, p++, k, 0.0f);
                continue;
            }
            const std::int64_t position = first + p;
            const std::int64_t column = position % columns;
            const std::int64_t run = std::min(count - p, columns - column);
            const float* line = line_of(channel, position / columns, place);
            for (std::int64_t i = 0; i < run; ++i, ++p) {
                const std::int64_t x = (column + i) * axes_[2].stride + place[2];
                const bool inside = line != nullptr && x >= 0 && x < axes_[2].input;
                put(panels, p, k, inside ? line[x] : 0.0f);
            }
        }
    }

    void put(float* panels, std::int64_t position, std::int64_t k, float value) const {
        const std::int64_t lanes = kernel_.lanes();
        panels[(position / lanes * window_ + k) * lanes + position % lanes] = value;
    }

    // The line of the data that output line `index` meets, or null where it lies in the padding.
    const float* line_of(const float* channel, std::int64_t index,
                         const std::int64_t (&place)[3]) const {
        const std::int64_t y = index % axes_[1].output * axes_[1].stride + place[1];
        const std::int64_t z = index / axes_[1].output * axes_[0].stride + place[0];
        if (y < 0 || y >= axes_[1].input || z < 0 || z >= axes_[0].input) return nullptr;
        return channel + (z * axes_[1].input + y) * axes_[2].input;
    }

    const GemmKernel& kernel_;
    std::vector<ops::ConvolutionAxis> axes_;  // always three: missing ones have extent 1
    std::int64_t batch_ = 0;
    std::int64_t channels_ = 0;
    std::int64_t filters_ = 0;
    std::int64_t window_ = 1;     // C * kernel
    std::int64_t image_ = 1;      // elements of one channel
    std::int64_t positions_ = 1;  // outputs of one filter
    std::int64_t tile_panels_ = 1;
    std::int64_t tiles_ = 1;
    std::int64_t grain_ = 1;  // tiles that are worth a thread
    int slices_ = 1;
};

class ConvolutionNode final : public CpuNode {
public:
    ConvolutionNode(const ops::Convolution& op, const CompileContext& context)
        : CpuNode(op, f32_kernel_name("convolution_gemm", context.isa),
                  "windows gathered a tile at a time, then a product"),
          op_(op),
          kernel_(shared_gemm_kernel(context.isa)) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0 || site.inputs[0].shape[1] == 0) {
            return make_reference_call(node(), site);
        }
        return std::make_unique<ConvolutionCall>(*kernel_, op_, site);
    }

private:
    const ops::Convolution& op_;
    std::shared_ptr<const GemmKernel> kernel_;
};

}  // namespace

std::unique_ptr<CpuNode> make_convolution_node(const Node& node, const CompileContext& context) {
    if (!all_f32(node, 0, 2)) return make_reference_node(node, "the kernel takes f32 only");
    return std::make_unique<ConvolutionNode>(dynamic_cast<const ops::Convolution&>(node), context);
}

}  // namespace rondo::cpu
