// Chooses boxes by their scores and leaves out those that overlap a better one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/support/function_ref.hpp"

namespace rondo::ops {

/// Boxes [batches, boxes, 4], scores [batches, classes, boxes].
struct BoxSizes {
    std::int64_t batches = 0;
    std::int64_t classes = 0;
    std::int64_t boxes = 0;
};

struct BoxRule {
    bool has_centers = false;  ///< centre and extents, else two opposite corners
    std::int64_t most = 0;     ///< of a batch and class
    float iou = 0;             ///< boxes that overlap by more of their union are left out
    float score = 0;           ///< boxes with a score above it are looked at
};

struct SelectedBox {
    std::int64_t batch = 0;
    std::int64_t box_class = 0;
    std::int64_t box = 0;
    float score = 0;
};

/// Visits the chosen boxes: batch by batch, class by class, the best one first; among equal scores
/// the first box is better. `order`: memory for an entry a box.
void select_boxes(const BoxSizes& sizes, const BoxRule& rule, const float* boxes,
                  const float* scores, std::span<std::int64_t> order,
                  FunctionRef<void(const SelectedBox&)> visit);

}  // namespace rondo::ops
