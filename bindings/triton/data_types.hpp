// Rondo's types of elements and the server's.
#pragma once

#include <string>

#include "bindings/triton/triton_api.hpp"
#include "rondo/element_type.hpp"

namespace rondo::triton {

/// Throws UnsupportedError, which begins with `place`, if the server has no such type.
TRITONSERVER_DataType triton_type(ElementType type, const std::string& place);

/// `dynamic` for a type that Rondo doesn't have, such as texts.
ElementType element_type(TRITONSERVER_DataType type);

/// As config.pbtxt writes it: "TYPE_FP32".
std::string config_name(TRITONSERVER_DataType type);

}  // namespace rondo::triton
