// The writers of the window family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

std::span<const OpWriter> convolution_writers();
std::span<const OpWriter> pool_writers();
std::span<const OpWriter> sample_writers();
std::span<const OpWriter> transposed_convolution_writers();

}  // namespace rondo::onnx
