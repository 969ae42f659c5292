// The writers of the elementwise family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

// keep-sorted
Names write_binary(WriteContext& context);
Names write_compare(WriteContext& context);
Names write_convert(WriteContext& context);
Names write_logical(WriteContext& context);
Names write_select(WriteContext& context);
Names write_unary(WriteContext& context);

}  // namespace rondo::onnx
