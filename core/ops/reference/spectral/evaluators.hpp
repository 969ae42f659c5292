// Declares the evaluators of the spectral ops; the bodies live in one file an op.
#pragma once

#include <span>

#include "core/graph/node.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

// keep-sorted
void fourier(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);
void stft(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs);

}  // namespace rondo::reference
