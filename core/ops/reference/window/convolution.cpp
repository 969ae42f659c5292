// Evaluates the convolutions, and Col2Im, which puts windows back in place.
#include <vector>

#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/reference/window/spatial.hpp"
#include "core/ops/window/convolutions.hpp"
#include "core/ops/window/moved_tap.hpp"

namespace rondo::reference {
namespace {

struct ConvolutionJob {
    ops::ConvolutionShape sizes;
    Axes3 axes;
};

// One element: `data` [C, spatial...] of a group of a batch row against one filter.
template <typename Number>
Number element(const ConvolutionJob& job, const Index3& at, const Number* data,
               const Number* filter) {
    const Index3 inputs = extents_of(job.axes, &ops::ConvolutionAxis::input);
    const Index3 kernel = extents_of(job.axes, &ops::ConvolutionAxis::kernel);
    Number sum = 0;
    for (std::size_t c = 0; c < job.sizes.channels; ++c) {
        for_each_index(kernel, [&](const Index3& tap) {
            Index3 input{};
            if (!meets(job.axes, at, tap, input)) return;
            sum += data[c * volume(inputs) + place(input, inputs)] *
                   filter[c * volume(kernel) + place(tap, kernel)];
        });
    }
    return sum;
}

template <typename Number>
void convolve(const ConvolutionJob& job, const Number* data, const Number* filters,
              Number* result) {
    const auto& [batch, groups, channels, filter_count] = job.sizes;
    const Index3 outputs = extents_of(job.axes, &ops::ConvolutionAxis::output);
    const std::size_t row = channels * volume(extents_of(job.axes, &ops::ConvolutionAxis::input));
    const std::size_t filter =
        channels * volume(extents_of(job.axes, &ops::ConvolutionAxis::kernel));
    for (std::size_t n = 0; n < batch * groups; ++n) {
        for (std::size_t o = 0; o < filter_count; ++o) {
            const std::size_t number = n % groups * filter_count + o;
            for_each_index(outputs, [&](const Index3& at) {
                *result++ = element(job, at, data + n * row, filters + number * filter);
            });
        }
    }
}

}  // namespace

void convolution(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::ConvolutionBase&>(node);
    const Shape &data_shape = inputs[0].shape(), &filter_shape = inputs[1].shape();
    const ConvolutionJob job{op.sizes(data_shape, filter_shape),
                             three_axes(op.axes(data_shape, filter_shape))};
    compute_numbers(inputs[0], inputs[1], outputs[0],
                    [&](const auto& data, const auto& filters, auto& result) {
                        convolve(job, data.data(), filters.data(), result.data());
                    });
}

namespace {

// The output that element `input` times `tap` of a filter adds to; false if there is none.
bool lands(const Axes3& axes, const Index3& input, const Index3& tap, Index3& at) {
    for (std::size_t i = 0; i < 3; ++i) {
        at[i] = input[i] * axes[i].stride + tap[i] * axes[i].dilation - axes[i].pad_begin;
        if (at[i] < 0 || at[i] >= axes[i].output) return false;
    }
    return true;
}

// Adds one channel of the data, scattered by one filter, to one channel of the result.
template <typename Number>
void scatter(const ConvolutionJob& job, const Number* data, const Number* filter, Number* result) {
    const Index3 inputs = extents_of(job.axes, &ops::ConvolutionAxis::input);
    const Index3 kernel = extents_of(job.axes, &ops::ConvolutionAxis::kernel);
    const Index3 outputs = extents_of(job.axes, &ops::ConvolutionAxis::output);
    for_each_index(inputs, [&](const Index3& input) {
        const Number x = data[place(input, inputs)];
        for_each_index(kernel, [&](const Index3& tap) {
            Index3 at{};
            if (lands(job.axes, input, tap, at)) {
                result[place(at, outputs)] += x * filter[place(tap, kernel)];
            }
        });
    });
}

template <typename Number>
void run(const ConvolutionJob& job, const Number* data, const Number* filters, Number* result) {
    const auto& [batch, groups, channels, filter_count] = job.sizes;
    const std::size_t taps = volume(extents_of(job.axes, &ops::ConvolutionAxis::kernel));
    const std::size_t image = volume(extents_of(job.axes, &ops::ConvolutionAxis::input));
    const std::size_t plane = volume(extents_of(job.axes, &ops::ConvolutionAxis::output));
    for (std::size_t n = 0; n < batch * groups; ++n) {
        for (std::size_t c = 0; c < channels; ++c) {
            const std::size_t filter = (n % groups * channels + c) * filter_count;
            for (std::size_t o = 0; o < filter_count; ++o) {
                scatter(job, data + (n * channels + c) * image, filters + (filter + o) * taps,
                        result + (n * filter_count + o) * plane);
            }
        }
    }
}

}  // namespace

void convolution_backprop_data(const Node& node, std::span<const Tensor> inputs,
                               std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::BackpropBase&>(node);
    const Shape &data_shape = inputs[0].shape(), &filter_shape = inputs[1].shape();
    const ConvolutionJob job{op.sizes(data_shape, filter_shape),
                             three_axes(op.axes(data_shape, filter_shape, outputs[0].shape()))};
    compute_numbers(inputs[0], inputs[1], outputs[0],
                    [&](const auto& data, const auto& filters, auto& result) {
                        run(job, data.data(), filters.data(), result.data());
                    });
}

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

void col2im(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::Col2Im&>(node);
    const Axes3 axes = three_axes(op.axes(known_context(node, inputs)).value());
    const Index3 image = extents_of(axes, &ops::ConvolutionAxis::input);
    const Index3 kernel = extents_of(axes, &ops::ConvolutionAxis::kernel);
    const Index3 blocks = extents_of(axes, &ops::ConvolutionAxis::output);
    if (inputs[0].size() == 0) return;
    const std::size_t planes = inputs[0].size() / (volume(kernel) * volume(blocks));
    compute_numbers(inputs[0], inputs[0], outputs[0],
                    [&](const auto& data, const auto&, auto& result) {
                        std::size_t from = 0;
                        for (std::size_t plane = 0; plane < planes; ++plane) {
                            for_each_index(kernel, [&](const Index3& tap) {
                                for_each_index(blocks, [&](const Index3& block) {
                                    const auto number = data[from++];
                                    Index3 to{};
                                    if (!meets(axes, block, tap, to)) return;
                                    result[plane * volume(image) + place(to, image)] += number;
                                });
                            });
                        }
                    });
}

}  // namespace rondo::reference
