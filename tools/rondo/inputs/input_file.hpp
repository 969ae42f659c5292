// One input from a file of any readable format, in the input's type.
#pragma once

#include <string>

#include "rondo/model.hpp"
#include "rondo/tensor.hpp"

namespace rondo::tool {

/// Reads `.npy`, or `.bin`: the elements alone, row-major and little-endian, of the input's own
/// type; at most one of its extents may be open, which the file's size gives. Elements of another
/// type are converted where all values of that type stay as they are. Throws ModelError naming file
/// and fault, and where type or shape don't fit.
Tensor read_input_file(const std::string& path, const PortInfo& input);

/// The tensor as an input takes it; `place` names it in messages.
Tensor fitted(const Tensor& tensor, const PortInfo& input, const std::string& place);

}  // namespace rondo::tool
