// Convolution with positions on the lanes. The windows are gathered straight into the panels that
// the product reads, a few at a time.
#include <algorithm>
#include <cstring>

#include "plugins/cpu/kernels/window/convolution.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kPanelBytes = 1 << 14;       // windows that stay in L1 for all filters
constexpr std::int64_t kFewestPanels = 2;           // that a product of many rows reads at once
constexpr std::int64_t kResultTileBytes = 1 << 17;  // results that stay in L2

template <typename T>
class PositionLanes final : public Convolution {
public:
    PositionLanes(const GemmKernel& kernel, const ConvolutionSizes& sizes, int threads)
        : kernel_(kernel),
          windows_(sizes),
          planes_(sizes.batch * sizes.groups),
          groups_(sizes.groups),
          filters_(sizes.filters),
          slices_(std::max(1, threads)) {
        const std::int64_t window = windows_.size(), lanes = kernel.lanes();
        const std::int64_t panels = kernel.panels(windows_.positions());
        const auto fitting = [&](std::int64_t bytes, std::int64_t rows) {
            return bytes / (rows * lanes * std::int64_t{sizeof(T)});
        };
        panels_ = std::clamp(fitting(kPanelBytes, window), std::min(kFewestPanels, panels), panels);
        const std::int64_t share = divide_up(planes_ * panels, slices_);  // of a thread
        tile_panels_ = std::min(fitting(kResultTileBytes, filters_), share);
        tile_panels_ = std::clamp(tile_panels_, panels_, panels);
        tiles_ = divide_up(panels, tile_panels_);
        const auto flops = static_cast<double>(window) * static_cast<double>(filters_) *
                           static_cast<double>(tile_panels_ * lanes);
        grain_ = static_cast<std::int64_t>(kFlopsWorthAThread / (2 * flops)) + 1;
    }

    std::size_t scratch_bytes() const override {
        return static_cast<std::size_t>(slice_elements() * slices_) * sizeof(T);
    }

    void run(const ConvolutionArgs& args, Team& team) const override {
        const std::int64_t jobs = planes_ * tiles_;
        const std::int64_t pieces = std::clamp<std::int64_t>(jobs / grain_, 1, slices_);
        team.run(static_cast<int>(pieces), [&](int slice) {
            T* scratch = static_cast<T*>(args.scratch) + slice * slice_elements();
            std::memset(scratch, 0, static_cast<std::size_t>(bias_elements()) * sizeof(T));
            for (std::int64_t job = jobs * slice / pieces; job < jobs * (slice + 1) / pieces;
                 ++job) {
                run_tile(args, job / tiles_, job % tiles_, scratch);
            }
        });
    }

private:
    std::int64_t bias_elements() const { return panels_ * kernel_.lanes(); }
    std::int64_t slice_elements() const { return bias_elements() * (windows_.size() + 1); }

    // `image`: of the batch times groups.
    void run_tile(const ConvolutionArgs& args, std::int64_t image, std::int64_t tile,
                  T* scratch) const {
        const std::int64_t positions = windows_.positions();
        const std::int64_t first = tile * tile_panels_ * kernel_.lanes();
        const std::int64_t end = std::min(first + tile_panels_ * kernel_.lanes(), positions);
        for (std::int64_t at = first; at < end; at += bias_elements()) {
            run_panels(args, image, {at, std::min(at + bias_elements(), end)}, scratch);
        }
        if (args.done == nullptr) return;
        pass_on(*args.done, image * filters_ * positions + first, end - first);
    }

    void run_panels(const ConvolutionArgs& args, std::int64_t image, Range positions,
                    T* scratch) const {
        const auto* data = static_cast<const T*>(args.data) + image * windows_.image();
        T* const panels = scratch + bias_elements();
        const std::int64_t lanes = kernel_.lanes(), size = windows_.size();
        T* panel = panels;
        for (std::int64_t at = positions.begin; at < positions.end; at += lanes) {
            windows_.gather_panel(data, at, std::min(lanes, positions.end - at), lanes, panel);
            panel += size * lanes;
        }
        GemmArgs gemm;
        gemm.m = filters_;
        gemm.a = static_cast<const T*>(args.filters) + image % groups_ * filters_ * size;
        gemm.a_stride = size;
        gemm.c =
            static_cast<T*>(args.out) + image * filters_ * windows_.positions() + positions.begin;
        gemm.c_stride = windows_.positions();
        kernel_.run({size, positions.size(), panels, scratch}, gemm);
    }

    // `count` positions of each filter, the first of them at `place`.
    void pass_on(const FunctionRef<void(Range)>& done, std::int64_t place,
                 std::int64_t count) const {
        if (count == windows_.positions()) return done({place, place + filters_ * count});
        for (std::int64_t filter = 0; filter < filters_; ++filter) {
            done({place, place + count});
            place += windows_.positions();
        }
    }

    const GemmKernel& kernel_;
    Windows windows_;
    std::int64_t planes_;  // of the batch times groups
    std::int64_t groups_;
    std::int64_t filters_;
    int slices_;
    std::int64_t panels_ = 1;       // that are gathered at once
    std::int64_t tile_panels_ = 1;  // whose results are passed on at once
    std::int64_t tiles_ = 1;        // of a plane
    std::int64_t grain_ = 1;        // tiles that are worth a thread
};

}  // namespace

std::unique_ptr<Convolution> make_position_lanes(const GemmKernel& gemm,
                                                 const ConvolutionSizes& sizes, int threads) {
    if (gemm.weights() == ElementType::f64) {
        return std::make_unique<PositionLanes<double>>(gemm, sizes, threads);
    }
    return std::make_unique<PositionLanes<float>>(gemm, sizes, threads);
}

}  // namespace rondo::cpu
