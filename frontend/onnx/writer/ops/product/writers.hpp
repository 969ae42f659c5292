// The writers of the product family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

// keep-sorted
Names write_det(WriteContext& context);
Names write_matmul(WriteContext& context);
Names write_matmul_integer(WriteContext& context);

}  // namespace rondo::onnx
