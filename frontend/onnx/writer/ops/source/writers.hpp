// The writers of sources: what isn't computed from elements.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

std::span<const OpWriter> source_writers();

}  // namespace rondo::onnx
