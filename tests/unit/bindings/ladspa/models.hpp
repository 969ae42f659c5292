// Small models in files, and the real ones where there are any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <rondo/model.hpp>

namespace rondo::test {

/// Writes the model into a folder of this process, and returns the path.
std::string write_model(const Model& model, const std::string& name);

/// x f32`shape` -> y = x * factor.
Model scaling(const PartialShape& shape, float factor);
/// x f32[1,1,bins] -> y: a Sigmoid that gives 1 for each bin.
Model ones_mask(std::int64_t bins);
/// x f32[1,1,16] -> y f32[1,1,16] after an LSTM whose state is zeros in the file.
Model hidden_lstm();
/// x f32[1,?,32] -> y: an LSTM from zeros over frames of 32 samples.
Model frames_lstm();
/// x, h f32[1,16] -> h_out = x + h / 2, y = 2 h_out.
Model one_pole();

/// `name`/model.onnx in RONDO_MODELS; nothing if it isn't there.
std::optional<std::string> real_model(const std::string& name);

}  // namespace rondo::test
