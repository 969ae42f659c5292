// The slices start:stop:step of ONNX and OpenVINO, on extents that may be open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "rondo/shape.hpp"

namespace rondo::ops {

/// An op's request for one axis; nothing means that a number isn't known yet. Numbers below 0
/// count from the end; any number is allowed except a step of 0.
struct SliceRequest {
    std::optional<std::int64_t> start = 0;
    std::optional<std::int64_t> stop = Dimension::kInfinity;
    std::optional<std::int64_t> step = 1;
    std::size_t element = 0;  ///< of the op's vectors, for an axis that they name
};

/// `length` elements from `start` on, each `step` after the previous one; all inside the extent.
struct SliceRange {
    std::int64_t start = 0;
    std::int64_t step = 1;
    std::int64_t length = 0;
};

/// The elements of 0 .. extent-1 that a request with known numbers selects, clamped as in Python,
/// except a start before the first: it is the first, also where the step goes down.
/// With fewer than two elements the step is 1, so that start + i * step never overflows.
SliceRange resolve(const SliceRequest& request, std::int64_t extent);

/// The bounds of the length over all extents of the interval.
Dimension sliced_extent(const SliceRequest& request, const Dimension& extent);

/// Whether it is certain to select all elements of an axis, in their order. Exporters write the
/// greatest 32-bit integer for the end of an axis.
bool takes_all(const SliceRequest& request);

}  // namespace rondo::ops
