// Evaluates STFT.
#include "core/ops/spectral/stft.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/reference/common/doubles.hpp"
#include "core/ops/reference/spectral/evaluators.hpp"
#include "core/ops/reference/spectral/transform.hpp"

namespace rondo::reference {

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
