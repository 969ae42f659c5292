// Convolution with filters on the lanes: windows [images * positions, C*kernel] times filters
// [C*kernel, O], then each image's [positions, O] is transposed.
#include <algorithm>

#include "plugins/cpu/kernels/window/convolution.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kTileBytes = 1 << 17;  // the windows stay in L2

template <typename T>
class FilterLanes final : public Convolution {
public:
    FilterLanes(const GemmKernel& kernel, const PackedView& filters, const ConvolutionSizes& sizes,
                int threads)
        : kernel_(kernel), filters_(filters), windows_(sizes), batch_(sizes.batch) {
        const std::int64_t elements = windows_.positions() * std::max(windows_.size(), filters.n);
        const std::int64_t fitting = kTileBytes / std::int64_t{sizeof(T)} / elements;
        group_ = windows_.is_data() ? batch_ : std::clamp<std::int64_t>(fitting, 1, batch_);
        groups_ = (batch_ + group_ - 1) / group_;
        slices_ = std::min<std::int64_t>(groups_, std::max(1, threads));
    }

    std::size_t scratch_bytes() const override {
        return static_cast<std::size_t>(slice_elements() * slices_) * sizeof(T);
    }

    // Several groups are shared among the threads, the product of a single one is.
    void run(const ConvolutionArgs& args, Team& team) const override {
        if (groups_ == 1) {
            return run_group(args, 0, 0,
                             [&](const GemmArgs& gemm) { kernel_.run(filters_, gemm, team); });
        }
        team.run(static_cast<int>(slices_), [&](int slice) {
            for (std::int64_t group = groups_ * slice / slices_;
                 group < groups_ * (slice + 1) / slices_; ++group) {
                run_group(args, group, slice,
                          [&](const GemmArgs& gemm) { kernel_.run(filters_, gemm); });
            }
        });
    }

private:
    std::int64_t slice_elements() const {
        const std::int64_t rows = group_ * windows_.positions();
        const std::int64_t gathered = windows_.is_data() ? 0 : rows * windows_.size();
        const std::int64_t transposed = windows_.positions() == 1 ? 0 : rows * filters_.n;
        return gathered + transposed;
    }

    template <typename Product>
    void run_group(const ConvolutionArgs& args, std::int64_t group, std::int64_t slice,
                   Product product) const {
        const std::int64_t first = group * group_;
        const std::int64_t images = std::min(group_, batch_ - first);
        const std::int64_t positions = windows_.positions();
        const auto* data = static_cast<const T*>(args.data) + first * windows_.image();
        T* out = static_cast<T*>(args.out) + first * positions * filters_.n;
        T* rows = static_cast<T*>(args.scratch) + slice * slice_elements();
        GemmArgs gemm;
        gemm.m = images * positions;
        gemm.a = data;
        gemm.a_stride = windows_.size();
        if (!windows_.is_data()) {
            gather(data, images, rows);
            gemm.a = rows;
            rows += gemm.m * windows_.size();
        }
        T* products = positions == 1 ? out : rows;
        gemm.c = products;
        gemm.c_stride = filters_.n;
        product(gemm);
        if (positions > 1) transpose(products, images, out);
        const std::int64_t place = first * positions * filters_.n;
        if (args.done != nullptr) (*args.done)({place, place + images * positions * filters_.n});
    }

    void gather(const T* data, std::int64_t images, T* rows) const {
        const std::int64_t size = windows_.size(), positions = windows_.positions();
        for (std::int64_t image = 0; image < images; ++image) {
            for (std::int64_t k = 0; k < size; ++k) {
                const WindowTarget<T> target{rows + k, positions, 0, size};
                windows_.gather(data, k, 0, positions, target);
            }
            data += windows_.image();
            rows += positions * size;
        }
    }

    // [images, positions, O] to [images, O, positions].
    void transpose(const T* from, std::int64_t images, T* to) const {
        const std::int64_t positions = windows_.positions();
        for (std::int64_t image = 0; image < images; ++image) {
            for (std::int64_t p = 0; p < positions; ++p, from += filters_.n) {
                for (std::int64_t o = 0; o < filters_.n; ++o) to[o * positions + p] = from[o];
            }
            to += positions * filters_.n;
        }
    }

    const GemmKernel& kernel_;
    PackedView filters_;  // k: C*kernel, n: O
    Windows windows_;
    std::int64_t batch_;
    std::int64_t group_ = 1;  // images at once
    std::int64_t groups_ = 1;
    std::int64_t slices_ = 1;  // threads that take groups
};

}  // namespace

bool suits_filter_lanes(std::int64_t filters, std::int64_t positions, std::int64_t lanes) {
    const auto vectors = [&](std::int64_t count) { return (count + lanes - 1) / lanes; };
    return positions < lanes && positions * vectors(filters) <= filters * vectors(positions);
}

std::unique_ptr<Convolution> make_filter_lanes(const GemmKernel& gemm, const PackedView& filters,
                                               const ConvolutionSizes& sizes, int threads) {
    if (gemm.weights() == ElementType::f64) {
        return std::make_unique<FilterLanes<double>>(gemm, filters, sizes, threads);
    }
    return std::make_unique<FilterLanes<float>>(gemm, filters, sizes, threads);
}

}  // namespace rondo::cpu
