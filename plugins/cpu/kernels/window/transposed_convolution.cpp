#include "plugins/cpu/kernels/window/transposed_convolution.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kTransposedConvolutionGrain =
    1 << 15;  // elements whose copy is worth a thread

std::int64_t volume(const std::array<WindowAxis, 3>& axes, std::int64_t WindowAxis::*extent) {
    return axes[0].*extent * axes[1].*extent * axes[2].*extent;
}

// Output p of a phase meets tap k where p + pad_begin - k * dilation is a multiple of the stride:
// the taps `tap`, tap + step and so on with step = stride / gcd(stride, dilation). Output number m
// and tap number j then meet element base + m - j * dilation / gcd.
std::vector<TransposedAxis> parts_of(const WindowAxis& axis) {
    const std::int64_t divisor = std::gcd(axis.stride, axis.dilation);
    const std::int64_t step = axis.stride / divisor, dilation = axis.dilation / divisor;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, TransposedAxis> parts;
    for (std::int64_t tap = 0; tap < std::min(axis.kernel, step); ++tap) {
        const std::int64_t place = tap * axis.dilation - axis.pad_begin;
        const std::int64_t first = (place % axis.stride + axis.stride) % axis.stride;
        if (first >= axis.output) continue;
        const std::int64_t taps = divide_up(axis.kernel - tap, step);
        const std::int64_t base = (first - place) / axis.stride;
        const std::int64_t count = divide_up(axis.output - first, axis.stride);
        TransposedAxis& part = parts[{taps, base, count}];
        part.window = {axis.input, taps, count, 1, dilation, (taps - 1) * dilation - base};
        part.phases.push_back({first, tap});
        part.stride = axis.stride;
        part.tap_step = step;
        part.kernel = axis.kernel;
        part.output = axis.output;
    }
    std::vector<TransposedAxis> result;
    for (auto& [key, part] : parts) result.push_back(std::move(part));
    return result;
}

template <typename Visit>
void for_each_phase(const TransposedPart& part, Visit visit) {
    for (const TransposedPhase& z : part.axes[0].phases) {
        for (const TransposedPhase& y : part.axes[1].phases) {
            for (const TransposedPhase& x : part.axes[2].phases) visit(z, y, x);
        }
    }
}

// Where a phase's tap number j lies along an axis of a filter, which is flipped.
std::int64_t tap_at(const TransposedAxis& axis, const TransposedPhase& phase, std::int64_t j) {
    return phase.tap + axis.tap_step * (axis.window.kernel - 1 - j);
}

// The taps of one phase of one filter of one channel.
template <typename T>
T* put_taps(const TransposedPart& part, const std::array<TransposedPhase, 3>& phase, const T* from,
            T* to) {
    const auto& [z, y, x] = part.axes;
    for (std::int64_t kz = 0; kz < z.window.kernel; ++kz) {
        for (std::int64_t ky = 0; ky < y.window.kernel; ++ky) {
            const std::int64_t line =
                (tap_at(z, phase[0], kz) * y.kernel + tap_at(y, phase[1], ky)) * x.kernel;
            for (std::int64_t kx = 0; kx < x.window.kernel; ++kx) {
                *to++ = from[line + tap_at(x, phase[2], kx)];
            }
        }
    }
    return to;
}

template <typename T>
void put_filters(const TransposedPart& part, const ConvolutionSizes& sizes, const T* filters,
                 T* to) {
    const std::int64_t taps = volume(sizes.axes, &WindowAxis::kernel);
    for (std::int64_t group = 0; group < sizes.groups; ++group) {
        const T* own = filters + group * sizes.channels * sizes.filters * taps;
        for_each_phase(part, [&](const auto& z, const auto& y, const auto& x) {
            for (std::int64_t o = 0; o < sizes.filters; ++o) {
                for (std::int64_t c = 0; c < sizes.channels; ++c) {
                    to = put_taps(part, {z, y, x}, own + (c * sizes.filters + o) * taps, to);
                }
            }
        });
    }
}

// Calls f with a number of such a size.
template <typename F>
void visit_size(std::int64_t bytes, F f) {
    switch (bytes) {
        case 1: return f(std::uint8_t{});
        case 2: return f(std::uint16_t{});
        case 4: return f(std::uint32_t{});
        default: return f(std::uint64_t{});
    }
}

// T: any type of the elements' size.
template <typename T>
class TransposedConvolution final : public Convolution {
public:
    TransposedConvolution(const ConvolutionSizes& sizes, std::vector<TransposedStep> steps)
        : sizes_(sizes), steps_(std::move(steps)), is_direct_(false) {
        std::int64_t covered = 0;
        for (const TransposedStep& step : steps_) {
            const ConvolutionSizes part = step.part.sizes(sizes_);
            const std::int64_t outputs = part.filters * volume(part.axes, &WindowAxis::output);
            covered += outputs;
            results_ = std::max(results_, bytes_of_all(sizes_.batch * sizes_.groups * outputs));
            const std::int64_t taps = volume(part.axes, &WindowAxis::kernel);
            if (step.filters == nullptr) {
                filters_ = std::max(
                    filters_, bytes_of_all(part.groups * part.filters * part.channels * taps));
            }
            inner_ = std::max(inner_, whole_lines(step.convolution->scratch_bytes()));
        }
        has_gaps_ = covered < sizes_.filters * volume(sizes_.axes, &WindowAxis::output);
        is_direct_ = steps_.size() == 1 && !has_gaps_ && steps_[0].part.phases() == 1;
        if (is_direct_) results_ = 0;
    }

