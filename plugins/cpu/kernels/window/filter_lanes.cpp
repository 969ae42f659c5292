// Convolution with filters on the lanes: windows [images * positions, C*kernel] times filters
// [C*kernel, O], then each image's [positions, O] is transposed.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "plugins/cpu/kernels/product/panel_pack.hpp"
#include "plugins/cpu/kernels/window/convolution.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kWindowTileBytes = 1 << 17;  // the windows stay in L2

template <typename T>
class FilterLanes final : public Convolution {
public:
    FilterLanes(const GemmKernel& kernel, const PackedView& filters, const ConvolutionSizes& sizes,
                int threads)
        : kernel_(kernel), filters_(filters), windows_(sizes), batch_(sizes.batch) {
        const std::int64_t gathered = gathers() ? windows_.size() : 0;
        const std::int64_t elements = windows_.positions() * std::max(gathered, filters.n);
        const std::int64_t fitting = kWindowTileBytes / std::int64_t{sizeof(T)} / elements;
        const std::int64_t most =
            windows_.is_data() ? batch_ : std::clamp<std::int64_t>(fitting, 1, batch_);
        groups_ = divide_up(batch_, most);
        const double flops = 2.0 * static_cast<double>(batch_ * windows_.positions()) *
                             static_cast<double>(filters.k * filters.n);
        if (!windows_.is_data() && flops >= 2 * kFlopsWorthAThread) {
            const std::int64_t equal = std::max(1, threads);  // as many for each thread
            groups_ = std::min(divide_up(groups_, equal) * equal, batch_);
        }
        group_ = divide_up(batch_, groups_);
        groups_ = divide_up(batch_, group_);
        slices_ = {slice_bytes(), std::min<std::int64_t>(groups_, threads)};
    }

    std::size_t scratch_bytes() const override { return slices_.bytes(); }

    // Several groups are shared among the threads, the product of a single one is.
    void run(const ConvolutionArgs& args, Team& team) const override {
        if (groups_ == 1) {
            return run_group(args, 0, slices_.slice(args.scratch, 0),
                             [&](const GemmArgs& gemm) { kernel_.run(filters_, gemm, team); });
        }
        slices_.share(team, groups_, 1, args.scratch,
                      [&](std::int64_t begin, std::int64_t end, std::byte* scratch) {
                          for (std::int64_t group = begin; group < end; ++group) {
                              run_group(args, group, scratch,
                                        [&](const GemmArgs& gemm) { kernel_.run(filters_, gemm); });
                          }
                      });
    }

private:
    bool gathers() const { return !windows_.is_data() && !windows_.lie_in_data(); }

    // What a group takes: the windows or pointers to them.
    std::size_t windows_bytes() const {
        const auto rows = static_cast<std::size_t>(group_ * windows_.positions());
        if (windows_.is_data()) return 0;
        if (windows_.lie_in_data()) return whole_lines(rows * sizeof(void*));
        return whole_lines(rows * static_cast<std::size_t>(windows_.size()) * sizeof(T));
    }
    // And the products, unless these are the result.
    std::size_t slice_bytes() const {
        const std::int64_t products =
            windows_.positions() == 1 ? 0 : group_ * windows_.positions() * filters_.n;
        return windows_bytes() + whole_lines(static_cast<std::size_t>(products) * sizeof(T));
    }

    template <typename Product>
    void run_group(const ConvolutionArgs& args, std::int64_t group, std::byte* scratch,
                   Product product) const {
        const std::int64_t first = group * group_;
        const std::int64_t images = std::min(group_, batch_ - first);
        const std::int64_t positions = windows_.positions();
        const auto* data = static_cast<const T*>(args.data) + first * windows_.image();
        T* out = static_cast<T*>(args.out) + first * positions * filters_.n;
        GemmArgs gemm;
        gemm.m = images * positions;
        gemm.a = data;
        gemm.a_stride = windows_.size();
        if (gathers()) {
            gather(data, images, reinterpret_cast<T*>(scratch));
            gemm.a = scratch;
        } else if (!windows_.is_data()) {
            point(data, images, reinterpret_cast<const void**>(scratch));
            gemm.a_rows = reinterpret_cast<const void* const*>(scratch);
        }
        T* products = positions == 1 ? out : reinterpret_cast<T*>(scratch + windows_bytes());
        gemm.c = products;
        gemm.c_stride = filters_.n;
        product(gemm);
        if (positions > 1) transpose(products, images, out);
        const std::int64_t place = first * positions * filters_.n;
        if (args.done != nullptr) (*args.done)({place, place + images * positions * filters_.n});
    }

