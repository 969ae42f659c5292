// How Model::quantize() stores the weights of recurrent layers as integers, and what it did.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rondo {

/// No calibration is needed: rows of X and H are rounded when the model runs, each with a scale of
/// its own. docs/quantization.md has the formats.
struct QuantizationOptions {
    /// "w8r16": weights of 8 bits, rows of 16, which lose next to nothing; "w8r8": rows of 8 bits
    /// too; "w16r16": 16 bits for both, with less error than weights of f16.
    std::string format = "w8r16";
    /// Names of layers that stay f32, as LayerQuantization::name has them.
    std::vector<std::string> keep = {};
    /// Layers whose weights would keep less than so many decibels of signal to noise stay f32.
    double least_decibels = 20;
    /// Layers with fewer weights a direction stay f32; nothing: about as many as it takes to run
    /// faster than in f32.
    std::optional<std::size_t> least_weights = {};
};

/// What became of a recurrent layer or cell.
struct LayerQuantization {
    std::string name;  ///< one of a body as in "loop/lstm"
    std::string type;  ///< such as "GRUSequence"
    std::string kept;  ///< why the layer stays f32; empty if it has integers now
    /// The power of W or R over that of its rounding error, in decibels, the lower of both;
    /// infinite if nothing is lost, 0 if it wasn't computed.
    double decibels = 0;
    std::size_t bytes = 0;      ///< of W and R before
    std::size_t new_bytes = 0;  ///< and now, with their scales
};

}  // namespace rondo
