// Arithmetic on shapes and other small numbers, computed while a model is read.
#pragma once

#include <vector>

#include "core/graph/node.hpp"

namespace rondo::onnx {

/// `outputs` of a converter that read `inputs`; small ones that depend on known values alone
/// come back as constants of the same names. So the extents, axes and conditions that
/// exporters compute from shapes are known to the nodes after them.
std::vector<Output> with_known_values(std::vector<Output> outputs,
                                      const std::vector<Output>& inputs);

}  // namespace rondo::onnx
