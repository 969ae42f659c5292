// NumPy's .npz archives of arrays.
#pragma once

#include <map>
#include <string>

#include "rondo/tensor.hpp"

namespace rondo::tool {

/// The arrays by their names, as np.savez() writes them. Throws ModelError naming file and fault,
/// also for the compressed ones of np.savez_compressed(), and for members that share bytes.
std::map<std::string, Tensor> read_npz(const std::string& path);

}  // namespace rondo::tool
