#include "bindings/ladspa/denoise/spectrum_network.hpp"

#include <rondo/error.hpp>

namespace rondo::denoise {

SpectrumNetwork::SpectrumNetwork(const NetworkFile& file, SpectrumOptions::Output output)
    : network_(file),
      in_(layout_of(file.path + ": its input", network_.only_input())),
      out_(layout_of(file.path + ": its output", network_.only_output())),
      is_mask_(output == SpectrumOptions::Output::automatic
                   ? network_.gives_factors()
                   : output == SpectrumOptions::Output::mask),
      input_(network_.input(element_count(network_.only_input()))),
      output_(network_.output(element_count(network_.only_output()))) {
    if (in_.bins == out_.bins) return;
    throw ModelError(file.path + ": takes " + std::to_string(in_.bins) + " bins and gives " +
                     std::to_string(out_.bins) + "; expected as many");
}

SpectrumNetwork::Layout SpectrumNetwork::layout_of(const std::string& place, const Shape& shape) {
    Shape extents;
    for (const std::size_t extent : shape) {
        if (extent != 1) extents.push_back(extent);
    }
    constexpr std::size_t kLeastBins = 3;
    if (extents.size() == 1 && extents[0] >= kLeastBins) return {extents[0], 1, 0};
    if (extents.size() == 2 && extents[0] >= kLeastBins && extents[1] == 2) {
        return {extents[0], 2, 1};
    }
    if (extents.size() == 2 && extents[0] == 2 && extents[1] >= kLeastBins) {
        return {extents[1], 1, extents[1]};
    }
    throw ModelError(place + " has shape " + to_string(shape) +
                     "; expected the bins of one frame, and 2 parts of each or none");
}

void SpectrumNetwork::write(const Complex* bins) {
    for (std::size_t i = 0; i < in_.bins; ++i) {
        if (in_.part_step == 0) {
            input_[i] = std::abs(bins[i]);
        } else {
            input_[i * in_.bin_step] = bins[i].real();
            input_[i * in_.bin_step + in_.part_step] = bins[i].imag();
        }
    }
}

void SpectrumNetwork::clean(Complex* bins) {
    write(bins);
    network_.infer();
    for (std::size_t i = 0; i < out_.bins; ++i) {
        const float real = output_[i * out_.bin_step];
        if (out_.part_step != 0) {
            const float imaginary = output_[i * out_.bin_step + out_.part_step];
            const Complex value(real, imaginary), old = bins[i];
            bins[i] = is_mask_ ? Complex(old.real() * real - old.imag() * imaginary,
                                         old.real() * imaginary + old.imag() * real)
                               : value;
        } else if (is_mask_) {
            bins[i] *= real;
        } else {
            const float magnitude = std::abs(bins[i]);
            bins[i] = magnitude > 0 ? bins[i] * (real / magnitude) : Complex(real);
        }
    }
}

}  // namespace rondo::denoise