    void gather(const T* data, std::int64_t images, T* rows) const {
        for (std::int64_t image = 0; image < images; ++image) {
            windows_.gather_rows(data, rows);
            data += windows_.image();
            rows += windows_.positions() * windows_.size();
        }
    }

    void point(const T* data, std::int64_t images, const void** rows) const {
        for (std::int64_t image = 0; image < images; ++image) {
            windows_.point_to_rows(data, rows);
            data += windows_.image();
            rows += windows_.positions();
        }
    }

    // [images, positions, O] to [images, O, positions].
    void transpose(const T* from, std::int64_t images, T* to) const {
        const std::int64_t positions = windows_.positions(), count = positions * filters_.n;
        for (std::int64_t image = 0; image < images; ++image, from += count, to += count) {
            pack_panel({from, filters_.n, 1, positions, filters_.n}, {to, positions, positions},
                       sizeof(T));
        }
    }

    const GemmKernel& kernel_;
    PackedView filters_;  // k: C*kernel, n: O
    Windows windows_;
    std::int64_t batch_;
    std::int64_t group_ = 1;  // images at once
    std::int64_t groups_ = 1;
    SliceScratch slices_{0, 1};  // of threads that take groups
};

// Filters of several groups: each image of each group by itself.
template <typename T>
class GroupedFilterLanes final : public Convolution {
public:
    GroupedFilterLanes(const GemmKernel& kernel, std::span<const PackedView> filters,
                       ConvolutionSizes sizes, int threads)
        : planes_(sizes.batch * sizes.groups), data_(sizes.channels), out_(sizes.filters) {
        data_ *= axes_product(sizes.axes, &WindowAxis::input);
        out_ *= axes_product(sizes.axes, &WindowAxis::output);
        sizes.batch = sizes.groups = 1;
        std::size_t bytes = 0;
        for (const PackedView& group : filters) {
            bytes = std::max(bytes, groups_.emplace_back(kernel, group, sizes, 1).scratch_bytes());
        }
        slices_ = {bytes, std::min<std::int64_t>(planes_, threads)};
        const std::int64_t flops = out_ * filters.front().k;
        grain_ = static_cast<std::int64_t>(kFlopsWorthAThread / static_cast<double>(flops)) + 1;
    }

    std::size_t scratch_bytes() const override { return slices_.bytes(); }

    void run(const ConvolutionArgs& args, Team& team) const override {
        slices_.share(team, planes_, grain_, args.scratch,
                      [&](std::int64_t begin, std::int64_t end, std::byte* scratch) {
                          for (std::int64_t i = begin; i < end; ++i) run_plane(args, i, scratch);
                      });
    }

private:
    void run_plane(const ConvolutionArgs& args, std::int64_t plane, std::byte* scratch) const {
        const auto& group = groups_[static_cast<std::size_t>(plane) % groups_.size()];
        const std::int64_t first = plane * out_;
        ConvolutionArgs one;
        one.data = static_cast<const T*>(args.data) + plane * data_;
        one.out = static_cast<T*>(args.out) + first;
        one.scratch = scratch;
        SerialTeam alone;
        group.run(one, alone);
        if (args.done != nullptr) (*args.done)({first, first + out_});
    }

    std::vector<FilterLanes<T>> groups_;
    std::int64_t planes_;  // of the batch times groups
    std::int64_t data_;    // elements of a plane of the data
    std::int64_t out_;     // and of the output
    SliceScratch slices_{0, 1};
    std::int64_t grain_ = 1;  // planes that are worth a thread
};

template <typename T>
std::unique_ptr<Convolution> make_lanes(const GemmKernel& gemm, std::span<const PackedView> filters,
                                        const ConvolutionSizes& sizes, int threads) {
    if (filters.size() == 1) {
        return std::make_unique<FilterLanes<T>>(gemm, filters.front(), sizes, threads);
    }
    return std::make_unique<GroupedFilterLanes<T>>(gemm, filters, sizes, threads);
}

}  // namespace

bool suits_filter_lanes(std::int64_t filters, std::int64_t positions, std::int64_t lanes) {
    const auto vectors = [&](std::int64_t count) { return (count + lanes - 1) / lanes; };
    return positions < lanes && positions * vectors(filters) <= filters * vectors(positions);
}

std::unique_ptr<Convolution> make_filter_lanes(const GemmKernel& gemm,
                                               std::span<const PackedView> filters,
                                               const ConvolutionSizes& sizes, int threads) {
    if (gemm.weights() == ElementType::f64) {
        return make_lanes<double>(gemm, filters, sizes, threads);
    }
    return make_lanes<float>(gemm, filters, sizes, threads);
}

}  // namespace rondo::cpu
