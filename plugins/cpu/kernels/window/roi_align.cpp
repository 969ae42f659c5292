#include "plugins/cpu/kernels/window/roi_align.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/ops/reduction/formulas.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kChannels = 16;  // that share the places of a sample

// A sample's four elements and their weights.
template <typename T>
struct Sample {
    std::array<std::int64_t, 4> places;
    std::array<T, 4> weights;

    Sample(const ops::RoiTap<T>& y, const ops::RoiTap<T>& x, std::int64_t width)
        : places{y.low * width + x.low, y.low * width + x.high, y.high * width + x.low,
                 y.high * width + x.high},
          weights{y.low_weight * x.low_weight, y.low_weight * x.high_weight,
                  y.high_weight * x.low_weight, y.high_weight * x.high_weight} {}

    T part(const T* plane, std::size_t i) const {
        return weights[i] == 0 ? T{0} : weights[i] * plane[places[i]];
    }
};

template <typename T>
void take(ops::RoiMode mode, const Sample<T>& sample, const T* plane, T& result) {
    constexpr auto greater = ops::step_of<ops::ReduceFunction::max, T>;
    std::array<T, 4> parts;
    for (std::size_t i = 0; i < 4; ++i) parts[i] = sample.part(plane, i);
    if (mode == ops::RoiMode::max_part) {
        for (const T part : parts) result = greater(result, part);  // NaN is the greatest
        return;
    }
    const T sum = parts[0] + parts[1] + parts[2] + parts[3];
    result = mode == ops::RoiMode::avg ? result + sum : greater(result, sum);
}

template <typename T>
void pool_bin(const RoiSizes& sizes, const ops::RoiAxis<T>& y, const ops::RoiAxis<T>& x,
              const RoiArgs& args, std::int64_t bin) {
    const std::int64_t plane = sizes.height * sizes.width;
    const std::int64_t bins = sizes.bins_y * sizes.bins_x;
    const std::int64_t count = args.end - args.begin;
    const T* data = static_cast<const T*>(args.data) + args.begin * plane;
    const std::int64_t samples = y.samples * x.samples;
    std::array<T, kChannels> results;
    const bool has_floor = sizes.mode != ops::RoiMode::max_part || samples == 0;
    results.fill(has_floor ? T{0} : -std::numeric_limits<T>::infinity());
    for (std::int64_t i = 0; i < samples; ++i) {
        const Sample<T> sample(ops::roi_tap(y, bin / sizes.bins_x, i / x.samples, sizes.height),
                               ops::roi_tap(x, bin % sizes.bins_x, i % x.samples, sizes.width),
                               sizes.width);
        for (std::int64_t c = 0; c < count; ++c) {
            take(sizes.mode, sample, data + c * plane, results[static_cast<std::size_t>(c)]);
        }
    }
    T* out = static_cast<T*>(args.out) + args.begin * bins + bin;
    const bool divides = sizes.mode == ops::RoiMode::avg && samples > 0;
    for (std::int64_t c = 0; c < count; ++c) {
        const T result = results[static_cast<std::size_t>(c)];
        out[c * bins] = divides ? result / static_cast<T>(samples) : result;
    }
}

template <typename T>
bool pool_region(const RoiSizes& sizes, const RoiArgs& args) {
    const T* region = static_cast<const T*>(args.region);
    const auto scale = static_cast<T>(sizes.scale);
    const auto y =
        ops::roi_axis<T>(sizes.alignment, region[1], region[3], scale, sizes.bins_y, sizes.ratio);
    const auto x =
        ops::roi_axis<T>(sizes.alignment, region[0], region[2], scale, sizes.bins_x, sizes.ratio);
    if (y.samples < 0 || x.samples < 0) return false;
    RoiArgs block = args;
    for (; block.begin < args.end; block.begin += kChannels) {
        block.end = std::min(block.begin + kChannels, args.end);
        for (std::int64_t bin = 0; bin < sizes.bins_y * sizes.bins_x; ++bin) {
            pool_bin(sizes, y, x, block, bin);
        }
    }
    return true;
}

}  // namespace

RoiLoop roi_loop(ElementType type) {
    return type == ElementType::f64 ? pool_region<double> : pool_region<float>;
}

}  // namespace rondo::cpu
