// Writes GatherElements, GatherND, NonZero, Unique and NonMaxSuppression.
#include "core/ops/indexing/gathers.hpp"
#include "core/ops/indexing/non_max_suppression.hpp"
#include "core/ops/indexing/non_zero.hpp"
#include "core/ops/indexing/unique.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/indexing/writers.hpp"

namespace rondo::onnx {
namespace {

// Rows [batch, class, box] of ONNX's, and the score of each.
struct ChosenBoxes {
    std::string rows;
    std::string scores;
};

// ONNX's limits are vectors of one element; without one it has no least score, the IR has 0.
ChosenBoxes chosen_boxes(WriteContext& context) {
    const auto& op = context.op<ops::NonMaxSuppression>();
    Names inputs{context.input(0), context.input(1)};
    for (std::size_t i = 2; i < 5; ++i) {
        const ElementType type = i == 2 ? ElementType::i64 : ElementType::f32;
        inputs.push_back(context.reshape(
            context.has_input(i) ? context.input_as(i, type) : context.number(type, 0), {1}));
    }
    const std::string rows =
        context.emit("NonMaxSuppression", inputs)
            .with_int("center_point_box", op.encoding() == ops::BoxEncoding::center ? 1 : 0);
    return {rows, context.emit("GatherND", {context.input(1), rows})};
}

// All boxes in the order of their scores; of equal ones the first comes first.
ChosenBoxes sorted(WriteContext& context, const ChosenBoxes& boxes) {
    const std::string count = context.elements(context.shape_of(boxes.rows), {0});
    const Names best = context.emit("TopK", {boxes.scores, count}, 2).with_int("axis", 0).outputs();
    return {context.emit("Gather", {boxes.rows, best[1]}).with_int("axis", 0), best[0]};
}

// Rows [batch, class, score] in f32.
std::string scored_rows(WriteContext& context, const ChosenBoxes& boxes) {
    const std::string places =
        context.emit("Gather", {boxes.rows, context.ints({0, 1})}).with_int("axis", 1);
    return context.joined({context.cast(places, ElementType::i64, ElementType::f32),
                           context.unsqueeze(boxes.scores, {1})},
                          1);
}

}  // namespace

Names write_gather_elements(WriteContext& context) {
    const bool narrow = context.type(1) == ElementType::i32;
    const std::string indices = narrow ? context.input(1) : context.input_as(1, ElementType::i64);
    return {context.emit("GatherElements", {context.input(0), indices})
                .with_int("axis", context.op<ops::GatherElements>().axis())};
}

Names write_gather_nd(WriteContext& context) {
    return {context.emit("GatherND", {context.input(0), context.input_as(1, ElementType::i64)})
                .with_int("batch_dims", context.op<ops::GatherND>().batch_dims())};
}

Names write_non_zero(WriteContext& context) {
    const std::string places = context.emit("NonZero", {context.input(0)});
    return {context.cast(places, ElementType::i64, context.op<ops::NonZero>().output_type())};
}

Names write_unique(WriteContext& context) {
    const ops::UniqueAttributes& attributes = context.op<ops::Unique>().attributes();
    NewNode node = context.emit("Unique", {context.input(0)}, 4);
    node.with_int("sorted", attributes.sorted ? 1 : 0);
    if (context.has_input(1)) node.with_int("axis", context.known_ints(1, "the axis").at(0));
    Names outputs = node.outputs();
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
        outputs[i] = context.cast(outputs[i], ElementType::i64, attributes.index_type);
    }
    outputs[3] = context.cast(outputs[3], ElementType::i64, attributes.count_type);
    return outputs;
}

Names write_non_max_suppression(WriteContext& context) {
    const auto& op = context.op<ops::NonMaxSuppression>();
    ChosenBoxes boxes = chosen_boxes(context);
    if (op.sorts_all()) boxes = sorted(context, boxes);
    Names outputs{context.cast(boxes.rows, ElementType::i64, op.output_type()), "", ""};
    if (!op.consumers(1).empty()) outputs[1] = scored_rows(context, boxes);
    if (!op.consumers(2).empty()) {
        outputs[2] = context.cast(context.elements(context.shape_of(boxes.rows), {0}),
                                  ElementType::i64, op.output_type());
    }
    return outputs;
}

}  // namespace rondo::onnx
