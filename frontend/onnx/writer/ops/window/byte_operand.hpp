// Integers that are 8-bit numbers less a zero point, which ConvInteger multiplies.
#pragma once

#include <optional>
#include <string>

#include "frontend/onnx/writer/context/write_context.hpp"

namespace rondo::onnx {

struct ByteOperand {
    std::string values;      ///< u8 or i8
    std::string zero_point;  ///< of the same type, of rank 0; "" for 0
};

/// The input of that number, of i32, as such; nothing where it isn't known to be one: neither a
/// constant of such numbers nor a Convert of them, from which a scalar may be subtracted.
std::optional<ByteOperand> byte_operand(WriteContext& context, std::size_t index);

}  // namespace rondo::onnx
