// One input from a file of any readable format, in the input's type.
#pragma once

#include <string>

#include "rondo/model.hpp"
#include "rondo/tensor.hpp"

namespace rondo::tool {

/// Reads `.npy`, or `.bin`: the elements alone, row-major and little-endian, of the input's own
/// type; at most one of its extents may be open, which the file's size gives. Throws ModelError
/// naming file and fault, and as fitted().
Tensor read_input_file(const std::string& path, const PortInfo& input);

/// The tensor as an input takes it. Elements of another type are converted by the rule of
/// convert_tensor(), and a line on the standard error stream says which were rounded. Throws
/// ModelError where shape or type don't fit, or the type can't hold an element. `place` names the
/// tensor in messages.
Tensor fitted(const Tensor& tensor, const PortInfo& input, const std::string& place);

}  // namespace rondo::tool
