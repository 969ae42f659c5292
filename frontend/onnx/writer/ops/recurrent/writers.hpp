// The writers of the recurrent family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

// keep-sorted
Names write_recurrent(WriteContext& context);

}  // namespace rondo::onnx
