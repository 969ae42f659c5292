// Convolution with few channels and filters in a group: the taps of a line of the output are added
// as they lie in the data.
#include <algorithm>
#include <cstddef>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/convolution.hpp"
#include "plugins/cpu/kernels/window/tap_source.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kFewChannels = 64;      // of a group
constexpr std::int64_t kFlopsGrain = 1 << 17;  // multiply-adds that are worth a thread

template <typename T>
class TapConvolution final : public Convolution {
public:
    TapConvolution(const TapKernel& kernel, const ConvolutionSizes& sizes, int threads)
        : kernel_(kernel),
          sizes_(sizes),
          source_(sizes.axes, T{0}, sizes.channels, kernel.isa()),
          taps_(sizes.channels * source_.taps()),
          channel_(axes_product(sizes.axes, &WindowAxis::input)),
          positions_(axes_product(sizes.axes, &WindowAxis::output)),
          slices_(copied_bytes() + 3 * list_bytes(), threads) {}

    std::size_t scratch_bytes() const override { return slices_.bytes(); }

    void run(const ConvolutionArgs& args, Team& team) const override {
        const std::int64_t jobs = sizes_.batch * sizes_.groups * source_.tiles();
        const std::int64_t work =
            taps_ * sizes_.filters * source_.most_rows() * source_.most_count();
        slices_.share(team, jobs, kFlopsGrain / (work + 1) + 1, args.scratch,
                      [&](std::int64_t begin, std::int64_t end, std::byte* memory) {
                          const Scratch scratch = scratch_at(memory);
                          for (std::int64_t job = begin; job < end; ++job) {
                              const TapTile tile = source_.tile(job % source_.tiles());
                              run_tile(args, job / source_.tiles(), tile, scratch);
                          }
                      });
    }

private:
    // A thread's: copies of the data, and what a line's taps are.
    struct Scratch {
        T* copies;
        const void** lines;
        std::int64_t* numbers;
        T* factors;
    };

    std::size_t copied_bytes() const {
        return whole_lines(static_cast<std::size_t>(sizes_.channels * source_.scratch_elements()) *
                           sizeof(T));
    }
    std::size_t list_bytes() const {
        return whole_lines(static_cast<std::size_t>(taps_) * sizeof(std::int64_t));
    }

    Scratch scratch_at(std::byte* at) const {
        std::byte* lists = at + copied_bytes();
        return {reinterpret_cast<T*>(at), reinterpret_cast<const void**>(lists),
                reinterpret_cast<std::int64_t*>(lists + list_bytes()),
                reinterpret_cast<T*>(lists + 2 * list_bytes())};
    }

    // `plane`: of the batch times groups.
    void run_tile(const ConvolutionArgs& args, std::int64_t plane, const TapTile& tile,
                  const Scratch& scratch) const {
        const T* data = static_cast<const T*>(args.data) + plane * sizes_.channels * channel_;
        for (std::int64_t c = 0; c < sizes_.channels; ++c) {
            source_.open(tile, data + c * channel_, copies_of(scratch, c));
        }
        TapRun run;
        run.line_step = source_.line_step(tile) * std::int64_t{sizeof(T)};
        run.out_step = sizes_.axes[2].output * std::int64_t{sizeof(T)};
        run.count = tile.count;
        for (std::int64_t row = 0; row < tile.rows; row += run.rows) {
            run.rows = source_.alike(tile, row);
            const TapList list = list_of(data, tile, row, scratch);
            for (std::int64_t o = 0; o < sizes_.filters; ++o) {
                const std::int64_t filter = plane * sizes_.filters + o;
                run.out = static_cast<T*>(args.out) + place_of(filter, tile, row);
                run_lines(args, filter, list, scratch.factors, run);
            }
        }
        if (args.done != nullptr) tell_done(*args.done, plane * sizes_.filters, tile);
    }

    T* copies_of(const Scratch& scratch, std::int64_t channel) const {
        return scratch.copies + channel * source_.scratch_elements();
    }

    // Numbered within a filter of all channels.
    TapList list_of(const T* data, const TapTile& tile, std::int64_t row,
                    const Scratch& scratch) const {
        TapList list{scratch.lines, scratch.numbers, 0};
        for (std::int64_t c = 0; c < sizes_.channels; ++c) {
            const std::int64_t before = list.count;
            source_.append(tile, row, data + c * channel_, copies_of(scratch, c), list);
            for (std::int64_t i = before; i < list.count; ++i) {
                list.numbers[i] += c * source_.taps();
            }
        }
        return list;
    }

    // `plane`: of the batch times all filters.
    void run_lines(const ConvolutionArgs& args, std::int64_t plane, const TapList& list, T* factors,
                   TapRun run) const {
        const std::int64_t filter = plane % (sizes_.groups * sizes_.filters);
        const T* all = static_cast<const T*>(args.filters) + filter * taps_;
        run.lines = list.lines;
        run.taps = list.count;
        run.factors = all;
        if (list.count < taps_) {
            for (std::int64_t i = 0; i < list.count; ++i) factors[i] = all[list.numbers[i]];
            run.factors = factors;
        }
        kernel_.run(run);
    }

    std::int64_t place_of(std::int64_t plane, const TapTile& tile, std::int64_t row) const {
        const WindowAxis &y = sizes_.axes[1], &x = sizes_.axes[2];
        return plane * positions_ + (tile.z * y.output + tile.y + row) * x.output + tile.x;
    }

    void tell_done(const FunctionRef<void(Range)>& done, std::int64_t plane,
                   const TapTile& tile) const {
        const std::int64_t columns = sizes_.axes[2].output;
        for (std::int64_t o = 0; o < sizes_.filters; ++o) {
            const std::int64_t place = place_of(plane + o, tile, 0);
            if (tile.count == columns) {
                done({place, place + tile.rows * columns});
                continue;
            }
            for (std::int64_t row = 0; row < tile.rows; ++row) {
                done({place + row * columns, place + row * columns + tile.count});
            }
        }
    }

    const TapKernel& kernel_;
    ConvolutionSizes sizes_;
    TapSource<T> source_;
    std::int64_t taps_;       // of a filter
    std::int64_t channel_;    // elements of a channel of the data
    std::int64_t positions_;  // elements of a channel of the output
    SliceScratch slices_;
};

}  // namespace

bool suits_taps(const ConvolutionSizes& sizes, std::int64_t most_filters) {
    return sizes.filters <= most_filters && sizes.channels <= kFewChannels &&
           suits_tap_source(sizes.axes, sizes.channels);
}

std::unique_ptr<Convolution> make_tap_convolution(const TapKernel& kernel, Precision precision,
                                                  const ConvolutionSizes& sizes, int threads) {
    if (precision == Precision::f64) {
        return std::make_unique<TapConvolution<double>>(kernel, sizes, threads);
    }
    return std::make_unique<TapConvolution<float>>(kernel, sizes, threads);
}

}  // namespace rondo::cpu
