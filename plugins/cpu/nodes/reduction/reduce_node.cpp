// The reduce family: any function, type and axes.
#include "core/ops/reduction/reduce.hpp"

#include <atomic>

#include "plugins/cpu/kernels/reduction/reduce.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/axis_values.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/reduction/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kReduceGrain = 1 << 15;  // elements that are worth a thread

class ReduceCall final : public Call {
public:
    ReduceCall(const ops::Reduce& op, const CallSite& site, const ReduceSizes& sizes, Isa isa)
        : op_(op),
          reduce_(op.function(), site.inputs[0].type, sizes, isa),
          axes_(site.inputs[1], sizes.extents.size()) {}

    void run(const RunArgs& args) const override {
        axes_.check(op_, args.inputs[1]);
        std::atomic<bool> has_value = true;
        share(args.team, reduce_.size(), kReduceGrain / (reduce_.group() + 1) + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  if (!reduce_.run(args.inputs[0], args.outputs[0], begin, end)) has_value = false;
              });
        if (has_value) return;
        throw ModelError(describe(op_) +
                         ": the mean of no integers has no value; expected extents above 0");
    }

private:
    const ops::Reduce& op_;
    Reduce reduce_;
    AxisValues axes_;
};

class ReduceNode final : public CpuNode {
public:
    ReduceNode(const ops::Reduce& op, Isa isa)
        : CpuNode(op, "reduce_" + std::string(to_string(op.output_type(0))),
                  "floating types in double"),
          op_(op),
          isa_(isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const InferContext context = context_of(op_, site);
        const Shape& shape = site.inputs[0].shape;
        // Axes that aren't known leave a known shape only where all extents are 1: then any axes
        // give the same.
        const auto axes = context.ints(1).value_or(std::vector<std::int64_t>());
        const ReduceSizes sizes{extents_of(shape), ops::reduced_axes(context, axes, shape.size())};
        return std::make_unique<ReduceCall>(op_, site, sizes, isa_);
    }

private:
    const ops::Reduce& op_;
    Isa isa_;
};

}  // namespace

std::unique_ptr<CpuNode> make_reduce_node(const Node& node, const CompileContext& context) {
    return std::make_unique<ReduceNode>(dynamic_cast<const ops::Reduce&>(node), context.isa);
}

}  // namespace rondo::cpu
