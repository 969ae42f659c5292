// The writers of ops with bodies.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

std::span<const OpWriter> if_writers();
std::span<const OpWriter> loop_writers();

}  // namespace rondo::onnx
