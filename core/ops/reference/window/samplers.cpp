// Evaluates the ops that read between elements: Interpolate, GridSample and ROIAlign.
#include <cstring>
#include <string>
#include <vector>

#include "core/ops/reduction/formulas.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/window/samplers.hpp"

namespace rondo::reference {
namespace {

std::vector<ops::AxisTaps> taps_of(const ops::Interpolate& op,
                                   const std::vector<ops::ResizedAxis>& axes) {
    std::vector<ops::AxisTaps> taps;
    for (const auto& axis : axes) taps.push_back(ops::taps_of(op.attributes().rule, axis));
    return taps;
}

// The element of data that each element of the output is, or a place below 0.
std::ptrdiff_t source_of(const std::vector<ops::AxisTaps>& taps,
                         const std::vector<std::size_t>& index, const Strides& strides) {
    std::ptrdiff_t offset = 0;
    for (std::size_t axis = 0; axis < taps.size(); ++axis) {
        const std::int64_t place = taps[axis].places[index[axis]];
        if (place < 0) return place;
        offset += place * strides[axis];
    }
    return offset;
}

void nearest(const std::vector<ops::AxisTaps>& taps, double extrapolation, const Tensor& data,
             Tensor& output) {
    Tensor value(data.element_type(), Shape{});
    if (data.element_type() != ElementType::boolean) {
        from_numbers(std::vector<double>{extrapolation}, value);
    }
    const Tensor zero(data.element_type(), Shape{});
    const auto* from = static_cast<const char*>(data.data());
    copy_each(output, [&](const auto& index) -> const void* {
        const std::ptrdiff_t offset = source_of(taps, index, data.strides());
        if (offset == ops::kPadPlace) return zero.data();
        if (offset == ops::kExtrapolatedPlace) return value.data();
        return from + offset;
    });
}

// [outer, input, inner] becomes [outer, output, inner].
std::vector<double> resized(const std::vector<double>& data, const ops::AxisTaps& taps,
                            const ops::ResizedAxis& axis, std::size_t inner, double extrapolation) {
    const auto input = static_cast<std::size_t>(axis.input);
    const auto output = static_cast<std::size_t>(axis.output);
    const auto count = static_cast<std::size_t>(taps.count);
    const std::size_t outer = data.size() / (input * inner);
    std::vector<double> result(outer * output * inner);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::size_t at = i / inner % output;
        const std::size_t row = i / inner / output * input;
        if (taps.places[at * count] == ops::kExtrapolatedPlace) {
            result[i] = extrapolation;
            continue;
        }
        for (std::size_t k = at * count; k < (at + 1) * count; ++k) {
            if (taps.weights[k] == 0) continue;
            const auto place = static_cast<std::size_t>(taps.places[k]);
            result[i] += taps.weights[k] * data[(row + place) * inner + i % inner];
        }
    }
    return result;
}

}  // namespace

void interpolate(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::Interpolate&>(node);
    const auto axes = op.axes(known_context(node, inputs)).value();
    if (outputs[0].size() == 0) return;
    const auto taps = taps_of(op, axes);
    const auto extrapolation = static_cast<double>(op.attributes().extrapolation_value);
    if (op.is_nearest()) return nearest(taps, extrapolation, inputs[0], outputs[0]);
    if (inputs[0].size() == 0) return;  // pads alone
    std::vector<double> data = to_numbers(inputs[0]);
    std::size_t inner = 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
        if (!taps[i].is_identity(axes[i].input)) {
            data = resized(data, taps[i], axes[i], inner, extrapolation);
        }
        inner *= static_cast<std::size_t>(axes[i].output);
    }
    from_numbers(data, outputs[0]);
}

namespace {

// An element's number in a plane of the data, or -1 if nothing is added, and its weight.
struct Tap {
    std::ptrdiff_t place = 0;
    double weight = 1;
};

// The taps of a point; those that lie outside of the data too.
std::vector<Tap> taps_of(const ops::GridRule& rule, const double* point, const Shape& data) {
    std::vector<Tap> taps{Tap{}};
    const std::size_t axes = data.size() - 2;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        const auto extent = static_cast<std::int64_t>(data[axis + 2]);
        const auto own = ops::grid_taps(rule, point[axes - 1 - axis], extent);
        std::vector<Tap> joined;
        for (const Tap& tap : taps) {
            for (std::size_t k = 0; k < static_cast<std::size_t>(rule.taps()); ++k) {
                const bool is_outside = tap.place < 0 || own.places[k] < 0;
                joined.push_back({is_outside ? -1 : tap.place * extent + own.places[k],
                                  tap.weight * own.weights[k]});
            }
        }
        taps = std::move(joined);
    }
    return taps;
}

}  // namespace

