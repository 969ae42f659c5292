// Convolution with positions on the lanes. The windows are gathered a tile at a time, straight into
// the panels that the product reads.
#include <algorithm>
#include <cstring>

#include "plugins/cpu/kernels/window/convolution.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kTileBytes = 1 << 17;  // the windows stay in L2

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
        const std::int64_t fitting = kTileElements / (window * lanes + 1);
        tile_panels_ = std::clamp<std::int64_t>(fitting, 1, kernel.panels(windows_.positions()));
        tiles_ = (windows_.positions() + tile_panels_ * lanes - 1) / (tile_panels_ * lanes);
        const auto flops = static_cast<double>(window) * static_cast<double>(filters_) *
                           static_cast<double>(tile_panels_ * lanes);
        grain_ = static_cast<std::int64_t>(kFlopsWorthAThread / (flops + 1)) + 1;
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
    static constexpr std::int64_t kTileElements = kTileBytes / std::int64_t{sizeof(T)};

    std::int64_t bias_elements() const { return tile_panels_ * kernel_.lanes(); }
    std::int64_t slice_elements() const { return bias_elements() * (windows_.size() + 1); }

    // `image`: of the batch times groups.
    void run_tile(const ConvolutionArgs& args, std::int64_t image, std::int64_t tile,
                  T* scratch) const {
        const auto* data = static_cast<const T*>(args.data) + image * windows_.image();
        const std::int64_t first = tile * bias_elements();
        const std::int64_t count = std::min(bias_elements(), windows_.positions() - first);
        T* panels = scratch + bias_elements();
        const std::int64_t lanes = kernel_.lanes(), size = windows_.size();
        const std::int64_t padding = kernel_.panels(count) * lanes - count;
        for (std::int64_t k = 0; k < size; ++k) {
            const WindowTarget<T> target{panels + k * lanes, lanes, size * lanes, 1};
            windows_.gather(data, k, first, count, target);
            put_zeros(target, count, padding);
        }
        GemmArgs gemm;
        gemm.m = filters_;
        gemm.a = static_cast<const T*>(args.filters) + image % groups_ * filters_ * size;
        gemm.a_stride = size;
        const std::int64_t place = image * filters_ * windows_.positions() + first;
        gemm.c = static_cast<T*>(args.out) + place;
        gemm.c_stride = windows_.positions();
        kernel_.run({size, count, panels, scratch}, gemm);
        if (args.done != nullptr) tell_done(*args.done, place, count);
    }

    // `count` positions of each filter, the first of them at `place`.
    void tell_done(const FunctionRef<void(Range)>& done, std::int64_t place,
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
    std::int64_t tile_panels_ = 1;
    std::int64_t tiles_ = 1;
    std::int64_t grain_ = 1;  // tiles that are worth a thread
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
