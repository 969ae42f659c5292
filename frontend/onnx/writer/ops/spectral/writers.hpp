// The writers of the spectral family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

std::span<const OpWriter> spectral_writers();

}  // namespace rondo::onnx
