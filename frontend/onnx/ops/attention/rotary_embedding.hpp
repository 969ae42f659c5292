// Turns pairs of features by the angle of their place.
#pragma once

#include "frontend/onnx/ops/common/composer.hpp"

namespace rondo::onnx {

struct Rotation {
    Output cosines;  ///< [B, S, R / 2], in the type of the features
    Output sines;
    std::int64_t heads_axis = 1;  ///< of x: 1 in [B, H, S, R], 2 in [B, S, H, R]
    bool is_interleaved = false;  ///< pairs are neighbours, else one of each half
};

/// x, of rank 4, whose R features all belong to pairs.
Output rotated(Composer& by, const Output& x, const Rotation& rotation);

}  // namespace rondo::onnx
