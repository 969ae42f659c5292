// Evaluates NonMaxSuppression.
#include "core/ops/indexing/non_max_suppression.hpp"

#include <algorithm>
#include <vector>

#include "core/ops/reference/common/words.hpp"
#include "core/ops/reference/indexing/evaluators.hpp"

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

}  // namespace rondo::reference
