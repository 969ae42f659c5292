// The sizes of GatherND and ScatterNDUpdate, and the check of their indices.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/indexing/slice_places.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// Inputs 0 and 1 are data and indices; `batch`: axes in front that are common to both.
SliceSizes slice_sizes_of(const CallSite& site, std::size_t batch);

/// Elements of a slice of data.
std::int64_t slice_elements_of(const CallSite& site, std::size_t batch);

/// Throws ModelError naming the node for an index that is out of range.
void check_tuples(const Node& node, const SlicePlaces& places, ElementType type,
                  const void* indices);

}  // namespace rondo::cpu
