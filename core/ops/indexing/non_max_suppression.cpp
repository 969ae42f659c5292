// Chooses boxes by their scores and leaves out those that overlap a better one.
#include "core/ops/indexing/indexing_ops.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/support/visit_type.hpp"
#include "rondo/error.hpp"

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

namespace {

constexpr std::size_t kMost = 2;
constexpr std::size_t kLast = 4;

void check_inputs(const InferContext& context) {
    context.check_input_count(2, kLast + 1);
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        const ElementType type = context.type(i);
        if (i == kMost || type == ElementType::dynamic || type == ElementType::f32) continue;
        context.refuse("input " + std::to_string(i) + " is " + std::string(to_string(type)) +
                       "; expected f32 numbers");
    }
    context.check_rank(0, 3, "boxes");
    context.check_rank(1, 3, "scores");
    for (std::size_t i = kMost; i < context.input_count(); ++i) {
        const PartialShape& shape = context.shape(i);
        const bool is_single = shape.contains({}) || shape.contains({1});
        context.check(is_single, "input " + std::to_string(i) + " has shape " + to_string(shape) +
                                     "; expected one number");
    }
    if (context.input_count() > kMost) vector_length(context, kMost, "the most boxes");
}

Dimension extent(const InferContext& context, std::size_t input, std::size_t axis) {
    return context.shape(input).has_rank() ? context.shape(input)[axis] : Dimension();
}

// How many rows there are: known with all elements.
Dimension count_of(const NonMaxSuppression& op, const InferContext& context,
                   const std::array<Dimension, 3>& sizes) {
    std::vector<const void*> inputs;
    bool is_known = true;
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        const Tensor& value = context.value(i);
        is_known = is_known && value;
        inputs.push_back(value ? value.data() : nullptr);
    }
    if (!is_known) {
        for (const Dimension& size : sizes) {
            if (size.max() == Dimension::kInfinity) return {};
        }
        return {0, multiply_extents(context, {sizes.begin(), sizes.end()}).max()};
    }
    const BoxSizes known{sizes[0].length(), sizes[1].length(), sizes[2].length()};
    const BoxRule rule =
        box_rule(op, inputs, inputs.size() > kMost ? context.type(kMost) : ElementType::i64);
    std::vector<std::int64_t> order(static_cast<std::size_t>(known.boxes));
    std::int64_t count = 0;
    select_boxes(known, rule, static_cast<const float*>(inputs[0]),
                 static_cast<const float*>(inputs[1]), order, [&](const SelectedBox&) { ++count; });
    return {count};
}

}  // namespace

BoxRule box_rule(const NonMaxSuppression& op, std::span<const void* const> inputs,
                 ElementType count_type) {
    BoxRule rule;
    rule.has_centers = op.encoding() == BoxEncoding::center;
    if (inputs.size() > kMost) {
        rule.most = visit_integer(count_type, [&](auto tag) {
            using T = tag_type<decltype(tag)>;
            const T most = *static_cast<const T*>(inputs[kMost]);
            return std::cmp_less(most, INT64_MAX) ? static_cast<std::int64_t>(most) : INT64_MAX;
        });
    }
    if (inputs.size() > 3) rule.iou = *static_cast<const float*>(inputs[3]);
    if (inputs.size() > 4) rule.score = *static_cast<const float*>(inputs[4]);
    if (rule.iou >= 0 && rule.iou <= 1) return rule;
    throw ModelError(describe(op) + ": the overlap is " + std::to_string(rule.iou) +
                     "; expected 0 to 1");
}

void NonMaxSuppression::infer(InferContext& context) const {
    check_inputs(context);
    context.check(
        output_type_ == ElementType::i64 || output_type_ == ElementType::i32,
        "output_type is " + std::string(to_string(output_type_)) + "; expected i64 or i32");
    const Dimension four = extent(context, 0, 2);
    context.check(four.contains(4), "boxes have shape " + to_string(context.shape(0)) +
                                        "; expected four numbers each");
    const std::array<Dimension, 3> sizes{
        context.merge(extent(context, 0, 0), extent(context, 1, 0), "the batch"),
        extent(context, 1, 1),
        context.merge(extent(context, 0, 1), extent(context, 1, 2), "the number of boxes")};
    const Dimension count = count_of(*this, context, sizes);
    context.set_output(0, output_type_, PartialShape{count, 3});
    context.set_output(1, ElementType::f32, PartialShape{count, 3});
    context.set_output(2, output_type_, PartialShape{1});
}

}  // namespace rondo::ops
