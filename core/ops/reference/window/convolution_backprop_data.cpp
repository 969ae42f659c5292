// Evaluates ConvolutionBackpropData and GroupConvolutionBackpropData.
#include "core/ops/window/convolution_backprop_data.hpp"

#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/reference/window/evaluators.hpp"
#include "core/ops/reference/window/spatial.hpp"

namespace rondo::reference {
namespace {

struct TransposedJob {
    ops::ConvolutionShape sizes;
    Axes3 axes;
};

// The output that element `input` times `tap` of a filter adds to; false where there is none.
bool lands(const Axes3& axes, const Index3& input, const Index3& tap, Index3& at) {
    for (std::size_t i = 0; i < 3; ++i) {
        at[i] = input[i] * axes[i].stride + tap[i] * axes[i].dilation - axes[i].pad_begin;
        if (at[i] < 0 || at[i] >= axes[i].output) return false;
    }
    return true;
}

// Adds one channel of the data, scattered by one filter, to one channel of the result.
template <typename Number>
void scatter(const TransposedJob& job, const Number* data, const Number* filter, Number* result) {
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
void run(const TransposedJob& job, const Number* data, const Number* filters, Number* result) {
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
    const TransposedJob job{op.sizes(data_shape, filter_shape),
                            three_axes(op.axes(data_shape, filter_shape, outputs[0].shape()))};
    compute_numbers(inputs[0], inputs[1], outputs[0],
                    [&](const auto& data, const auto& filters, auto& result) {
                        run(job, data.data(), filters.data(), result.data());
                    });
}

}  // namespace rondo::reference
