// Gathers, scatters, and what finds places: NonZero, Unique and NonMaxSuppression.
#include <limits>
#include <optional>

#include "core/ops/builder.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/support/errors.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"

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
            .with("center_point_box", op.encoding() == ops::BoxEncoding::center);
    return {rows, context.emit("GatherND", {context.input(1), rows})};
}

// All boxes in the order of their scores; of equal ones the first comes first.
ChosenBoxes sorted(WriteContext& context, const ChosenBoxes& boxes) {
    const std::string count = context.elements(context.shape_of(boxes.rows), {0});
    const Names best = context.emit("TopK", {boxes.scores, count}, 2).with("axis", 0);
    return {context.gather(boxes.rows, best[1]), best[0]};
}

// Rows [batch, class, score] in f32.
std::string scored_rows(WriteContext& context, const ChosenBoxes& boxes) {
    const std::string places = context.gather(boxes.rows, context.ints({0, 1}), 1);
    return context.joined({context.cast(places, ElementType::i64, ElementType::f32),
                           context.unsqueeze(boxes.scores, {1})},
                          1);
}

using ops::ScatterReduction;

const char* name_of(ScatterReduction reduction) {
    switch (reduction) {
        case ScatterReduction::none: return "none";
        case ScatterReduction::sum:
        case ScatterReduction::sub:
        case ScatterReduction::mean: return "add";
        case ScatterReduction::prod: return "mul";
        case ScatterReduction::min: return "min";
        case ScatterReduction::max: return "max";
    }
    internal_error("a reduction without a name");
}

// A sum or maximum of booleans is "or", a product or minimum "and": the extremes of 0 and 1.
ScatterReduction of_flags(ScatterReduction reduction) {
    if (reduction == ScatterReduction::sum) return ScatterReduction::max;
    return reduction == ScatterReduction::prod ? ScatterReduction::min : reduction;
}

// What a reduction starts from if the element itself doesn't count.
double neutral_number(ScatterReduction reduction) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (reduction) {
        case ScatterReduction::prod: return 1;
        case ScatterReduction::min: return kInfinity;  // or the greatest integer
        case ScatterReduction::max: return -kInfinity;
        default: return 0;
    }
}

// Both ops as calls of one operator on the same indices. `counts_data`: the elements that updates
// meet count, too.
std::string scattered(WriteContext& context, const char* name, ScatterReduction reduction,
                      bool counts_data, std::optional<std::int64_t> axis = {}) {
    ElementType type = context.type(0);
    if (type == ElementType::boolean && reduction != ScatterReduction::none) {
        type = ElementType::i32;
        reduction = of_flags(reduction);
    }
    std::string data = context.input_as(0, type);
    std::string updates = context.input_as(2, type);
    const std::string indices = context.wide_input(1);
    const auto call = [&](const std::string& to, const std::string& from, const char* how) {
        NewNode node = context.emit(name, {to, indices, from});
        if (axis) node.with("axis", *axis);
        return std::string(node.with("reduction", how));
    };
    const auto repeated = [&](double number) -> std::string {
        const Tensor scalar = ops::filled_tensor(type, {}, number);
        return context.emit("Expand",
                            {context.constant(scalar, "neutral"), context.shape_of(updates)});
    };
    if (reduction == ScatterReduction::sub) {
        updates = context.emit("Sub", {context.number(type, 0), updates});
    }
    counts_data = counts_data || reduction == ScatterReduction::none;
    if (!counts_data) data = call(data, repeated(neutral_number(reduction)), "none");
    std::string result = call(data, updates, name_of(reduction));
    if (reduction == ScatterReduction::mean) {
        // How many numbers each sum has; 1 if no update meets the element.
        const std::string one = context.number(type, 1);
        std::string counts = context.emit("Expand", {one, context.shape_of(data)});
        const std::string ones = repeated(1);
        if (!counts_data) counts = call(counts, repeated(0), "none");
        result = context.emit("Div", {result, call(counts, ones, "add")});
    }
    return context.cast(result, type, context.type(0));
}

}  // namespace

Names write_gather_elements(WriteContext& context) {
    return context.emit("GatherElements", {context.input(0), context.indices(1)})
        .with("axis", context.op<ops::GatherElements>().axis());
}

Names write_gather_nd(WriteContext& context) {
    return context.emit("GatherND", {context.input(0), context.wide_input(1)})
        .with("batch_dims", context.op<ops::GatherND>().batch_dims());
}

Names write_non_zero(WriteContext& context) {
    const std::string places = context.emit("NonZero", {context.input(0)});
    return {context.cast(places, ElementType::i64, context.op<ops::NonZero>().output_type())};
}

Names write_unique(WriteContext& context) {
    const ops::UniqueAttributes& attributes = context.op<ops::Unique>().attributes();
    NewNode node = context.emit("Unique", {context.input(0)}, 4);
    node.with("sorted", attributes.sorted);
    if (context.has_input(1)) node.with("axis", context.known_ints(1, "the axis").at(0));
    Names outputs = node;
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

Names write_scatter_elements(WriteContext& context) {
    const auto& op = context.op<ops::ScatterElementsUpdate>();
    const std::int64_t axis = context.known_ints(3, "the axis").at(0);
    return {scattered(context, "ScatterElements", op.reduction(), op.use_init_val(), axis)};
}

Names write_scatter_nd(WriteContext& context) {
    const auto& op = context.op<ops::ScatterNDUpdate>();
    return {scattered(context, "ScatterND", op.reduction(), true)};
}

}  // namespace rondo::onnx
