// NonZero: how many places there are is found in each run.
#include "core/ops/indexing/non_zero.hpp"

#include "plugins/cpu/kernels/indexing/non_zero.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/indexing/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

class NonZeroExtents final : public ExtentFinder {
public:
    NonZeroExtents(const NonZero& non_zero, const Shape& data)
        : non_zero_(non_zero), rank_(data.size()), elements_(count_of(data)) {}

    void find(std::span<const void* const> inputs, std::span<Shape> shapes) const override {
        shapes[0].resize(2);
        shapes[0][0] = rank_;
        shapes[0][1] = static_cast<std::size_t>(non_zero_.count(inputs[0], elements_));
    }

private:
    NonZero non_zero_;
    std::size_t rank_;
    std::int64_t elements_;
};

class NonZeroCall final : public Call {
public:
    NonZeroCall(const Node& node, const NonZero& non_zero, const CallSite& site)
        : node_(node),
          non_zero_(non_zero),
          extents_(extents_of(site.inputs[0].shape)),
          elements_(count_of(site.inputs[0].shape)),
          count_(static_cast<std::int64_t>(site.outputs[0].shape[1])) {}

    std::size_t scratch_bytes() const override { return extents_.size() * sizeof(std::int64_t); }

    void run(const RunArgs& args) const override {
        // The count was found in memory that a caller may have written to since.
        if (non_zero_.count(args.inputs[0], elements_) != count_) {
            throw ModelError(describe(node_) + ": data changed during the inference");
        }
        non_zero_.write(args.inputs[0], extents_, count_, static_cast<std::int64_t*>(args.scratch),
                        args.outputs[0]);
    }

private:
    const Node& node_;
    NonZero non_zero_;
    Extents extents_;
    std::int64_t elements_;
    std::int64_t count_;
};

class NonZeroNode final : public CpuNode {
public:
    NonZeroNode(const ops::NonZero& op, ElementType type)
        : CpuNode(op, "non_zero", "counts, then writes places in order"),
          non_zero_(type, op.output_type()) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        return std::make_unique<NonZeroCall>(node(), non_zero_, site);
    }

    std::unique_ptr<ExtentFinder> make_extent_finder(
        std::span<const TensorInfo* const> inputs) const override {
        return std::make_unique<NonZeroExtents>(non_zero_, inputs[0]->shape);
    }

private:
    NonZero non_zero_;
};

}  // namespace

std::unique_ptr<CpuNode> make_non_zero_node(const Node& node, const CompileContext&) {
    const auto& op = dynamic_cast<const ops::NonZero&>(node);
    return std::make_unique<NonZeroNode>(op, node.input(0).element_type());
}

}  // namespace rondo::cpu
