// Depthwise convolution of few positions: the channels fill the lanes.
#include <algorithm>
#include <cstddef>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/product/panel_pack.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/convolution.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kFewColumns = 16;              // positions of a line
constexpr std::int64_t kManyChannels = 8;             // that fill vectors
constexpr std::int64_t kMostChannelTaps = 1 << 12;    // of a channel
constexpr std::int64_t kMostTurned = 1 << 19;         // elements of a part
constexpr std::int64_t kFewTurned = 1 << 17;          // that stay in the cache
constexpr std::int64_t kChannelLanesGrain = 1 << 15;  // multiply-adds that are worth a thread
constexpr std::int64_t kLeastPart = 16;               // channels

template <typename T>
class ChannelLanes final : public Convolution {
public:
    ChannelLanes(const TapKernel& kernel, const void* tap_lines, const ConvolutionSizes& sizes,
                 int threads)
        : kernel_(kernel),
          tap_lines_(static_cast<const T*>(tap_lines)),
          sizes_(sizes),
          taps_(axes_product(sizes.axes, &WindowAxis::kernel)),
          channel_(axes_product(sizes.axes, &WindowAxis::input)),
          positions_(axes_product(sizes.axes, &WindowAxis::output)) {
        const std::int64_t work = sizes.groups * taps_ * positions_;
        const std::int64_t wanted = std::clamp<std::int64_t>(
            sizes.batch * work / kChannelLanesGrain, 1, std::max(1, threads));
        const std::int64_t most = divide_up(sizes.groups, kLeastPart);
        const std::int64_t small =
            divide_up(sizes.groups * std::max(channel_, positions_), kFewTurned);
        parts_ = std::clamp(std::max(divide_up(wanted, sizes.batch), small), std::int64_t{1}, most);
        part_ = divide_up(divide_up(sizes.groups, kLeastPart), parts_) * kLeastPart;
        slices_ = {slice_bytes(), std::min(wanted, sizes.batch * parts_)};
    }

    std::size_t scratch_bytes() const override {
        const std::size_t own = tap_lines_ == nullptr ? lines_bytes() : 0;
        return own + slices_.bytes();
    }

    void run(const ConvolutionArgs& args, Team& team) const override {
        auto* at = static_cast<std::byte*>(args.scratch);
        const T* factors = tap_lines_;
        if (factors == nullptr) {
            put_tap_lines(static_cast<const T*>(args.filters), sizes_, reinterpret_cast<T*>(at));
            factors = reinterpret_cast<const T*>(at);
            at += lines_bytes();
        }
        slices_.share(team, sizes_.batch * parts_, 1, at,
                      [&](std::int64_t begin, std::int64_t end, std::byte* scratch) {
                          for (std::int64_t job = begin; job < end; ++job) {
                              const std::int64_t first = job % parts_ * part_;
                              run_part(args, factors, job / parts_,
                                       {first, std::min(first + part_, sizes_.groups)}, scratch);
                          }
                      });
    }

private:
    std::size_t lines_bytes() const {
        return whole_lines(static_cast<std::size_t>(taps_ * sizes_.groups) * sizeof(T));
    }
    // A line of a part's channels for each element of one, and one of zeros.
    std::size_t turned_bytes() const {
        return whole_lines(static_cast<std::size_t>((channel_ + 1) * part_) * sizeof(T));
    }
    std::size_t pointers_bytes() const {
        return whole_lines(static_cast<std::size_t>(taps_) * sizeof(void*));
    }
    std::size_t results_bytes() const {
        return whole_lines(static_cast<std::size_t>(positions_ * part_) * sizeof(T));
    }
    // Lines of the data, pointers to them, the results.
    std::size_t slice_bytes() const { return turned_bytes() + pointers_bytes() + results_bytes(); }

