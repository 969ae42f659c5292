// Pools of f32 and f64 line by line: the taps of a line of the output are combined as they lie in
// the data.
#include <algorithm>
#include <limits>
#include <utility>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/pool.hpp"
#include "plugins/cpu/kernels/window/tap_source.hpp"
#include "plugins/cpu/kernels/window/window_scan.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kTapPoolGrain = 1 << 16;  // elements that are worth a thread

// Divides a line of sums by the counts of their windows. Empty counts divide nothing.
template <typename T>
class Divisors {
public:
    Divisors() = default;
    explicit Divisors(const PoolCounts& counts) : counts_(counts) {
        columns_.assign(counts[2].begin(), counts[2].end());
    }

    void divide(std::int64_t z, std::int64_t y, Range columns, T* sums) const {
        if (columns_.empty()) return;
        const auto rows = static_cast<T>(counts_[0][static_cast<std::size_t>(z)] *
                                         counts_[1][static_cast<std::size_t>(y)]);
        const T* divisors = columns_.data() + columns.begin;
        for (std::int64_t i = 0; i < columns.size(); ++i) sums[i] /= rows * divisors[i];
    }

private:
    PoolCounts counts_;
    std::vector<T> columns_;
};

template <typename T>
class TapPool final : public Pool {
public:
    TapPool(const TapKernel& kernel, const PoolSizes& sizes, T fill, Divisors<T> divisors,
            int threads)
        : kernel_(kernel),
          sizes_(sizes),
          source_(sizes.axes, fill, 1, kernel.isa()),
          divisors_(std::move(divisors)),
          slices_(std::max(1, threads)) {
        for (const WindowAxis& axis : sizes.axes) {
            input_ *= axis.input;
            output_ *= axis.output;
        }
    }

    std::size_t scratch_bytes() const override {
        return slice_bytes() * static_cast<std::size_t>(slices_);
    }

    void run(const PoolArgs& args, Team& team) const override {
        const std::int64_t jobs = sizes_.planes * source_.tiles();
        const std::int64_t work = source_.taps() * source_.most_rows() * source_.most_count();
        const std::int64_t pieces =
            std::clamp<std::int64_t>(jobs / (kTapPoolGrain / (work + 1) + 1), 1, slices_);
        team.run(static_cast<int>(pieces), [&](int slice) {
            auto* scratch = static_cast<std::byte*>(args.scratch) +
                            slice_bytes() * static_cast<std::size_t>(slice);
            const Range own = slice_of(jobs, slice, pieces);
            for (std::int64_t job = own.begin; job < own.end; ++job) {
                run_tile(args, job / source_.tiles(), source_.tile(job % source_.tiles()), scratch);
            }
        });
    }

private:
    std::size_t copied_bytes() const {
        return whole_lines(static_cast<std::size_t>(source_.scratch_elements()) * sizeof(T));
    }
    std::size_t list_bytes() const {
        return whole_lines(static_cast<std::size_t>(source_.taps()) * sizeof(std::int64_t));
    }
    std::size_t slice_bytes() const { return copied_bytes() + 2 * list_bytes(); }

    void run_tile(const PoolArgs& args, std::int64_t plane, const TapTile& tile,
                  std::byte* scratch) const {
        const T* data = static_cast<const T*>(args.data) + plane * input_;
        auto* copies = reinterpret_cast<T*>(scratch);
        source_.open(tile, data, copies);
        const WindowAxis &y = sizes_.axes[1], &x = sizes_.axes[2];
        TapRun run;
        run.line_step = source_.line_step(tile) * std::int64_t{sizeof(T)};
        run.out_step = x.output * std::int64_t{sizeof(T)};
        run.count = tile.count;
        for (std::int64_t row = 0; row < tile.rows; row += run.rows) {
            run.rows = source_.alike(tile, row);
            TapList list{reinterpret_cast<const void**>(scratch + copied_bytes()),
                         reinterpret_cast<std::int64_t*>(scratch + copied_bytes() + list_bytes()),
                         0};
            source_.append(tile, row, data, copies, list);
            T* out = static_cast<T*>(args.out) + plane * output_ +
                     (tile.z * y.output + tile.y + row) * x.output + tile.x;
            run.lines = list.lines;
            run.taps = list.count;
            run.out = out;
            kernel_.run(run);
            for (std::int64_t i = 0; i < run.rows; ++i) {
                divisors_.divide(tile.z, tile.y + row + i, {tile.x, tile.x + tile.count},
                                 out + i * x.output);
            }
        }
    }

    const TapKernel& kernel_;
    PoolSizes sizes_;
    TapSource<T> source_;
    Divisors<T> divisors_;
    int slices_;
    std::int64_t input_ = 1;   // elements of a plane of the data
    std::int64_t output_ = 1;  // and of the output
};

// Means window by window, for windows too large for copies of their lines.
template <typename T>
class AverageScan final : public Pool {
public:
    AverageScan(const PoolSizes& sizes, const PoolCounts& counts)
        : sizes_(sizes), divisors_(counts) {}

    void run(const PoolArgs& args, Team& team) const override {
        const WindowAxis &z = sizes_.axes[0], &y = sizes_.axes[1], &x = sizes_.axes[2];
        const std::int64_t input = z.input * y.input * x.input, lines = z.output * y.output;
        share(team, sizes_.planes * lines, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t line = begin; line < end; ++line) {
                const T* data = static_cast<const T*>(args.data) + line / lines * input;
                T* out = static_cast<T*>(args.out) + line * x.output;
                for (std::int64_t i = 0; i < x.output; ++i) {
                    T sum = 0;
                    for_each_covered(sizes_.axes, line % lines * x.output + i,
                                     [&](std::int64_t place) { sum += data[place]; });
                    out[i] = sum;
                }
                divisors_.divide(line % lines / y.output, line % y.output, {0, x.output}, out);
            }
        });
    }

private:
    PoolSizes sizes_;
    Divisors<T> divisors_;
};

template <typename T>
std::unique_ptr<Pool> make_average(const TapKernel* kernel, const PoolSizes& sizes,
                                   const PoolCounts& counts, int threads) {
    if (kernel == nullptr) return std::make_unique<AverageScan<T>>(sizes, counts);
    return std::make_unique<TapPool<T>>(*kernel, sizes, T{0}, Divisors<T>(counts), threads);
}

}  // namespace

std::unique_ptr<Pool> make_max_pool(const TapKernel& kernel, Precision precision,
                                    const PoolSizes& sizes, int threads) {
    if (precision == Precision::f64) {
        return std::make_unique<TapPool<double>>(
            kernel, sizes, -std::numeric_limits<double>::infinity(), Divisors<double>(), threads);
    }
    return std::make_unique<TapPool<float>>(kernel, sizes, -std::numeric_limits<float>::infinity(),
                                            Divisors<float>(), threads);
}

std::unique_ptr<Pool> make_average_pool(const TapKernel* kernel, Precision precision,
                                        const PoolSizes& sizes, PoolCounts counts, int threads) {
    if (precision == Precision::f64) return make_average<double>(kernel, sizes, counts, threads);
    return make_average<float>(kernel, sizes, counts, threads);
}

}  // namespace rondo::cpu
