// Ops that move elements by constants which have an entry for each axis.

#include <algorithm>
#include <utility>

#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/batching/vmap/lift_step.hpp"

namespace rondo::passes {
namespace {

using Ints = std::vector<std::int64_t>;

// A vector with one element in front, in the vector's type.
Output with_first(const LiftStep& step, std::size_t input, std::int64_t first) {
    const Output& vector = step.plain(input);
    if (const auto known = constant_ints(vector)) {
        Ints all{first};
        all.insert(all.end(), known->begin(), known->end());
        return step.ints(all);
    }
    if (vector.element_type() != ElementType::i64) {
        step.fail("its input " + std::to_string(input) + " is computed, and no i64");
    }
    return step.forms.joined({step.ints({first}), vector});
}

LiftedValues transpose(const LiftStep& step) {
    Ints order = step.constant(1);
    const auto rank = static_cast<std::int64_t>(step.rank(0));
    if (order.empty()) {
        for (std::int64_t axis = rank; axis-- > 0;) order.push_back(axis);
    }
    Ints all{0};
    for (const std::int64_t axis : order) all.push_back((axis < 0 ? axis + rank : axis) + 1);
    return one_apart(step.make<ops::Transpose>("", step.apart(0), step.ints(all)));
}

void put_first(Ints& mask, std::int64_t flag) {
    if (flag != 0 || !mask.empty()) mask.insert(mask.begin(), flag);
}

LiftedValues strided_slice(const LiftStep& step, const ops::StridedSlice& node) {
    ops::StridedSliceMasks masks = node.masks();
    put_first(masks.begin, 1);
    put_first(masks.end, 1);
    put_first(masks.new_axis, 0);
    put_first(masks.shrink_axis, 0);
    put_first(masks.ellipsis, 0);
    std::vector<Output> inputs{step.apart(0)};
    for (std::size_t i = 1; i < step.inputs.size(); ++i) {
        inputs.push_back(with_first(step, i, i == 3 ? 1 : 0));
    }
    return one_apart(step.make<ops::StridedSlice>("", std::move(inputs), std::move(masks)));
}

LiftedValues pad(const LiftStep& step) {
    if (!step.has_rows(0)) step.fail("only its data may differ between the rows");
    std::vector<Output> inputs{step.apart(0), with_first(step, 1, 0), with_first(step, 2, 0)};
    for (std::size_t i = 3; i < step.inputs.size(); ++i) inputs.push_back(step.plain(i));
    return one_apart(Output(step.clone(std::move(inputs)), 0));
}

// The entries of a vector, whose number must be known.
std::size_t length(const LiftStep& step, std::size_t input) {
    const PartialShape& shape = step.shape(input);
    if (!shape.is_static()) step.fail("the number of its axes isn't known");
    return element_count(shape.to_shape());
}

LiftedValues tile(const LiftStep& step) {
    const std::size_t count = length(step, 1);
    const std::size_t missing = count > step.rank(0) ? count - step.rank(0) : 0;
    return one_apart(step.make<ops::Tile>("", step.widened(0, missing), step.plain(1)));
}

LiftedValues broadcast(const LiftStep& step, const ops::Broadcast& node) {
    const std::size_t rank = node.output_shape(0).rank();
    if (node.mode() == ops::BroadcastMode::explicit_axes) {
        Ints axes{0};
        const auto behind_rows = behind(step.constant(2));
        axes.insert(axes.end(), behind_rows.begin(), behind_rows.end());
        const Output& own = step.plain(1);
        if (own.element_type() != ElementType::i64) step.fail("its target isn't i64");
        const Output target = step.forms.joined({step.forms.rows(), own});
        return one_apart(step.make<ops::Broadcast>("", step.apart(0), target, step.ints(axes)));
    }
    const Output data = step.widened(0, rank - step.rank(0));
    return one_apart(
        step.make<ops::Broadcast>("", data, step.plain(1), ops::BroadcastMode::bidirectional));
}

// Moves the op's batch axis to the front, where rows can be merged with it, and back.
std::optional<LiftedValues> reverse_sequence(const LiftStep& step,
                                             const ops::ReverseSequence& node) {
    const std::size_t rank = step.rank(0);
    const auto axes = normalized_axes({node.batch_axis(), node.seq_axis()}, rank);
    if (!axes || (*axes)[0] == 0) return {};
    Ints forward{static_cast<std::int64_t>((*axes)[0])};
    for (std::size_t i = 0; i < rank; ++i) {
        if (i != (*axes)[0]) forward.push_back(static_cast<std::int64_t>(i));
    }
    Ints back(rank + 1);
    Ints forward_apart{0};
    for (std::size_t i = 0; i < rank; ++i) {
        forward_apart.push_back(forward[i] + 1);
        back[static_cast<std::size_t>(forward[i]) + 1] = static_cast<std::int64_t>(i) + 1;
    }
    const auto turned = [&](const Output& original, const Output& rows) {
        LiftedValue value = LiftedValue::rows_apart(
            step.make<ops::Transpose>("turned", rows, step.ints(forward_apart)));
        value.original = step.make<ops::Transpose>("turned", original, step.ints(forward));
        return value;
    };
    LiftedValue data = turned(step.inputs[0]->original, step.apart(0));
    LiftedValue lengths = *step.inputs[1];
    lengths.apart = step.apart(1);
    const auto place = std::find(forward.begin(), forward.end(), (*axes)[1]) - forward.begin();
    LiftedValue result = LiftedValue::rows_merged(step.make<ops::ReverseSequence>(
        "", step.forms.merged(data), step.forms.merged(lengths), 0, place));
    result.original = data.original;
    return one_apart(step.make<ops::Transpose>("back", step.forms.apart(result), step.ints(back)));
}

}  // namespace

std::optional<LiftedValues> lift_movement(const LiftStep& step) {
    const Node& node = *step.node;
    if (as_op<ops::Transpose>(node) != nullptr) return transpose(step);
    if (const auto* op = as_op<ops::StridedSlice>(node)) return strided_slice(step, *op);
    if (as_op<ops::Pad>(node) != nullptr) return pad(step);
    if (const auto* op = as_op<ops::ReverseSequence>(node)) return reverse_sequence(step, *op);
    if (as_op<ops::Tile>(node) != nullptr) return tile(step);
    if (const auto* op = as_op<ops::Broadcast>(node)) return broadcast(step, *op);
    return {};
}

}  // namespace rondo::passes
