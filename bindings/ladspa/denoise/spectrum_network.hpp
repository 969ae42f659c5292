// A network that makes a frame's spectrum of another one.
#pragma once

#include "bindings/ladspa/denoise/denoiser.hpp"
#include "bindings/ladspa/denoise/fft.hpp"

namespace rondo::denoise {

/// Bins are an axis of the network's input, real and imaginary parts another one of extent 2; all
/// others have extent 1. Without parts the input is magnitudes. The same holds for its output.
class SpectrumNetwork {
public:
    SpectrumNetwork(const NetworkFile& file, SpectrumOptions::Output output);

    std::size_t bins() const { return in_.bins; }
    /// Replaces the bins by those that the network makes of them. Those that it gives as magnitudes
    /// keep their phases.
    void clean(Complex* bins);
    void reset() { network_.reset(); }

private:
    // Where the numbers of a bin are.
    struct Layout {
        std::size_t bins = 0;
        std::size_t bin_step = 1;
        std::size_t part_step = 0;  // 0: magnitudes
    };

    static Layout layout_of(const std::string& place, const Shape& shape);
    void write(const Complex* bins);

    Network network_;
    Layout in_;
    Layout out_;
    bool is_mask_;
    float* input_;
    const float* output_;
};

}  // namespace rondo::denoise
