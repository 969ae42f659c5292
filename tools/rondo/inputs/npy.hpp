// NumPy's .npy files, read into tensors and written from them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "rondo/tensor.hpp"

namespace rondo::tool {

/// Format versions 1 to 3, either byte order, C or Fortran order; types b1, i1 i2 i4 i8, u1 u2 u4
/// u8, f2 f4 f8. Throws ModelError naming file and fault.
Tensor read_npy(const std::string& path);

/// The same of a file's bytes; `path` names them in messages.
Tensor parse_npy(const std::string& path, std::string_view bytes);

/// Version 1, or 2 if the shape is too long for it, C order; bf16 is written as f4. Throws
/// ModelError if it can't be written, UnsupportedError for elements of narrow types.
void write_npy(const std::string& path, const Tensor& tensor);

/// The arrays by their names, as np.savez() writes them. Throws ModelError naming file and fault,
/// also for the compressed ones of np.savez_compressed(), and for members that share bytes.
std::map<std::string, Tensor> read_npz(const std::string& path);

}  // namespace rondo::tool