void grid_sample(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    ops::GridRule rule = static_cast<const ops::GridSample&>(node).rule();
    rule.is_f64 = inputs[1].element_type() == ElementType::f64;
    const Shape& data = inputs[0].shape();
    if (outputs[0].size() == 0) return;
    const std::size_t planes = data[0] * data[1];
    const std::size_t points = outputs[0].size() / planes;
    const std::size_t plane_size = product(data, 2, data.size());
    const auto grid = to_doubles(inputs[1]);
    const bool is_nearest = rule.mode == ops::GridMode::nearest;
    const auto numbers = is_nearest ? std::vector<double>() : to_doubles(inputs[0]);
    std::vector<double> sums(is_nearest ? 0 : outputs[0].size());
    const std::size_t bytes = size_of(outputs[0].element_type());
    for (std::size_t i = 0; i < outputs[0].size(); ++i) {
        const std::size_t plane = i / points;
        const std::size_t point = plane / data[1] * points + i % points;
        for (const Tap& tap : taps_of(rule, &grid[point * (data.size() - 2)], data)) {
            if (tap.place < 0) continue;
            const std::size_t from = plane * plane_size + static_cast<std::size_t>(tap.place);
            if (is_nearest) {
                std::memcpy(static_cast<char*>(outputs[0].data()) + i * bytes,
                            static_cast<const char*>(inputs[0].data()) + from * bytes, bytes);
            } else {
                sums[i] += tap.weight * numbers[from];
            }
        }
    }
    if (!is_nearest) from_doubles(sums, outputs[0]);
}

namespace {

// One plane of the data and one region.
template <typename T>
struct Region {
    const double* plane;
    std::int64_t height, width;
    ops::RoiAxis<T> y, x;
};

template <typename T>
double pooled(const Region<T>& region, ops::RoiMode mode, std::int64_t row, std::int64_t column) {
    double sum = 0;
    std::vector<double> parts, samples;
    for (std::int64_t i = 0; i < region.y.samples; ++i) {
        const auto y = ops::roi_tap(region.y, row, i, region.height);
        for (std::int64_t k = 0; k < region.x.samples; ++k) {
            const auto x = ops::roi_tap(region.x, column, k, region.width);
            double sample = 0;
            const auto add = [&](std::int64_t at_y, T wy, std::int64_t at_x, T wx) {
                const double weight = static_cast<double>(wy) * static_cast<double>(wx);
                parts.push_back(weight == 0 ? 0
                                            : weight * region.plane[at_y * region.width + at_x]);
                sample += parts.back();
            };
            add(y.low, y.low_weight, x.low, x.low_weight);
            add(y.low, y.low_weight, x.high, x.high_weight);
            add(y.high, y.high_weight, x.low, x.low_weight);
            add(y.high, y.high_weight, x.high, x.high_weight);
            samples.push_back(sample);
            sum += sample;
        }
    }
    if (samples.empty()) return 0;
    if (mode == ops::RoiMode::avg) return sum / static_cast<double>(samples.size());
    const bool takes_parts = mode == ops::RoiMode::max_part;
    double result = takes_parts ? parts.front() : 0;
    for (const double value : takes_parts ? parts : samples) {
        result = ops::step_of<ops::ReduceFunction::max>(result, value);  // NaN is the greatest
    }
    return result;
}

template <typename T>
void align(const Node& node, std::span<const Tensor> inputs, Tensor& output) {
    const auto& attributes = static_cast<const ops::RoiAlign&>(node).attributes();
    const InferContext context = known_context(node, inputs);
    const Shape &data = inputs[0].shape(), &shape = output.shape();
    const auto numbers = to_doubles(inputs[0]), regions = to_doubles(inputs[1]);
    const auto batches = to_int64_vector(inputs[2]);
    std::vector<double> result;
    const auto scale = static_cast<T>(attributes.spatial_scale);
    for (std::size_t r = 0; r < shape[0]; ++r) {
        const std::int64_t batch = batches[r];
        context.check(batch >= 0 && batch < static_cast<std::int64_t>(data[0]),
                      "batch index " + std::to_string(batch) + " is out of range for " +
                          std::to_string(data[0]) + " images");
        const auto axis = [&](std::size_t first, std::int64_t bins) {
            return ops::roi_axis<T>(attributes.alignment, static_cast<T>(regions[4 * r + first]),
                                    static_cast<T>(regions[4 * r + first + 2]), scale, bins,
                                    attributes.sampling_ratio);
        };
        const auto y = axis(1, attributes.pooled_h), x = axis(0, attributes.pooled_w);
        context.check(y.samples >= 0 && x.samples >= 0,
                      "region " + std::to_string(r) + " is too large");
        for (std::size_t c = 0; c < shape[1]; ++c) {
            const std::size_t plane = static_cast<std::size_t>(batch) * data[1] + c;
            const Region<T> region{numbers.data() + plane * data[2] * data[3],
                                   static_cast<std::int64_t>(data[2]),
                                   static_cast<std::int64_t>(data[3]), y, x};
            for (std::int64_t i = 0; i < attributes.pooled_h * attributes.pooled_w; ++i) {
                result.push_back(pooled(region, attributes.mode, i / attributes.pooled_w,
                                        i % attributes.pooled_w));
            }
        }
    }
    from_doubles(result, output);
}

}  // namespace

void roi_align(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    // Numbers of samples are those of f32 arithmetic, as in other runtimes.
    if (inputs[0].element_type() == ElementType::f64)
        return align<double>(node, inputs, outputs[0]);
    align<float>(node, inputs, outputs[0]);
}

}  // namespace rondo::reference
