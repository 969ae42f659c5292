// Evaluates Interpolate.
#include "core/ops/window/samplers.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"

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
    const std::size_t bytes = size_of(data.element_type());
    const auto* from = static_cast<const char*>(data.data());
    auto* to = static_cast<char*>(output.data());
    std::vector<std::size_t> index(output.shape().size());
    for (std::size_t i = 0; i < output.size(); ++i, to += bytes) {
        const std::ptrdiff_t offset = source_of(taps, index, data.strides());
        const void* source = from + std::max<std::ptrdiff_t>(offset, 0);
        if (offset == ops::kPadPlace) source = zero.data();
        if (offset == ops::kExtrapolatedPlace) source = value.data();
        std::memcpy(to, source, bytes);
        next_index(index, output.shape());
    }
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

}  // namespace rondo::reference
