// The axes of a Slice or StridedSlice, of which some may have numbers that come with each run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ops/movement/movement_ops.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// The parts of either op in the output's order, or nothing while its axes aren't known.
std::optional<std::vector<ops::StridedSlicePart>> slice_parts(const Node& node,
                                                              const InferContext& context);

/// An axis of the data whose first element is known only when the call runs.
struct LateAxis {
    bool is_removed = false;  ///< it keeps one element, whose index must be in range
    std::size_t axis = 0;     ///< of the data
    std::int64_t extent = 1;
    std::int64_t stride = 0;  ///< bytes between neighbours in the data
    std::int64_t length = 1;  ///< elements that the sizes of the call leave it
    ops::SliceRequest request;
};

/// How the elements of one call are copied.
struct SlicePlan {
    CopyPart copy;  ///< its offset is that of the axes that are known
    std::vector<LateAxis> late;
};

/// For inputs and an output that fit the op.
SlicePlan plan_slice(const std::vector<ops::StridedSlicePart>& parts, const TensorInfo& data,
                     const Shape& result);

/// The numbers of an op's axes at run time: the request's own, else elements of inputs 1 and 2.
class SliceNumbers {
public:
    /// The types of inputs 1 and 2.
    SliceNumbers(ElementType start, ElementType stop) : start_(start), stop_(stop) {}

    /// The elements of an axis that a cut selects.
    ops::SliceRange range(const ops::SliceRequest& request, std::int64_t extent,
                          std::span<const void* const> inputs) const;
    /// Bytes from the start of the data to the first element along the late axes. Throws ModelError
    /// naming the node for a removed index out of range.
    std::int64_t offset(const Node& node, std::span<const LateAxis> late,
                        std::span<const void* const> inputs) const;

private:
    ElementType start_;
    ElementType stop_;
};

/// Finds the lengths of cuts of which neither start nor stop is known, such as x[i : i + 5]: their
/// elements change from run to run, and mostly not their lengths. Empty for other slices.
ExtentFinder make_slice_extents(const Node& node, std::span<const TensorInfo* const> inputs);

}  // namespace rondo::cpu
