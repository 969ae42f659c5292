// NonMaxSuppression: how many boxes there are is found in each run.
#include "core/ops/indexing/non_max_suppression.hpp"

#include <algorithm>
#include <vector>

#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/indexing/makers.hpp"
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

class BoxExtents final : public ExtentFinder {
public:
    explicit BoxExtents(const Selector& selector) : selector_(selector) {}

    // Allocates the order of the boxes.
    void find(std::span<const void* const> inputs, std::span<Shape> shapes) const override {
        std::vector<std::int64_t> order(selector_.order_size());
        std::size_t count = 0;
        selector_.run(inputs, order, [&](const ops::SelectedBox&) { ++count; });
        shapes[0].assign({count, 3});
        shapes[1].assign({count, 3});
        shapes[2].assign({1});
    }

private:
    Selector selector_;
};

class NonMaxSuppressionCall final : public Call {
public:
    NonMaxSuppressionCall(const ops::NonMaxSuppression& op, const Selector& selector,
                          std::size_t count)
        : op_(op), selector_(selector), count_(count) {}

    std::size_t scratch_bytes() const override {
        return count_ * sizeof(ops::SelectedBox) + selector_.order_size() * sizeof(std::int64_t);
    }

    void run(const RunArgs& args) const override {
        auto* selected = static_cast<ops::SelectedBox*>(args.scratch);
        auto* order = reinterpret_cast<std::int64_t*>(selected + count_);
        std::size_t found = 0;
        selector_.run(args.inputs, {order, selector_.order_size()},
                      [&](const ops::SelectedBox& box) {
                          if (found < count_) selected[found] = box;
                          ++found;
                      });
        // The count was found in memory that a caller may have written to since.
        if (found != count_) {
            throw ModelError(describe(op_) + ": data changed during the inference");
        }
        if (op_.sorts_all()) std::sort(selected, selected + count_, is_better);
        if (op_.output_type() == ElementType::i32) {
            write<std::int32_t>(selected, args);
        } else {
            write<std::int64_t>(selected, args);
        }
    }

private:
    // Equal scores stay in the order of batches, classes and boxes; a class' boxes are sorted.
    static bool is_better(const ops::SelectedBox& a, const ops::SelectedBox& b) {
        if (a.score != b.score) return a.score > b.score;
        if (a.batch != b.batch) return a.batch < b.batch;
        return a.box_class != b.box_class ? a.box_class < b.box_class : a.box < b.box;
    }

    template <typename T>
    void write(const ops::SelectedBox* selected, const RunArgs& args) const {
        auto* rows = static_cast<T*>(args.outputs[0]);
        auto* numbers = static_cast<float*>(args.outputs[1]);
        for (std::size_t i = 0; i < count_; ++i) {
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
        if (args.outputs[2] != nullptr) *static_cast<T*>(args.outputs[2]) = static_cast<T>(count_);
    }

    const ops::NonMaxSuppression& op_;
    Selector selector_;
    std::size_t count_;
};

class NonMaxSuppressionNode final : public CpuNode {
public:
    explicit NonMaxSuppressionNode(const ops::NonMaxSuppression& op)
        : CpuNode(op, "non_max_suppression", "counts, then writes rows in order"), op_(op) {}

    bool may_skip_output(std::size_t) const override { return true; }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        std::vector<const TensorInfo*> inputs;
        for (const TensorInfo& input : site.inputs) inputs.push_back(&input);
        return std::make_unique<NonMaxSuppressionCall>(op_, selector(inputs),
                                                       site.outputs[0].shape[0]);
    }

    std::unique_ptr<ExtentFinder> make_extent_finder(
        std::span<const TensorInfo* const> inputs) const override {
        return std::make_unique<BoxExtents>(selector(inputs));
    }

private:
    Selector selector(std::span<const TensorInfo* const> inputs) const {
        return {op_, inputs[1]->shape, inputs.size() > 2 ? inputs[2]->type : ElementType::i64};
    }

    const ops::NonMaxSuppression& op_;
};

}  // namespace

std::unique_ptr<CpuNode> make_non_max_suppression_node(const Node& node, const CompileContext&) {
    return std::make_unique<NonMaxSuppressionNode>(
        dynamic_cast<const ops::NonMaxSuppression&>(node));
}

}  // namespace rondo::cpu
