// Evaluates Convolution and GroupConvolution.
#include "core/ops/window/convolution.hpp"

#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/reference/window/evaluators.hpp"
#include "core/ops/reference/window/spatial.hpp"

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

}  // namespace rondo::reference
