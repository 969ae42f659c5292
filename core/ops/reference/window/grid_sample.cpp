// Evaluates GridSample.
#include "core/ops/window/samplers.hpp"

#include <cstring>
#include <vector>

#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/numbers.hpp"

namespace rondo::reference {
namespace {

// An element's number in a plane of the data, or -1 where nothing is added, and its weight.
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
    std::size_t plane_size = 1;
    for (std::size_t i = 2; i < data.size(); ++i) plane_size *= data[i];
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

}  // namespace rondo::reference
