// The extents that ONNX's tensor messages have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rondo/error.hpp"
#include "rondo/shape.hpp"

namespace rondo::onnx {

/// `dims`: a message's repeated field. Throws ModelError for an extent below 0.
template <typename Dims>
Shape shape_of_dims(const Dims& dims) {
    Shape shape;
    for (const std::int64_t extent : dims) {
        if (extent < 0) {
            throw ModelError("an extent is " + std::to_string(extent) + "; expected 0 or more");
        }
        shape.push_back(static_cast<std::size_t>(extent));
    }
    return shape;
}

}  // namespace rondo::onnx
