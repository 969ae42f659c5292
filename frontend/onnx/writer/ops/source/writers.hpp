// The writers of sources: what isn't computed from elements.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

// keep-sorted
Names write_random_uniform(WriteContext& context);
Names write_range(WriteContext& context);
Names write_shape_of(WriteContext& context);

}  // namespace rondo::onnx
