// Which boxes NonMaxSuppression chooses.
#include "core/ops/indexing/indexing_ops.hpp"

#include <algorithm>

namespace rondo::ops {
namespace {

struct Box {
    float low_x, low_y, high_x, high_y;

    float area() const { return (high_x - low_x) * (high_y - low_y); }
};

Box box_of(const BoxRule& rule, const float* numbers) {
    if (!rule.has_centers) {  // y, x, y, x
        const auto [low_y, high_y] = std::minmax(numbers[0], numbers[2]);
        const auto [low_x, high_x] = std::minmax(numbers[1], numbers[3]);
        return {low_x, low_y, high_x, high_y};
    }
    const float half_x = numbers[2] / 2, half_y = numbers[3] / 2;
    return {numbers[0] - half_x, numbers[1] - half_y, numbers[0] + half_x, numbers[1] + half_y};
}

bool overlap(const BoxRule& rule, const float* first, const float* second) {
    const Box a = box_of(rule, first), b = box_of(rule, second);
    const float width = std::min(a.high_x, b.high_x) - std::max(a.low_x, b.low_x);
    const float height = std::min(a.high_y, b.high_y) - std::max(a.low_y, b.low_y);
    if (!(width > 0 && height > 0)) return false;
    const float common = width * height;
    const float all = a.area() + b.area() - common;
    return a.area() > 0 && b.area() > 0 && all > 0 && common / all > rule.iou;
}

}  // namespace

void select_boxes(const BoxSizes& sizes, const BoxRule& rule, const float* boxes,
                  const float* scores, std::span<std::int64_t> order,
                  FunctionRef<void(const SelectedBox&)> visit) {
    if (rule.most <= 0) return;
    for (std::int64_t line = 0; line < sizes.batches * sizes.classes; ++line) {
        const std::int64_t batch = line / sizes.classes;
        const float* own_boxes = boxes + batch * sizes.boxes * 4;
        const float* own_scores = scores + line * sizes.boxes;
        auto end = order.begin();
        for (std::int64_t i = 0; i < sizes.boxes; ++i) {
            if (own_scores[i] > rule.score) *end++ = i;
        }
        std::sort(order.begin(), end, [&](std::int64_t a, std::int64_t b) {
            return own_scores[a] != own_scores[b] ? own_scores[a] > own_scores[b] : a < b;
        });
        // The chosen ones move to the front.
        std::ptrdiff_t chosen = 0;
        for (auto at = order.begin(); at != end && chosen < rule.most; ++at) {
            const std::int64_t box = *at;
            const bool is_taken =
                std::none_of(order.begin(), order.begin() + chosen, [&](std::int64_t better) {
                    return overlap(rule, own_boxes + better * 4, own_boxes + box * 4);
                });
            if (!is_taken) continue;
            order[static_cast<std::size_t>(chosen++)] = box;
            visit({batch, line % sizes.classes, box, own_scores[box]});
        }
    }
}

}  // namespace rondo::ops
