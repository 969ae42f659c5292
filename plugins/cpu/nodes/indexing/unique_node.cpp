// Unique: how many slices differ is found in each run.
#include "core/ops/indexing/indexing_ops.hpp"

#include "plugins/cpu/nodes/common/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

// The axis of a run.
std::optional<std::size_t> axis_of(const ops::Unique& op, const Shape& data, const Tensor& axis) {
    std::vector<InferInput> inputs{{ElementType::dynamic, data, {}}};
    if (axis) inputs.push_back({axis.element_type(), axis.shape(), axis});
    return ops::unique_axis(InferContext(op, std::move(inputs)), data.size());
}

// Finds the shapes and all outputs at once.
class UniqueRun final : public DynamicRun {
public:
    explicit UniqueRun(const ops::Unique& op) : op_(op) {}

    void run(const DynamicRunArgs& args) override {
        const Tensor& data = args.inputs[0];
        const auto axis =
            axis_of(op_, data.shape(), args.inputs.size() > 1 ? args.inputs[1] : Tensor());
        const ops::SliceSizes sizes = ops::slice_sizes(data.shape(), axis);
        const auto found = ops::find_unique(data, sizes, op_.attributes().sorted);
        Shape shape = axis ? data.shape() : Shape{0};
        shape[axis.value_or(0)] = found.first.size();
        args.outputs[0] = Tensor(data.element_type(), shape);
        ops::copy_slices(data, sizes, found.first, args.outputs[0].data());
        const auto& [sorted, index_type, count_type] = op_.attributes();
        args.outputs[1] = integers(found.first, index_type);
        args.outputs[2] = integers(found.inverse, index_type);
        args.outputs[3] = integers(found.counts, count_type);
    }

private:
    static Tensor integers(const std::vector<std::int64_t>& values, ElementType type) {
        Tensor tensor(type, {values.size()});
        ops::write_integers(values, type, tensor.data());
        return tensor;
    }

    const ops::Unique& op_;
};

// Where the shapes are known, since the data is, or has no elements.
std::unique_ptr<Call> make_unique_call(const ops::Unique& op, const CallSite& site) {
    const Shape& shape = site.inputs[0].shape;
    const auto axis = axis_of(op, shape, site.inputs.size() > 1 ? site.inputs[1].value : Tensor());
    return make_call([&op, type = site.inputs[0].type, shape, axis,
                      kept = site.outputs[1].shape[0]](const RunArgs& args) {
        const Tensor data(type, shape, const_cast<void*>(args.inputs[0]));
        const ops::SliceSizes sizes = ops::slice_sizes(shape, axis);
        const auto found = ops::find_unique(data, sizes, op.attributes().sorted);
        if (found.first.size() != kept) {
            throw ModelError(describe(op) + ": data changed during the inference");
        }
        const auto& [sorted, index_type, count_type] = op.attributes();
        ops::copy_slices(data, sizes, found.first, args.outputs[0]);
        ops::write_integers(found.first, index_type, args.outputs[1]);
        ops::write_integers(found.inverse, index_type, args.outputs[2]);
        ops::write_integers(found.counts, count_type, args.outputs[3]);
    });
}

class UniqueNode final : public CpuNode {
public:
    explicit UniqueNode(const ops::Unique& op)
        : CpuNode(op, "unique", "sorts the slices' places, in each run"), op_(op) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return make_unique_call(op_, site);
    }
    std::unique_ptr<DynamicRun> make_dynamic_run() const override {
        return std::make_unique<UniqueRun>(op_);
    }
    bool finds_shapes() const override { return true; }

private:
    const ops::Unique& op_;
};

}  // namespace

std::unique_ptr<CpuNode> make_unique_node(const Node& node, const CompileContext&) {
    return std::make_unique<UniqueNode>(dynamic_cast<const ops::Unique&>(node));
}

}  // namespace rondo::cpu
