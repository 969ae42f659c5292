// The writers of the reduction family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

std::span<const OpWriter> along_axis_writers();
std::span<const OpWriter> mvn_writers();
std::span<const OpWriter> reduce_writers();

}  // namespace rondo::onnx
