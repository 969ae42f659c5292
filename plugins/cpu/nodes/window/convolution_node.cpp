#include "core/ops/window/convolution.hpp"

#include <algorithm>
#include <cstring>

#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/common/share.hpp"
#include "plugins/cpu/nodes/nodes.hpp"

namespace rondo::cpu {
namespace {

// Where element k of each window goes: in panels of `run` positions, or in rows of a window each,
// where a run is all positions. Position p: base + p / run * run_stride + p % run * step.
struct Target {
    float* base;
    std::int64_t run;
    std::int64_t run_stride;
    std::int64_t step;
};

// `count` elements, `stride` apart, to the places from p on; zeros where `from` is null.
void put(const Target& target, std::int64_t p, const float* from, std::int64_t stride,
         std::int64_t count) {
    while (count > 0) {
        const std::int64_t inner = p % target.run;
        const std::int64_t some = std::min(count, target.run - inner);
        float* to = target.base + p / target.run * target.run_stride + inner * target.step;
        if (from == nullptr) {
            for (std::int64_t i = 0; i < some; ++i) to[i * target.step] = 0.0f;
        } else if (target.step == 1 && stride == 1) {
            std::copy_n(from, some, to);
        } else {
            for (std::int64_t i = 0; i < some; ++i) to[i * target.step] = from[i * stride];
        }
        if (from != nullptr) from += some * stride;
        p += some;
        count -= some;
    }
}

// Where the filters meet the data: [C*kernel] elements a window, a window for each output position.
class Windows {
public:
    Windows(const ops::Convolution& op, const CallSite& site)
        : axes_(op.axes(site.inputs[0].shape, site.inputs[1].shape)) {
        channels_ = static_cast<std::int64_t>(site.inputs[0].shape[1]);
        while (axes_.size() < 3)
            axes_.insert(axes_.begin(), ops::ConvolutionAxis{1, 1, 1, 1, 1, 0, 0});
        for (const auto& axis : axes_) {
            size_ *= axis.kernel;
            channel_ *= axis.input;
            positions_ *= axis.output;
            is_data_ = is_data_ && axis.kernel == 1 && axis.input == 1 && axis.output == 1 &&
                       axis.pad_begin == 0;
        }
        size_ *= channels_;
    }

    std::int64_t size() const { return size_; }                  // elements of a window
    std::int64_t positions() const { return positions_; }        // outputs of one filter
    std::int64_t image() const { return channels_ * channel_; }  // elements of the data
    bool is_data() const { return is_data_; }  // the only window is the data as it lies

    // Element k of the windows of `count` positions, from `first` on.
    void gather(const float* data, std::int64_t k, std::int64_t first, std::int64_t count,
                const Target& target) const {
        std::int64_t place[3];
        std::int64_t rest = k;
        for (int i = 2; i >= 0; --i) {
            const auto& axis = axes_[static_cast<std::size_t>(i)];
            place[i] = rest % axis.kernel * axis.dilation - axis.pad_begin;
            rest /= axis.kernel;
        }
        const float* channel = data + rest * channel_;
        const std::int64_t columns = axes_[2].output;
        for (std::int64_t p = 0; p < count;) {
            const std::int64_t column = (first + p) % columns;
            const std::int64_t run = std::min(count - p, columns - column);
            const float* line = line_of(channel, (first + p) / columns, place);
            gather_line(line, column * axes_[2].stride + place[2], p, run, target);
            p += run;
        }
    }

private:
    // Elements x, x + stride and so on of a line; those outside of it are zeros.
    void gather_line(const float* line, std::int64_t x, std::int64_t p, std::int64_t count,
                     const Target& target) const {
        const std::int64_t stride = axes_[2].stride, end = line == nullptr ? x : axes_[2].input;
        const auto before = [&](std::int64_t limit) {  // how many lie before it
            return limit <= x ? 0 : std::min((limit - x + stride - 1) / stride, count);
        };
        const std::int64_t zeros = std::min(before(0), before(end)), inside = before(end) - zeros;
        put(target, p, nullptr, 1, zeros);
        if (inside > 0) put(target, p + zeros, line + x + zeros * stride, stride, inside);
        put(target, p + zeros + inside, nullptr, 1, count - zeros - inside);
    }

    // The line of the data that output line `index` meets, or null where it lies in the padding.
    const float* line_of(const float* channel, std::int64_t index,
                         const std::int64_t (&place)[3]) const {
        const std::int64_t y = index % axes_[1].output * axes_[1].stride + place[1];
        const std::int64_t z = index / axes_[1].output * axes_[0].stride + place[0];
        if (y < 0 || y >= axes_[1].input || z < 0 || z >= axes_[0].input) return nullptr;
        return channel + (z * axes_[1].input + y) * axes_[2].input;
    }

