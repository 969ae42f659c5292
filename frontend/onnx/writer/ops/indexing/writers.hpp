// The writers of the indexing family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

// keep-sorted
Names write_gather_elements(WriteContext& context);
Names write_gather_nd(WriteContext& context);
Names write_non_max_suppression(WriteContext& context);
Names write_non_zero(WriteContext& context);
Names write_scatter_elements(WriteContext& context);
Names write_scatter_nd(WriteContext& context);
Names write_unique(WriteContext& context);

}  // namespace rondo::onnx
