// The writers of ops with bodies.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

// keep-sorted
Names write_if(WriteContext& context);
Names write_loop(WriteContext& context);
Names write_tensor_iterator(WriteContext& context);

}  // namespace rondo::onnx
