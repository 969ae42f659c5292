// The writers of the movement family.
#pragma once

#include <span>

#include "frontend/onnx/writer/context/op_writer.hpp"

namespace rondo::onnx {

// keep-sorted
Names write_bit_cast(WriteContext& context);
Names write_broadcast(WriteContext& context);
Names write_concat(WriteContext& context);
Names write_depth_to_space(WriteContext& context);
Names write_gather(WriteContext& context);
Names write_pad(WriteContext& context);
Names write_reshape(WriteContext& context);
Names write_reverse_sequence(WriteContext& context);
Names write_slice(WriteContext& context);
Names write_space_to_depth(WriteContext& context);
Names write_split(WriteContext& context);
Names write_squeeze(WriteContext& context);
Names write_strided_slice(WriteContext& context);
Names write_tile(WriteContext& context);
Names write_transpose(WriteContext& context);
Names write_unsqueeze(WriteContext& context);
Names write_variadic_split(WriteContext& context);

}  // namespace rondo::onnx
