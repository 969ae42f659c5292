// The writers of the indexing family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

std::span<const OpWriter> pick_writers();
std::span<const OpWriter> scatter_writers();

}  // namespace rondo::onnx