    std::size_t scratch_bytes() const override { return filters_ + results_ + inner_; }

    void run(const ConvolutionArgs& args, Team& team) const override {
        if (has_gaps_) {
            const std::int64_t outputs = sizes_.batch * sizes_.groups * sizes_.filters *
                                         volume(sizes_.axes, &WindowAxis::output);
            std::memset(args.out, 0, static_cast<std::size_t>(outputs) * sizeof(T));
        }
        for (const TransposedStep& step : steps_) run_step(args, step, team);
    }

private:
    static std::size_t bytes_of_all(std::int64_t elements) {
        return whole_lines(static_cast<std::size_t>(elements) * sizeof(T));
    }

    void run_step(const ConvolutionArgs& args, const TransposedStep& step, Team& team) const {
        auto* scratch = static_cast<std::byte*>(args.scratch);
        ConvolutionArgs part;
        part.data = args.data;
        part.filters = step.filters;
        if (part.filters == nullptr) {
            put_filters(step.part, sizes_, static_cast<const T*>(args.filters),
                        reinterpret_cast<T*>(scratch));
            part.filters = scratch;
        }
        part.out = is_direct_ ? args.out : scratch + filters_;
        part.scratch = scratch + filters_ + results_;
        step.convolution->run(part, team);
        if (is_direct_) return;
        const auto* results = static_cast<const T*>(part.out);
        const std::int64_t planes = sizes_.batch * sizes_.groups * sizes_.filters;
        const std::int64_t plane = volume(sizes_.axes, &WindowAxis::output);
        share(team, planes, kTransposedConvolutionGrain / plane + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t i = begin; i < end; ++i) {
                      spread_plane(step.part, results, i, static_cast<T*>(args.out) + i * plane);
                  }
              });
    }

    // One channel of the output from those of its phases.
    void spread_plane(const TransposedPart& part, const T* results, std::int64_t plane,
                      T* out) const {
        const TransposedAxis &z = part.axes[0], &y = part.axes[1], &x = part.axes[2];
        const std::int64_t size = z.window.output * y.window.output * x.window.output;
        const T* from = results + plane / sizes_.filters * part.phases() * sizes_.filters * size +
                        plane % sizes_.filters * size;
        for_each_phase(part, [&](const auto& pz, const auto& py, const auto& px) {
            for (std::int64_t line = 0; line < z.window.output * y.window.output; ++line) {
                const std::int64_t at_z = pz.first + line / y.window.output * z.stride;
                const std::int64_t at_y = py.first + line % y.window.output * y.stride;
                T* to = out + (at_z * y.output + at_y) * x.output + px.first;
                const T* source = from + line * x.window.output;
                for (std::int64_t i = 0; i < x.window.output; ++i) to[i * x.stride] = source[i];
            }
            from += sizes_.filters * size;
        });
    }

    ConvolutionSizes sizes_;
    std::vector<TransposedStep> steps_;
    bool is_direct_;         // the only step's results are the output
    bool has_gaps_ = false;  // some outputs meet no tap
    // Bytes of scratch, for the step that needs the most.
    std::size_t filters_ = 0;
    std::size_t results_ = 0;
    std::size_t inner_ = 0;
};

}  // namespace

std::int64_t TransposedPart::phases() const {
    std::size_t count = 1;
    for (const TransposedAxis& axis : axes) count *= axis.phases.size();
    return static_cast<std::int64_t>(count);
}

ConvolutionSizes TransposedPart::sizes(const ConvolutionSizes& sizes) const {
    ConvolutionSizes result = sizes;
    result.filters = sizes.filters * phases();
    for (std::size_t i = 0; i < axes.size(); ++i) result.axes[i] = axes[i].window;
    return result;
}

std::vector<TransposedPart> transposed_parts(const ConvolutionSizes& sizes) {
    std::vector<TransposedPart> parts;
    for (const TransposedAxis& z : parts_of(sizes.axes[0])) {
        for (const TransposedAxis& y : parts_of(sizes.axes[1])) {
            for (const TransposedAxis& x : parts_of(sizes.axes[2])) parts.push_back({{z, y, x}});
        }
    }
    return parts;
}

void put_transposed_filters(const TransposedPart& part, const ConvolutionSizes& sizes,
                            std::int64_t element_bytes, const void* filters, void* to) {
    visit_size(element_bytes, [&](auto number) {
        using T = decltype(number);
        put_filters(part, sizes, static_cast<const T*>(filters), static_cast<T*>(to));
    });
}

std::unique_ptr<Convolution> make_transposed_convolution(std::int64_t element_bytes,
                                                         const ConvolutionSizes& sizes,
                                                         std::vector<TransposedStep> steps) {
    std::unique_ptr<Convolution> made;
    visit_size(element_bytes, [&](auto number) {
        made = std::make_unique<TransposedConvolution<decltype(number)>>(sizes, std::move(steps));
    });
    return made;
}

}  // namespace rondo::cpu
