// Evaluates the Fourier transforms, of a whole tensor and of frames of a signal (STFT).
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "core/graph/infer_context.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/reference/spectral/transform.hpp"
#include "core/ops/spectral/spectral_ops.hpp"

namespace rondo::reference {
namespace {

std::size_t least_factor(std::size_t n) {
    for (std::size_t p = 2; p * p <= n; ++p) {
        if (n % p == 0) return p;
    }
    return n;
}

// e^(-2 pi j i / n) for all i.
Spectrum unit_roots(std::size_t n) {
    Spectrum roots(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(n);
        roots[i] = std::polar(1.0, -2 * std::numbers::pi * part);
    }
    return roots;
}

}  // namespace

// For n = p m: the p transforms of every p-th number, and the sums of each of their numbers.
Spectrum transformed(const Spectrum& x) {
    const std::size_t n = x.size();
    if (n <= 1) return x;
    const std::size_t p = least_factor(n), m = n / p;
    const Spectrum roots = unit_roots(n);
    Spectrum y(n);
    for (std::size_t first = 0; first < p; ++first) {
        Spectrum part(m);
        for (std::size_t i = 0; i < m; ++i) part[i] = x[i * p + first];
        if (m > 1) part = transformed(part);
        for (std::size_t k = 0; k < n; ++k) y[k] += part[k % m] * roots[first * k % n];
    }
    return y;
}

Spectrum transformed_back(const Spectrum& x) {
    Spectrum y = x;
    for (auto& number : y) number = std::conj(number);
    y = transformed(y);
    for (auto& number : y) number = std::conj(number) / static_cast<double>(x.size());
    return y;
}

namespace {

using ops::FourierFunction;

// Complex numbers in row-major order.
struct Field {
    Shape shape;
    Spectrum numbers;
};

Field field_of(const Tensor& data, bool is_complex) {
    Field field{data.shape(), {}};
    const auto parts = to_doubles(data);
    if (!is_complex) {
        field.numbers.assign(parts.begin(), parts.end());
        return field;
    }
    field.shape.pop_back();
    field.numbers.resize(parts.size() / 2);
    for (std::size_t i = 0; i < field.numbers.size(); ++i) {
        field.numbers[i] = {parts[2 * i], parts[2 * i + 1]};
    }
    return field;
}

// The first n/2 + 1 numbers of a spectrum of n real ones, completed by the conjugates of the
// others.
Spectrum completed(const Spectrum& half, std::size_t n) {
    Spectrum whole(n);
    for (std::size_t k = 0; k <= n / 2 && k < n; ++k) {
        whole[k] = half[k];
        if (k == 0 || 2 * k == n) whole[k] = whole[k].real();
        if (k > 0) whole[n - k] = std::conj(whole[k]);
    }
    return whole;
}

Spectrum transform_line(FourierFunction function, const Spectrum& line, std::size_t n) {
    switch (function) {
        case FourierFunction::idft: return transformed_back(line);
        case FourierFunction::irdft: return transformed_back(completed(line, n));
        default: return transformed(line);
    }
}

// Along one axis, with transforms of length n.
Field transform_axis(const Field& x, FourierFunction function, std::size_t n,
                     const ops::FourierAxis& axis) {
    Field y{x.shape, {}};
    const std::size_t count = x.shape[axis.axis];
    const auto extent = static_cast<std::size_t>(axis.output.length());
    y.shape[axis.axis] = extent;
    y.numbers.resize(element_count(y.shape));
    const std::size_t inner = product(x.shape, axis.axis + 1, x.shape.size());
    const std::size_t taken = function == FourierFunction::irdft ? n / 2 + 1 : n;
    const std::size_t lines = y.numbers.size() / extent;
    for (std::size_t line = 0; line < lines; ++line) {
        const std::size_t outer = line / inner, column = line % inner;
        Spectrum numbers(taken);
        for (std::size_t i = 0; i < std::min(count, taken); ++i) {
            numbers[i] = x.numbers[(outer * count + i) * inner + column];
        }
        numbers = transform_line(function, numbers, n);
        for (std::size_t i = 0; i < extent; ++i) {
            y.numbers[(outer * extent + i) * inner + column] = numbers[i];
        }
    }
    return y;
}

void write(const Field& field, bool is_complex, Tensor& output) {
    std::vector<double> parts;
    for (const auto& number : field.numbers) {
        parts.push_back(number.real());
        if (is_complex) parts.push_back(number.imag());
    }
    from_doubles(parts, output);
}

}  // namespace

void fourier(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    if (outputs[0].size() == 0) return;
    const FourierFunction function = static_cast<const ops::Fourier&>(node).function();
    Field field = field_of(inputs[0], takes_complex(function));
    auto axes = *ops::fourier_axes(known_context(node, inputs), function,
                                   PartialShape(field.shape).dimensions());
    // The transform from or to real numbers is that of the last axis: RDFT begins with it.
    if (function == FourierFunction::rdft) std::reverse(axes.begin(), axes.end());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        FourierFunction step = function;
        if (function == FourierFunction::rdft && i > 0) step = FourierFunction::dft;
        if (function == FourierFunction::irdft && i + 1 < axes.size()) step = FourierFunction::idft;
        field =
            transform_axis(field, step, static_cast<std::size_t>(axes[i].length.length()), axes[i]);
    }
    write(field, gives_complex(function), outputs[0]);
}

void stft(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const bool frames_first = static_cast<const ops::Stft&>(node).frames_first();
    const auto signal = to_doubles(inputs[0]), window = to_doubles(inputs[1]);
    const auto size = static_cast<std::size_t>(to_int64_vector(inputs[2]).at(0));
    const auto step = static_cast<std::size_t>(to_int64_vector(inputs[3]).at(0));
    const std::size_t length = inputs[0].shape().back(), begin = (size - window.size()) / 2;
    const std::size_t frames = length < size ? 0 : (length - size) / step + 1, bins = size / 2 + 1;
    std::vector<double> parts(outputs[0].size());
    for (std::size_t f = 0; f < parts.size() / (2 * bins); ++f) {
        const std::size_t row = f / frames, frame = f % frames;
        Spectrum numbers(size);
        for (std::size_t i = 0; i < window.size(); ++i) {
            numbers[begin + i] = signal[row * length + frame * step + begin + i] * window[i];
        }
        numbers = transformed(numbers);
        for (std::size_t k = 0; k < bins; ++k) {
            const std::size_t at = frames_first ? f * bins + k : (row * bins + k) * frames + frame;
            parts[2 * at] = numbers[k].real();
            parts[2 * at + 1] = numbers[k].imag();
        }
    }
    from_doubles(parts, outputs[0]);
}

}  // namespace rondo::reference
