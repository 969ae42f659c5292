#include "plugins/cpu/kernels/window/pool.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/support/errors.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/tap_source.hpp"
#include "plugins/cpu/kernels/window/windows.hpp"

namespace rondo::cpu {
namespace {

// Taps of output `at` that meet the data: their inputs are first, first + dilation and so on.
struct CoveredTaps {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

CoveredTaps covered_taps(const WindowAxis& axis, std::int64_t at) {
    const std::int64_t begin = at * axis.stride - axis.pad_begin;
    const std::int64_t skipped = begin >= 0 ? 0 : divide_up(-begin, axis.dilation);
    const std::int64_t first = begin + skipped * axis.dilation;
    if (first >= axis.input) return {};
    const std::int64_t fitting = divide_up(axis.input - first, axis.dilation);
    return {first, std::max<std::int64_t>(0, std::min(fitting, axis.kernel - skipped))};
}

// Calls visit(place) for each element of a plane that the window of output number `output` covers,
// in row-major order.
template <typename Visit>
void for_each_covered(const std::array<WindowAxis, 3>& axes, std::int64_t output, Visit visit) {
    const auto& [z, y, x] = axes;
    const CoveredTaps in_x = covered_taps(x, output % x.output);
    const CoveredTaps in_y = covered_taps(y, output / x.output % y.output);
    const CoveredTaps in_z = covered_taps(z, output / x.output / y.output);
    for (std::int64_t i = 0; i < in_z.count; ++i) {
        for (std::int64_t j = 0; j < in_y.count; ++j) {
            const std::int64_t row =
                (in_z.first + i * z.dilation) * y.input + in_y.first + j * y.dilation;
            std::int64_t place = row * x.input + in_x.first;
            for (std::int64_t k = 0; k < in_x.count; ++k, place += x.dilation) visit(place);
        }
    }
}

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
          input_(axes_product(sizes.axes, &WindowAxis::input)),
          output_(axes_product(sizes.axes, &WindowAxis::output)),
          slices_(copied_bytes() + 2 * list_bytes(), threads) {}

    std::size_t scratch_bytes() const override { return slices_.bytes(); }

    void run(const PoolArgs& args, Team& team) const override {
        const std::int64_t jobs = sizes_.planes * source_.tiles();
        const std::int64_t work = source_.taps() * source_.most_rows() * source_.most_count();
        slices_.share(team, jobs, kTapPoolGrain / (work + 1) + 1, args.scratch,
                      [&](std::int64_t begin, std::int64_t end, std::byte* scratch) {
                          for (std::int64_t job = begin; job < end; ++job) {
                              const TapTile tile = source_.tile(job % source_.tiles());
                              run_tile(args, job / source_.tiles(), tile, scratch);
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
    std::int64_t input_;   // elements of a plane of the data
    std::int64_t output_;  // and of the output
    SliceScratch slices_;
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

// The greatest element of each window and its place, window by window.

namespace {

constexpr std::int64_t kPoolWithIndicesGrain = 1 << 14;  // elements that are worth a thread

template <typename T>
bool is_greater(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return a > b || (a != a && b == b);
    return a > b;
}

// Numbers of 16 bits are compared as they are stored: widening keeps their order.
template <typename T>
auto number_of(T x) {
    if constexpr (is_16_bit_float<T>) {
        return static_cast<float>(x);
    } else {
        return x;
    }
}

template <typename T>
T least() {
    if constexpr (is_16_bit_float<T>) {
        return T(-std::numeric_limits<float>::infinity());
    } else if constexpr (std::is_floating_point_v<T>) {
        return -std::numeric_limits<T>::infinity();
    } else {
        return std::numeric_limits<T>::min();
    }
}

template <typename T>
class PoolWithIndices final : public Pool {
public:
    PoolWithIndices(const PoolSizes& sizes, const PlaceConfig& places)
        : sizes_(sizes), places_(places) {
        for (const WindowAxis& axis : sizes.axes) {
            input_ *= axis.input;
            output_ *= axis.output;
            taps_ = taps_ > kPoolWithIndicesGrain
                        ? taps_
                        : taps_ * std::max<std::int64_t>(std::min(axis.kernel, axis.input), 1);
        }
    }

    void run(const PoolArgs& args, Team& team) const override {
        share(team, sizes_.planes * output_, kPoolWithIndicesGrain / taps_ + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t i = begin; i < end; ++i) run_window(args, i);
              });
    }

private:
    void run_window(const PoolArgs& args, std::int64_t index) const {
        const std::int64_t first = index / output_ * input_;
        const T* data = static_cast<const T*>(args.data) + first;
        std::int64_t best = -1;
        for_each_covered(sizes_.axes, index % output_, [&](std::int64_t place) {
            if (best < 0 || is_greater(number_of(data[place]), number_of(data[best]))) {
                best = place;
            }
        });
        static_cast<T*>(args.out)[index] = best < 0 ? least<T>() : data[best];
        if (args.places == nullptr) return;
        const std::int64_t place = best < 0 ? 0 : (first + best) % places_.block;
        if (places_.type == ElementType::i32) {
            static_cast<std::int32_t*>(args.places)[index] = static_cast<std::int32_t>(place);
        } else {
            static_cast<std::int64_t*>(args.places)[index] = place;
        }
    }

    PoolSizes sizes_;
    PlaceConfig places_;
    std::int64_t input_ = 1;   // elements of a plane of the data
    std::int64_t output_ = 1;  // and of the output
    std::int64_t taps_ = 1;    // elements that a window covers at most, about
};

}  // namespace

std::unique_ptr<Pool> make_pool_with_indices(ElementType type, const PoolSizes& sizes,
                                             const PlaceConfig& places) {
    return visit_type(type, [&](auto tag) -> std::unique_ptr<Pool> {
        using T = tag_type<decltype(tag)>;
        if constexpr (!std::is_same_v<T, bool>) {
            return std::make_unique<PoolWithIndices<T>>(sizes, places);
        }
        internal_error("a pool of a type that it doesn't take");
    });
}

}  // namespace rondo::cpu