    std::vector<ops::ConvolutionAxis> axes_;  // always three: missing ones have extent 1
    std::int64_t channels_ = 0;
    std::int64_t channel_ = 1;  // elements of one channel
    std::int64_t size_ = 1;
    std::int64_t positions_ = 1;
    bool is_data_ = true;
};

constexpr std::int64_t kTileFloats = 1 << 15;  // 128 KiB: the windows stay in L2

// Filters [O, C*kernel] times the data's windows [C*kernel, positions]. The windows are gathered a
// tile at a time, straight into the panels that the product reads.
class ConvolutionCall final : public Call {
public:
    ConvolutionCall(const GemmKernel& kernel, const Windows& windows, const CallSite& site)
        : kernel_(kernel), windows_(windows) {
        batch_ = static_cast<std::int64_t>(site.inputs[0].shape[0]);
        filters_ = static_cast<std::int64_t>(site.inputs[1].shape[0]);
        const std::int64_t window = windows.size(), lanes = kernel.lanes();
        const std::int64_t fitting = kTileFloats / (window * lanes + 1);
        tile_panels_ = std::clamp<std::int64_t>(fitting, 1, kernel.panels(windows.positions()));
        tiles_ = (windows.positions() + tile_panels_ * lanes - 1) / (tile_panels_ * lanes);
        const auto flops = static_cast<double>(window) * static_cast<double>(filters_) *
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
    static constexpr double kFlopsWorthAThread = 5e5;

    std::int64_t bias_floats() const { return tile_panels_ * kernel_.lanes(); }
    std::int64_t slice_floats() const { return bias_floats() * (windows_.size() + 1); }

    void run_tile(const RunArgs& args, std::int64_t image, std::int64_t tile,
                  float* scratch) const {
        const auto* data = static_cast<const float*>(args.inputs[0]) + image * windows_.image();
        const std::int64_t first = tile * bias_floats();
        const std::int64_t count = std::min(bias_floats(), windows_.positions() - first);
        float* panels = scratch + bias_floats();
        const std::int64_t lanes = kernel_.lanes(), size = windows_.size();
        const std::int64_t padding = kernel_.panels(count) * lanes - count;
        for (std::int64_t k = 0; k < size; ++k) {
            const Target target{panels + k * lanes, lanes, size * lanes, 1};
            windows_.gather(data, k, first, count, target);
            put(target, count, nullptr, 1, padding);
        }
        GemmArgs gemm;
        gemm.m = filters_;
        gemm.a = static_cast<const float*>(args.inputs[1]);
        gemm.a_stride = windows_.size();
        gemm.c =
            static_cast<float*>(args.outputs[0]) + image * filters_ * windows_.positions() + first;
        gemm.c_stride = windows_.positions();
        kernel_.run({windows_.size(), count, panels, scratch}, gemm);
    }

    const GemmKernel& kernel_;
    Windows windows_;
    std::int64_t batch_ = 0;
    std::int64_t filters_ = 0;
    std::int64_t tile_panels_ = 1;
    std::int64_t tiles_ = 1;
    std::int64_t grain_ = 1;  // tiles that are worth a thread
    int slices_ = 1;
};

// Vectors that each way of putting a product on the lanes takes: filters, or positions.
bool suits_filters_on_lanes(std::int64_t filters, std::int64_t positions, std::int64_t lanes) {
    const auto vectors = [&](std::int64_t count) { return (count + lanes - 1) / lanes; };
    return positions < lanes && positions * vectors(filters) <= filters * vectors(positions);
}

// Few positions leave most lanes of the product above empty. Here the lanes are filters, packed at
// compile time: windows [images * positions, C*kernel] times filters [C*kernel, O], then each
// image's [positions, O] is turned round. The sums have the same order.
class FewPositionsCall final : public Call {
public:
    FewPositionsCall(const GemmKernel& kernel, const PackedView& filters, const Windows& windows,
                     const CallSite& site)
        : kernel_(kernel),
          filters_(filters),
          windows_(windows),
          batch_(static_cast<std::int64_t>(site.inputs[0].shape[0])) {
        const std::int64_t floats = windows.positions() * std::max(windows.size(), filters.n);
        group_ = std::clamp<std::int64_t>(kTileFloats / floats, 1, batch_);
        if (windows.is_data()) group_ = batch_;
        groups_ = (batch_ + group_ - 1) / group_;
        slices_ = std::min<std::int64_t>(groups_, std::max(1, site.threads));
    }

    std::size_t scratch_bytes() const override {
        return static_cast<std::size_t>(slice_floats() * slices_) * sizeof(float);
    }

    // Several groups are shared among the threads, the product of a single one is.
    void run(const RunArgs& args) const override {
        if (groups_ == 1) {
            return run_group(args, 0, 0,
                             [&](const GemmArgs& gemm) { kernel_.run(filters_, gemm, args.team); });
        }
        args.team.run(static_cast<int>(slices_), [&](int slice) {
            for (std::int64_t group = groups_ * slice / slices_;
                 group < groups_ * (slice + 1) / slices_; ++group) {
                run_group(args, group, slice,
                          [&](const GemmArgs& gemm) { kernel_.run(filters_, gemm); });
            }
        });
    }
    std::string detail() const override { return "filters on the lanes"; }

private:
    std::int64_t slice_floats() const {
        const std::int64_t rows = group_ * windows_.positions();
        const std::int64_t gathered = windows_.is_data() ? 0 : rows * windows_.size();
        const std::int64_t turned = windows_.positions() == 1 ? 0 : rows * filters_.n;
        return gathered + turned;
    }