    void run_part(const ConvolutionArgs& args, const T* factors, std::int64_t image, Range part,
                  std::byte* scratch) const {
        if (part.empty()) return;
        const std::int64_t channels = part.size(), first = image * sizes_.groups + part.begin;
        const T* data = static_cast<const T*>(args.data) + first * channel_;
        T* out = static_cast<T*>(args.out) + first * positions_;
        auto* lines = reinterpret_cast<T*>(scratch);
        auto* pointers = reinterpret_cast<const void**>(scratch + turned_bytes());
        auto* results = reinterpret_cast<T*>(scratch + turned_bytes() + pointers_bytes());
        turn(data, channels, channel_, lines);
        const T* zeros = std::fill_n(lines + channels * channel_, channels, T{0}) - channels;
        TapRun run;
        run.lines = pointers;
        run.factors = factors + part.begin;
        run.factor_stride = sizes_.groups * std::int64_t{sizeof(T)};
        run.taps = taps_;
        run.count = channels;
        for (std::int64_t position = 0; position < positions_; ++position) {
            for (std::int64_t tap = 0; tap < taps_; ++tap) {
                const std::int64_t place = place_of(position, tap);
                pointers[tap] = place < 0 ? zeros : lines + place * channels;
            }
            run.out = (positions_ == 1 ? out : results) + position * channels;
            kernel_.run(run);
        }
        if (positions_ > 1) turn(results, positions_, channels, out);
        const std::int64_t place = first * positions_;
        if (args.done != nullptr) (*args.done)({place, place + channels * positions_});
    }

    // [rows, columns] to [columns, rows].
    static void turn(const T* from, std::int64_t rows, std::int64_t columns, T* to) {
        pack_panel({from, columns, 1, rows, columns}, {to, rows, rows}, sizeof(T));
    }

    // Where a tap meets a channel, or -1 in the padding.
    std::int64_t place_of(std::int64_t position, std::int64_t tap) const {
        std::int64_t place = 0, size = 1;
        for (std::size_t i = sizes_.axes.size(); i-- > 0;) {
            const WindowAxis& axis = sizes_.axes[i];
            const std::int64_t at = position % axis.output * axis.stride +
                                    tap % axis.kernel * axis.dilation - axis.pad_begin;
            if (at < 0 || at >= axis.input) return -1;
            place += at * size;
            size *= axis.input;
            position /= axis.output;
            tap /= axis.kernel;
        }
        return place;
    }

    const TapKernel& kernel_;
    const T* tap_lines_;
    ConvolutionSizes sizes_;
    std::int64_t taps_;       // of a channel
    std::int64_t channel_;    // elements of a channel of the data
    std::int64_t positions_;  // elements of a channel of the output
    std::int64_t parts_ = 1;  // of an image, for threads and caches
    std::int64_t part_ = 1;   // channels of one; the last may have fewer
    SliceScratch slices_{0, 1};
};

}  // namespace

template <typename T>
void put_tap_lines(const T* filters, const ConvolutionSizes& sizes, T* to) {
    const std::int64_t taps = axes_product(sizes.axes, &WindowAxis::kernel);
    for (std::int64_t tap = 0; tap < taps; ++tap) {
        for (std::int64_t c = 0; c < sizes.groups; ++c) *to++ = filters[c * taps + tap];
    }
}

template void put_tap_lines(const float*, const ConvolutionSizes&, float*);
template void put_tap_lines(const double*, const ConvolutionSizes&, double*);

bool suits_channel_lanes(const ConvolutionSizes& sizes) {
    if (sizes.channels != 1 || sizes.filters != 1 || sizes.groups < kManyChannels) return false;
    if (sizes.axes[2].output > kFewColumns) return false;
    std::int64_t taps = 1, input = kLeastPart, output = kLeastPart;
    for (const WindowAxis& axis : sizes.axes) {
        if (axis.kernel > kMostChannelTaps) return false;
        taps *= axis.kernel;
        input = std::min(input, kMostTurned + 1) * axis.input;
        output = std::min(output, kMostTurned + 1) * axis.output;
    }
    return taps <= kMostChannelTaps && input <= kMostTurned && output <= kMostTurned;
}

std::unique_ptr<Convolution> make_channel_lanes(const TapKernel& kernel, Precision precision,
                                                const void* tap_lines,
                                                const ConvolutionSizes& sizes, int threads) {
    if (precision == Precision::f64) {
        return std::make_unique<ChannelLanes<double>>(kernel, tap_lines, sizes, threads);
    }
    return std::make_unique<ChannelLanes<float>>(kernel, tap_lines, sizes, threads);
}

}  // namespace rondo::cpu
