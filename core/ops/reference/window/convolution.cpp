// Evaluates Convolution.
#include "core/ops/window/convolution.hpp"

#include <array>

#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/reference/window/evaluators.hpp"

namespace rondo::reference {
namespace {

// Every convolution as one over three spatial axes, those that it lacks having extent 1.
using Index3 = std::array<std::int64_t, 3>;

struct Job {
    std::size_t batch = 0;
    std::size_t channels = 0;
    std::size_t filters = 0;
    std::array<ops::ConvolutionAxis, 3> axes;
};

Job job_of(const ops::Convolution& op, const Shape& data, const Shape& filters) {
    constexpr ops::ConvolutionAxis kNoAxis{1, 1, 1};
    Job job{data[0], data[1], filters[0], {kNoAxis, kNoAxis, kNoAxis}};
    const auto axes = op.axes(data, filters);
    std::copy(axes.begin(), axes.end(), job.axes.end() - static_cast<std::ptrdiff_t>(axes.size()));
    return job;
}

template <typename F>
void for_each(const Index3& extents, F f) {
    for (std::int64_t i = 0; i < extents[0]; ++i) {
        for (std::int64_t j = 0; j < extents[1]; ++j) {
            for (std::int64_t k = 0; k < extents[2]; ++k) f(Index3{i, j, k});
        }
    }
}

Index3 extents_of(const Job& job, std::int64_t ops::ConvolutionAxis::*extent) {
    return {job.axes[0].*extent, job.axes[1].*extent, job.axes[2].*extent};
}

std::size_t place(const Index3& at, const Index3& extents) {
    return static_cast<std::size_t>((at[0] * extents[1] + at[1]) * extents[2] + at[2]);
}

std::size_t volume(const Index3& extents) {
    return static_cast<std::size_t>(extents[0] * extents[1] * extents[2]);
}

// The data that `tap` of the filter meets at output `at`; false where it lies in the padding.
bool meets(const Job& job, const Index3& at, const Index3& tap, Index3& input) {
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& axis = job.axes[i];
        input[i] = at[i] * axis.stride + tap[i] * axis.dilation - axis.pad_begin;
        if (input[i] < 0 || input[i] >= axis.input) return false;
    }
    return true;
}

// One element: `data` [C, spatial...] of a batch row against one filter.
template <typename Number>
Number element(const Job& job, const Index3& at, const Number* data, const Number* filter) {
    const Index3 inputs = extents_of(job, &ops::ConvolutionAxis::input);
    const Index3 kernel = extents_of(job, &ops::ConvolutionAxis::kernel);
    Number sum = 0;
    for (std::size_t c = 0; c < job.channels; ++c) {
        for_each(kernel, [&](const Index3& tap) {
            Index3 input{};
            if (!meets(job, at, tap, input)) return;
            sum += data[c * volume(inputs) + place(input, inputs)] *
                   filter[c * volume(kernel) + place(tap, kernel)];
        });
    }
    return sum;
}

template <typename Number>
void convolve(const Job& job, const Number* data, const Number* filters, Number* result) {
    const Index3 outputs = extents_of(job, &ops::ConvolutionAxis::output);
    const std::size_t row = job.channels * volume(extents_of(job, &ops::ConvolutionAxis::input));
    const std::size_t filter =
        job.channels * volume(extents_of(job, &ops::ConvolutionAxis::kernel));
    for (std::size_t n = 0; n < job.batch; ++n) {
        for (std::size_t o = 0; o < job.filters; ++o) {
            for_each(outputs, [&](const Index3& at) {
                *result++ = element(job, at, data + n * row, filters + o * filter);
            });
        }
    }
}

}  // namespace

void convolution(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::Convolution&>(node);
    const Job job = job_of(op, inputs[0].shape(), inputs[1].shape());
    compute_numbers(inputs[0], inputs[1], outputs[0],
                    [&](const auto& data, const auto& filters, auto& result) {
                        convolve(job, data.data(), filters.data(), result.data());
                    });
}

}  // namespace rondo::reference