    template <typename Product>
    void run_group(const RunArgs& args, std::int64_t group, std::int64_t slice,
                   Product product) const {
        const std::int64_t first = group * group_;
        const std::int64_t images = std::min(group_, batch_ - first);
        const std::int64_t positions = windows_.positions();
        const auto* data = static_cast<const float*>(args.inputs[0]) + first * windows_.image();
        float* out = static_cast<float*>(args.outputs[0]) + first * positions * filters_.n;
        float* rows = static_cast<float*>(args.scratch) + slice * slice_floats();
        GemmArgs gemm;
        gemm.m = images * positions;
        gemm.a = data;
        gemm.a_stride = windows_.size();
        if (!windows_.is_data()) {
            gather(data, images, rows);
            gemm.a = rows;
            rows += gemm.m * windows_.size();
        }
        float* products = positions == 1 ? out : rows;
        gemm.c = products;
        gemm.c_stride = filters_.n;
        product(gemm);
        if (positions > 1) turn(products, images, out);
    }

    void gather(const float* data, std::int64_t images, float* rows) const {
        const std::int64_t size = windows_.size(), positions = windows_.positions();
        for (std::int64_t image = 0; image < images; ++image) {
            for (std::int64_t k = 0; k < size; ++k) {
                windows_.gather(data, k, 0, positions, {rows + k, positions, 0, size});
            }
            data += windows_.image();
            rows += positions * size;
        }
    }

    // [images, positions, O] to [images, O, positions].
    void turn(const float* from, std::int64_t images, float* to) const {
        const std::int64_t positions = windows_.positions();
        for (std::int64_t image = 0; image < images; ++image) {
            for (std::int64_t p = 0; p < positions; ++p, from += filters_.n) {
                for (std::int64_t o = 0; o < filters_.n; ++o) to[o * positions + p] = from[o];
            }
            to += positions * filters_.n;
        }
    }

    const GemmKernel& kernel_;
    const PackedView& filters_;  // k: C*kernel, n: O
    Windows windows_;
    std::int64_t batch_ = 0;
    std::int64_t group_ = 1;  // images at once
    std::int64_t groups_ = 1;
    std::int64_t slices_ = 1;  // threads that take groups
};

class ConvolutionNode final : public CpuNode {
public:
    ConvolutionNode(const ops::Convolution& op, const CompileContext& context)
        : CpuNode(op, f32_kernel_name("convolution_gemm", context.isa),
                  "windows gathered a tile at a time, then a product"),
          op_(op),
          kernel_(shared_gemm_kernel(context.isa)) {
        const Tensor value = op.input(1).node().known_value(op.input(1).index());
        if (!value || value.size() == 0) return;
        const Tensor filters = value.contiguous();
        const auto count = static_cast<std::int64_t>(filters.shape()[0]);
        if (!suits_filters_on_lanes(count, fewest_positions(), kernel_->lanes())) return;
        const std::int64_t window = static_cast<std::int64_t>(filters.size()) / count;
        packed_ = kernel_->pack(transposed(filters.data<float>(), window, count));
        has_packed_ = true;
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0 || site.inputs[0].shape[1] == 0) {
            return make_reference_call(node(), site);
        }
        const Windows windows(op_, site);
        const auto filters = static_cast<std::int64_t>(site.inputs[1].shape[0]);
        if (has_packed_ && suits_filters_on_lanes(filters, windows.positions(), kernel_->lanes())) {
            return std::make_unique<FewPositionsCall>(*kernel_, packed_.view, windows, site);
        }
        return std::make_unique<ConvolutionCall>(*kernel_, windows, site);
    }

private:
    // Of one filter, as far as shapes are known.
    std::int64_t fewest_positions() const {
        const PartialShape& shape = op_.output_shape(0);
        std::int64_t count = 1;
        for (std::size_t i = 2; shape.has_rank() && i < shape.rank(); ++i) {
            count *= std::clamp<std::int64_t>(shape[i].min(), 1, kernel_->lanes());
        }
        return count;
    }

    const ops::Convolution& op_;
    std::shared_ptr<const GemmKernel> kernel_;
    PackedMatrix packed_;  // filters as [C*kernel, O]
    bool has_packed_ = false;
};

}  // namespace

std::unique_ptr<CpuNode> make_convolution_node(const Node& node, const CompileContext& context) {
    if (!all_f32(node, 0, 2)) return make_reference_node(node, "the kernel takes f32 only");
    return std::make_unique<ConvolutionNode>(dynamic_cast<const ops::Convolution&>(node), context);
}

}  // namespace rondo::cpu
