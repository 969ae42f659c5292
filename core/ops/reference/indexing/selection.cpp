// Evaluates the ops that find elements, slices or boxes: NonMaxSuppression, NonZero and Unique.
#include <algorithm>
#include <vector>

#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"

namespace rondo::reference {

void non_max_suppression(const Node& node, std::span<const Tensor> inputs,
                         std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::NonMaxSuppression&>(node);
    std::vector<const void*> memory;
    for (const Tensor& input : inputs) memory.push_back(input.data());
    const ElementType count_type = inputs.size() > 2 ? inputs[2].element_type() : ElementType::i64;
    const Shape& scores = inputs[1].shape();
    const ops::BoxSizes sizes{static_cast<std::int64_t>(scores[0]),
                              static_cast<std::int64_t>(scores[1]),
                              static_cast<std::int64_t>(scores[2])};
    std::vector<std::int64_t> order(scores[2]);
    std::vector<ops::SelectedBox> selected;
    ops::select_boxes(sizes, ops::box_rule(op, memory, count_type), inputs[0].data<float>(),
                      inputs[1].data<float>(), order,
                      [&](const ops::SelectedBox& box) { selected.push_back(box); });
    if (op.sorts_all()) {
        std::stable_sort(selected.begin(), selected.end(),
                         [](const auto& a, const auto& b) { return a.score > b.score; });
    }
    std::vector<std::uint64_t> rows;
    float* numbers = outputs[1].data<float>();
    for (const ops::SelectedBox& box : selected) {
        for (const std::int64_t index : {box.batch, box.box_class, box.box}) {
            rows.push_back(static_cast<std::uint64_t>(index));
        }
        *numbers++ = static_cast<float>(box.batch);
        *numbers++ = static_cast<float>(box.box_class);
        *numbers++ = box.score;
    }
    from_words(rows, outputs[0]);
    from_words(std::vector<std::uint64_t>{selected.size()}, outputs[2]);
}

void non_zero(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    if (outputs[0].size() == 0) return;
    const Shape& shape = inputs[0].shape();
    const std::size_t count = outputs[0].shape()[1];
    std::vector<std::uint64_t> places(outputs[0].size());
    std::vector<std::size_t> index(shape.size());
    std::size_t column = 0;
    for (const bool is_found : ops::are_non_zero(inputs[0])) {
        if (is_found) {
            for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                places[axis * count + column] = index[axis];
            }
            ++column;
        }
        next_index(index, shape);
    }
    from_words(places, outputs[0]);
}

void unique(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& data = inputs[0];
    const auto axis = ops::unique_axis(known_context(node, inputs), data.shape().size());
    const ops::SliceSizes sizes = ops::slice_sizes(data.shape(), axis);
    const auto found =
        ops::find_unique(data, sizes, static_cast<const ops::Unique&>(node).attributes().sorted);
    ops::copy_slices(data, sizes, found.first, outputs[0].data());
    ops::write_integers(found.first, outputs[1].element_type(), outputs[1].data());
    ops::write_integers(found.inverse, outputs[2].element_type(), outputs[2].data());
    ops::write_integers(found.counts, outputs[3].element_type(), outputs[3].data());
}

}  // namespace rondo::reference
