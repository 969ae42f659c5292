// The writers of the recurrent family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

std::span<const OpWriter> recurrent_writers();

}  // namespace rondo::onnx
