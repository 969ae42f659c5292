// Removes the noise of one stream as it arrives.
#pragma once

#include <cstddef>
#include <memory>

#include "bindings/ladspa/denoise/network.hpp"

namespace rondo::denoise {

/// One stream. push() and reset() take no memory and no lock, and wait for nothing.
class Denoiser {
public:
    virtual ~Denoiser() = default;
    virtual std::size_t hop() const = 0;    ///< samples of a chunk
    virtual std::size_t delay() const = 0;  ///< samples by which a clean one comes later
    /// hop() noisy samples in, as many clean ones out; both may be the same memory.
    virtual void push(const float* noisy, float* clean) = 0;
    /// Begins a new stream.
    virtual void reset() = 0;
};

/// How a network of one frame's spectrum is used.
struct SpectrumOptions {
    enum class Shape { none, hann, sqrt_hann, hamming, vorbis };
    enum class Output { automatic, spectrum, mask };
    Shape shape = Shape::sqrt_hann;  ///< of the window, before and after the network
    std::size_t hop = 0;             ///< samples; 0: half of the window
    /// What the network gives: a new spectrum, or factors for the old one. automatic: factors if
    /// its output comes from a Sigmoid.
    Output output = Output::automatic;
};

// Each takes what load_networks() gives, in this order, and throws ModelError that names the file
// and the port if a network isn't such a one.

/// DTLN for 16,000 samples a second: its network of magnitudes and its network of samples.
std::unique_ptr<Denoiser> make_dtln(const Networks& networks);
/// DeepFilterNet 3 for 48,000 samples a second: the encoder, and the decoders of bands and filters.
std::unique_ptr<Denoiser> make_deep_filter(const Networks& networks);
/// A network of one frame's spectrum, whose bins say how long the window is: complex numbers or
/// magnitudes in, complex numbers or factors for each bin out.
std::unique_ptr<Denoiser> make_spectral(const Networks& networks, const SpectrumOptions& options);
/// A network that takes samples and gives as many. `hop` is their number if the network's input
/// has an open extent, else 0 or what it has.
std::unique_ptr<Denoiser> make_direct(const Networks& networks, std::size_t hop);

}  // namespace rondo::denoise
