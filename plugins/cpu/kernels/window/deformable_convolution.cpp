#include "plugins/cpu/kernels/window/deformable_convolution.hpp"

#include <algorithm>

#include "core/ops/window/moved_tap.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kPositions = 64;                        // that are computed together
constexpr std::int64_t kDeformableConvolutionGrain = 1 << 15;  // products that are worth a thread

// The positions [first, first + count) of one image.
struct Piece {
    std::int64_t batch, first, count;
};

// The four elements around a moved tap at each position, their weights, and what their sum is
// multiplied by: a weight of 0 stays 0 whatever the factor.
template <typename T>
struct MovedTaps {
    std::array<std::array<std::int64_t, 4>, kPositions> places;
    std::array<std::array<T, 4>, kPositions> weights;
    std::array<T, kPositions> factors;
};

template <typename T>
void move_tap(const DeformableSizes& sizes, const DeformableArgs& args, const Piece& piece,
              std::int64_t moved, std::int64_t tap, MovedTaps<T>& taps) {
    const std::int64_t positions = sizes.positions();
    const T* offsets = static_cast<const T*>(args.offsets) + 2 * moved * positions + piece.first;
    const T* factors = args.factors == nullptr
                           ? nullptr
                           : static_cast<const T*>(args.factors) + moved * positions + piece.first;
    const WindowAxis &rows = sizes.axes[0], &columns = sizes.axes[1];
    for (std::int64_t i = 0; i < piece.count; ++i) {
        const std::int64_t position = piece.first + i;
        const auto place = [&](const WindowAxis& axis, std::int64_t at, std::int64_t k, T offset) {
            const std::int64_t plain = at * axis.stride - axis.pad_begin + k * axis.dilation;
            return ops::moved_tap(static_cast<double>(plain) + static_cast<double>(offset),
                                  axis.input, sizes.pads_by_zero);
        };
        const auto y = place(rows, position / columns.output, tap / columns.kernel, offsets[i]);
        const auto x =
            place(columns, position % columns.output, tap % columns.kernel, offsets[positions + i]);
        const auto at = static_cast<std::size_t>(i);
        taps.factors[at] = factors == nullptr ? T{1} : factors[i];
        taps.places[at] = {y.low * columns.input + x.low, y.low * columns.input + x.high,
                           y.high * columns.input + x.low, y.high * columns.input + x.high};
        taps.weights[at] = {static_cast<T>(y.low_weight * x.low_weight),
                            static_cast<T>(y.low_weight * x.high_weight),
                            static_cast<T>(y.high_weight * x.low_weight),
                            static_cast<T>(y.high_weight * x.high_weight)};
    }
}

// columns [group's channels, taps, kPositions].
template <typename T>
void move_data(const DeformableSizes& sizes, const DeformableArgs& args, const Piece& piece,
               std::int64_t group, T* columns) {
    const std::int64_t all = sizes.groups * sizes.channels;
    const std::int64_t shared = all / sizes.offset_groups;  // channels with the same offsets
    const std::int64_t plane = sizes.axes[0].input * sizes.axes[1].input;
    MovedTaps<T> taps;
    for (std::int64_t tap = 0; tap < sizes.taps(); ++tap) {
        std::int64_t current = -1;
        for (std::int64_t c = 0; c < sizes.channels; ++c) {
            const std::int64_t channel = group * sizes.channels + c;
            if (channel / shared != current) {
                current = channel / shared;
                const std::int64_t moved =
                    (piece.batch * sizes.offset_groups + current) * sizes.taps() + tap;
                move_tap(sizes, args, piece, moved, tap, taps);
            }
            const T* data =
                static_cast<const T*>(args.data) + (piece.batch * all + channel) * plane;
            T* to = columns + (c * sizes.taps() + tap) * kPositions;
            for (std::size_t i = 0; i < static_cast<std::size_t>(piece.count); ++i) {
                const auto& places = taps.places[i];
                const auto& weights = taps.weights[i];
                to[i] =
                    taps.factors[i] * (weights[0] * data[places[0]] + weights[1] * data[places[1]] +
                                       weights[2] * data[places[2]] + weights[3] * data[places[3]]);
            }
        }
    }
}

template <typename T>
void multiply(const T* filter, const T* columns, std::int64_t depth, std::int64_t count, T* out) {
    std::array<T, kPositions> sums{};
    for (std::int64_t k = 0; k < depth; ++k, columns += kPositions) {
        const T weight = filter[k];
        for (std::size_t i = 0; i < static_cast<std::size_t>(kPositions); ++i) {
            sums[i] += weight * columns[i];
        }
    }
    std::copy(sums.begin(), sums.begin() + count, out);
}

template <typename T>
void run_piece(const DeformableSizes& sizes, const DeformableArgs& args, const Piece& piece,
               T* columns) {
    const std::int64_t depth = sizes.channels * sizes.taps();
    for (std::int64_t group = 0; group < sizes.groups; ++group) {
        move_data(sizes, args, piece, group, columns);
        for (std::int64_t f = 0; f < sizes.filters; ++f) {
            const std::int64_t filter = group * sizes.filters + f;
            T* out = static_cast<T*>(args.out) +
                     (piece.batch * sizes.groups * sizes.filters + filter) * sizes.positions() +
                     piece.first;
            multiply(static_cast<const T*>(args.filters) + filter * depth, columns, depth,
                     piece.count, out);
        }
    }
}

template <typename T>
void run_typed(const DeformableSizes& sizes, const DeformableArgs& args, int slices, Team& team) {
    const std::int64_t pieces = (sizes.positions() + kPositions - 1) / kPositions;
    const std::size_t bytes = deformable_scratch(element_type_of<T>(), sizes);
    const std::int64_t cost =
        kPositions * sizes.groups * sizes.channels * sizes.taps() * (sizes.filters + 4);
    const std::int64_t total = sizes.batch * pieces;
    const std::int64_t least = (total + slices - 1) / slices;
    share_slices(team, total,
                 std::max(kDeformableConvolutionGrain / std::max<std::int64_t>(cost, 1) + 1, least),
                 [&](std::int64_t begin, std::int64_t end, int slice) {
                     auto* columns = reinterpret_cast<T*>(static_cast<std::byte*>(args.scratch) +
                                                          bytes * static_cast<std::size_t>(slice));
                     for (std::int64_t i = begin; i < end; ++i) {
                         const std::int64_t first = i % pieces * kPositions;
                         const std::int64_t count = std::min(kPositions, sizes.positions() - first);
                         run_piece(sizes, args, {i / pieces, first, count}, columns);
                     }
                 });
}

}  // namespace

std::size_t deformable_scratch(ElementType type, const DeformableSizes& sizes) {
    return whole_lines(static_cast<std::size_t>(sizes.channels * sizes.taps() * kPositions) *
                       size_of(type));
}

void run_deformable(ElementType type, const DeformableSizes& sizes, const DeformableArgs& args,
                    int slices, Team& team) {
    if (type == ElementType::f64) return run_typed<double>(sizes, args, slices, team);
    run_typed<float>(sizes, args, slices, team);
}

}  // namespace rondo::cpu
