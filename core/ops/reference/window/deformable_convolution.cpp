// Evaluates DeformableConvolution.
#include "core/ops/window/deformable_convolution.hpp"

#include <vector>

#include "core/ops/reference/common/doubles.hpp"
#include "core/ops/reference/window/evaluators.hpp"
#include "core/ops/window/moved_tap.hpp"

namespace rondo::reference {
namespace {

using Numbers = std::vector<double>;

double sample(const double* plane, std::int64_t width, const ops::MovedTap& y,
              const ops::MovedTap& x) {
    const auto row = [&](std::int64_t at) {
        return x.low_weight * plane[at * width + x.low] +
               x.high_weight * plane[at * width + x.high];
    };
    return y.low_weight * row(y.low) + y.high_weight * row(y.high);
}

}  // namespace

void deformable_convolution(const Node& node, std::span<const Tensor> inputs,
                            std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::DeformableConvolution&>(node);
    const Shape &data = inputs[0].shape(), &filters = inputs[2].shape();
    const Shape& shape = outputs[0].shape();
    if (outputs[0].size() == 0 || inputs[0].size() == 0) return;
    const auto axes = op.axes(data, filters);
    const Numbers numbers = to_doubles(inputs[0]), offsets = to_doubles(inputs[1]);
    const Numbers weights = to_doubles(inputs[2]);
    const Numbers factors = inputs.size() > 3 ? to_doubles(inputs[3]) : Numbers();
    const std::size_t taps = filters[2] * filters[3], positions = shape[2] * shape[3];
    const auto offset_groups = static_cast<std::size_t>(op.offset_group());
    const std::size_t own_filters = filters[0] / static_cast<std::size_t>(op.group());
    Numbers result(outputs[0].size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::size_t position = i % positions;
        const std::size_t filter = i / positions % shape[1], batch = i / positions / shape[1];
        for (std::size_t c = 0; c < filters[1]; ++c) {
            const std::size_t channel = filter / own_filters * filters[1] + c;
            const double* plane = &numbers[(batch * data[1] + channel) * data[2] * data[3]];
            const std::size_t group = channel / (data[1] / offset_groups);
            for (std::size_t tap = 0; tap < taps; ++tap) {
                const std::size_t moved = (batch * offset_groups + group) * taps + tap;
                const auto at = [&](std::size_t axis, std::size_t out, std::size_t k) {
                    const auto& own = axes[axis];
                    const auto place = static_cast<double>(
                        static_cast<std::int64_t>(out) * own.stride - own.pad_begin +
                        static_cast<std::int64_t>(k) * own.dilation);
                    return ops::moved_tap(
                        place + offsets[(2 * moved + axis) * positions + position], own.input,
                        op.pads_by_zero());
                };
                const auto y = at(0, position / shape[3], tap / filters[3]);
                const auto x = at(1, position % shape[3], tap % filters[3]);
                const double factor = factors.empty() ? 1 : factors[moved * positions + position];
                result[i] += weights[(filter * filters[1] + c) * taps + tap] * factor *
                             sample(plane, static_cast<std::int64_t>(data[3]), y, x);
            }
        }
    }
    from_doubles(result, outputs[0]);
}

}  // namespace rondo::reference
