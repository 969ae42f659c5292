// The writers of the reduction family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

// keep-sorted
Names write_cumulation(WriteContext& context);
Names write_mvn(WriteContext& context);
Names write_reduce(WriteContext& context);
Names write_softmax(WriteContext& context);
Names write_top_k(WriteContext& context);

}  // namespace rondo::onnx
