// Evaluates ROIAlign.
#include "core/ops/window/samplers.hpp"

#include <string>
#include <vector>

#include "core/ops/reduction/formulas.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"

namespace rondo::reference {
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
