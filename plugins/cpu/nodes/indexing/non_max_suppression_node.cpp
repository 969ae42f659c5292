// NonMaxSuppression: how many boxes there are is found in each run.
#include "core/ops/indexing/indexing_ops.hpp"

#include <algorithm>
#include <vector>

#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

// Finds the boxes in the memory of the inputs.
class Selector {
public:
    Selector(const ops::NonMaxSuppression& op, const Shape& scores, ElementType count_type)
        : op_(op),
          sizes_{static_cast<std::int64_t>(scores[0]), static_cast<std::int64_t>(scores[1]),
                 static_cast<std::int64_t>(scores[2])},
          count_type_(count_type) {}

    std::size_t order_size() const { return static_cast<std::size_t>(sizes_.boxes); }

    void run(std::span<const void* const> inputs, std::span<std::int64_t> order,
             FunctionRef<void(const ops::SelectedBox&)> visit) const {
        ops::select_boxes(sizes_, ops::box_rule(op_, inputs, count_type_),
                          static_cast<const float*>(inputs[0]),
                          static_cast<const float*>(inputs[1]), order, visit);
    }

private:
    const ops::NonMaxSuppression& op_;
    ops::BoxSizes sizes_;
    ElementType count_type_;
};

// Equal scores stay in the order of batches, classes and boxes; a class' boxes are sorted.
bool is_better(const ops::SelectedBox& a, const ops::SelectedBox& b) {
    if (a.score != b.score) return a.score > b.score;
    if (a.batch != b.batch) return a.batch < b.batch;
    return a.box_class != b.box_class ? a.box_class < b.box_class : a.box < b.box;
}

template <typename T>
void write_boxes(std::span<const ops::SelectedBox> selected, const RunArgs& args) {
    auto* rows = static_cast<T*>(args.outputs[0]);
    auto* numbers = static_cast<float*>(args.outputs[1]);
    for (std::size_t i = 0; i < selected.size(); ++i) {
        const ops::SelectedBox& box = selected[i];
        if (rows != nullptr) {
            rows[3 * i] = static_cast<T>(box.batch);
            rows[3 * i + 1] = static_cast<T>(box.box_class);
            rows[3 * i + 2] = static_cast<T>(box.box);
        }
        if (numbers == nullptr) continue;
        numbers[3 * i] = static_cast<float>(box.batch);
        numbers[3 * i + 1] = static_cast<float>(box.box_class);
        numbers[3 * i + 2] = box.score;
    }
    if (args.outputs[2] == nullptr) return;
    *static_cast<T*>(args.outputs[2]) = static_cast<T>(selected.size());
}

std::unique_ptr<Call> make_selection(const ops::NonMaxSuppression& op, const Selector& selector,
                                     std::size_t count) {
    const auto run = [&op, selector, count](const RunArgs& args) {
        auto* selected = static_cast<ops::SelectedBox*>(args.scratch);
        auto* order = reinterpret_cast<std::int64_t*>(selected + count);
        std::size_t found = 0;
        selector.run(args.inputs, {order, selector.order_size()}, [&](const ops::SelectedBox& box) {
            if (found < count) selected[found] = box;
            ++found;
        });
        // The count was found in memory that a caller may have written to since.
        if (found != count) {
            throw ModelError(describe(op) + ": data changed during the inference");
        }
        if (op.sorts_all()) std::sort(selected, selected + count, is_better);
        const bool is_narrow = op.output_type() == ElementType::i32;
        (is_narrow ? write_boxes<std::int32_t> : write_boxes<std::int64_t>)({selected, count},
                                                                            args);
    };
    return make_call(
        run, {count * sizeof(ops::SelectedBox) + selector.order_size() * sizeof(std::int64_t)});
}

}  // namespace

std::unique_ptr<CpuNode> make_non_max_suppression_node(const Node& node, const CompileContext&) {
    const auto& op = dynamic_cast<const ops::NonMaxSuppression&>(node);
    return make_function_node(
        op, {"non_max_suppression", "counts, then writes rows in order", {}, true},
        [&op](const CallSite& site) {
            const bool counts = site.inputs.size() > 2;
            const Selector selector(op, site.inputs[1].shape,
                                    counts ? site.inputs[2].type : ElementType::i64);
            return make_selection(op, selector, site.outputs[0].shape[0]);
        },
        [&op](std::span<const TensorInfo* const> seen) -> ExtentFinder {
            const Selector selector(op, seen[1]->shape,
                                    seen.size() > 2 ? seen[2]->type : ElementType::i64);
            // Allocates the order of the boxes.
            return [selector](std::span<const void* const> inputs, std::span<Shape> shapes) {
                std::vector<std::int64_t> order(selector.order_size());
                std::size_t count = 0;
                selector.run(inputs, order, [&](const ops::SelectedBox&) { ++count; });
                shapes[0].assign({count, 3});
                shapes[1].assign({count, 3});
                shapes[2].assign({1});
            };
        });
}

}  // namespace rondo::cpu
