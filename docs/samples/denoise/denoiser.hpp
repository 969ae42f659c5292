// Removes the noise of one stream as it arrives.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

class Denoiser {
public:
    virtual ~Denoiser() = default;
    virtual std::size_t hop() const = 0;    ///< samples of a chunk
    virtual std::size_t delay() const = 0;  ///< samples by which a clean one comes later
    /// A chunk of noisy samples in, as many clean ones out.
    virtual std::vector<float> push(const std::vector<float>& samples) = 0;
};

/// For 16,000 samples a second. `folder` holds dtln_pytorch_p1 and dtln_pytorch_p2.
std::unique_ptr<Denoiser> make_dtln(const std::string& folder);
/// For 48,000 samples a second. `folder` holds dfn3_enc, dfn3_erb_dec and dfn3_df_dec.
std::unique_ptr<Denoiser> make_deep_filter(const std::string& folder);
