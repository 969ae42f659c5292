// The writers of the product family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

std::span<const OpWriter> product_writers();

}  // namespace rondo::onnx
