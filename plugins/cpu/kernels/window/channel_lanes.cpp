// Depthwise convolution of few positions: the channels fill the lanes.
#include <algorithm>
#include <cstddef>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/convolution.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kFewColumns = 4;          // positions of a line
constexpr std::int64_t kManyChannels = 8;        // that fill vectors
constexpr std::int64_t kMostTaps = 1 << 12;      // of a channel
constexpr std::int64_t kMostGathered = 1 << 19;  // elements of all channels' taps
constexpr std::int64_t kGrain = 1 << 15;         // gathered elements that are worth a thread

template <typename T>
class ChannelLanes final : public Convolution {
public:
    ChannelLanes(const TapKernel& kernel, const void* tap_lines, const ConvolutionSizes& sizes,
                 int threads)
        : kernel_(kernel),
          tap_lines_(static_cast<const T*>(tap_lines)),
          sizes_(sizes),
          slices_(std::clamp<std::int64_t>(sizes.batch, 1, std::max(1, threads))) {
        for (const WindowAxis& axis : sizes.axes) {
            taps_ *= axis.kernel;
            channel_ *= axis.input;
            positions_ *= axis.output;
        }
    }

    std::size_t scratch_bytes() const override {
        const std::size_t own = tap_lines_ == nullptr ? lines_bytes() : 0;
        return own + slice_bytes() * static_cast<std::size_t>(slices_);
    }

    void run(const ConvolutionArgs& args, Team& team) const override {
        auto* at = static_cast<std::byte*>(args.scratch);
        const T* factors = tap_lines_;
        if (factors == nullptr) {
            put_tap_lines(static_cast<const T*>(args.filters), sizes_, reinterpret_cast<T*>(at));
            factors = reinterpret_cast<const T*>(at);
            at += lines_bytes();
        }
        const std::int64_t work = sizes_.groups * taps_ * positions_;
        const std::int64_t pieces =
            std::clamp<std::int64_t>(sizes_.batch * work / kGrain, 1, slices_);
        team.run(static_cast<int>(pieces), [&](int slice) {
            std::byte* scratch = at + slice_bytes() * static_cast<std::size_t>(slice);
            for (std::int64_t image = sizes_.batch * slice / pieces;
                 image < sizes_.batch * (slice + 1) / pieces; ++image) {
                run_image(args, factors, image, scratch);
            }
        });
    }

private:
    std::size_t lines_bytes() const {
        return whole_lines(static_cast<std::size_t>(taps_ * sizes_.groups) * sizeof(T));
    }
    std::size_t pointers_bytes() const {
        return whole_lines(static_cast<std::size_t>(taps_) * sizeof(void*));
    }
    std::size_t results_bytes() const {
        return whole_lines(static_cast<std::size_t>(sizes_.groups) * sizeof(T));
    }
    // Lines of the data, pointers to them, the results of a position.
    std::size_t slice_bytes() const { return lines_bytes() + pointers_bytes() + results_bytes(); }

    void run_image(const ConvolutionArgs& args, const T* factors, std::int64_t image,
                   std::byte* scratch) const {
        const T* data = static_cast<const T*>(args.data) + image * sizes_.groups * channel_;
        T* out = static_cast<T*>(args.out) + image * sizes_.groups * positions_;
        auto* lines = reinterpret_cast<T*>(scratch);
        auto* pointers = reinterpret_cast<const void**>(scratch + lines_bytes());
        auto* results = reinterpret_cast<T*>(scratch + lines_bytes() + pointers_bytes());
        TapRun run;
        run.lines = pointers;
        run.factors = factors;
        run.factor_stride = sizes_.groups * std::int64_t{sizeof(T)};
        run.taps = taps_;
        run.count = sizes_.groups;
        for (std::int64_t position = 0; position < positions_; ++position) {
            for (std::int64_t tap = 0; tap < taps_; ++tap) {
                T* line = lines + tap * sizes_.groups;
                pointers[tap] = line;
                gather(data, place_of(position, tap), line);
            }
            run.out = positions_ == 1 ? out : results;
            kernel_.run(run);
            if (positions_ == 1) break;
            for (std::int64_t c = 0; c < sizes_.groups; ++c) {
                out[c * positions_ + position] = results[c];
            }
        }
        const std::int64_t elements = sizes_.groups * positions_;
        if (args.done != nullptr) (*args.done)({image * elements, (image + 1) * elements});
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

    void gather(const T* data, std::int64_t place, T* line) const {
        if (place < 0) {
            std::fill_n(line, sizes_.groups, T{0});
            return;
        }
        for (std::int64_t c = 0; c < sizes_.groups; ++c) line[c] = data[c * channel_ + place];
    }

    const TapKernel& kernel_;
    const T* tap_lines_;
    ConvolutionSizes sizes_;
    std::int64_t slices_;
    std::int64_t taps_ = 1;       // of a channel
    std::int64_t channel_ = 1;    // elements of a channel of the data
    std::int64_t positions_ = 1;  // elements of a channel of the output
};

}  // namespace

template <typename T>
void put_tap_lines(const T* filters, const ConvolutionSizes& sizes, T* to) {
    std::int64_t taps = 1;
    for (const WindowAxis& axis : sizes.axes) taps *= axis.kernel;
    for (std::int64_t tap = 0; tap < taps; ++tap) {
        for (std::int64_t c = 0; c < sizes.groups; ++c) *to++ = filters[c * taps + tap];
    }
}

template void put_tap_lines(const float*, const ConvolutionSizes&, float*);
template void put_tap_lines(const double*, const ConvolutionSizes&, double*);

bool suits_channel_lanes(const ConvolutionSizes& sizes) {
    if (sizes.channels != 1 || sizes.filters != 1 || sizes.groups < kManyChannels) return false;
    if (sizes.axes[2].output > kFewColumns) return false;
    std::int64_t taps = 1;
    for (const WindowAxis& axis : sizes.axes) {
        if (axis.kernel > kMostTaps) return false;
        taps *= axis.kernel;
    }
    return taps <= kMostTaps && sizes.groups <= kMostGathered / taps;
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
