// Range: numbers that are known before the run, or that come with it.
#include "core/ops/source/range.hpp"

#include "plugins/cpu/kernels/source/range.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/source/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kRangeGrain = 1 << 15;  // elements that are worth a thread

class RangeExtents final : public ExtentFinder {
public:
    RangeExtents(const Node& node, const ops::RangeTypes& types) : node_(node), types_(types) {}

    void find(std::span<const void* const> inputs, std::span<Shape> shapes) const override {
        const ops::RangeLength found =
            ops::range_length(ops::range_numbers(types_, inputs[0], inputs[1], inputs[2]));
        if (found.fault != nullptr) throw ModelError(describe(node_) + ": " + found.fault);
        shapes[0].assign(1, static_cast<std::size_t>(found.length));
    }

private:
    const Node& node_;
    ops::RangeTypes types_;
};

class RangeCall final : public Call {
public:
    explicit RangeCall(const CallSite& site)
        : start_(site.inputs[0].type),
          step_(site.inputs[2].type),
          type_(site.outputs[0].type),
          count_(count_of(site.outputs[0].shape)) {}

    void run(const RunArgs& args) const override {
        const ops::RangeNumber start = ops::range_number(start_, args.inputs[0]);
        const ops::RangeNumber step = ops::range_number(step_, args.inputs[2]);
        share(args.team, count_, kRangeGrain, [&](std::int64_t begin, std::int64_t end) {
            write_range(type_, start, step, args.outputs[0], begin, end);
        });
    }

private:
    ElementType start_;
    ElementType step_;
    ElementType type_;
    std::int64_t count_;
};

class RangeNode final : public CpuNode {
public:
    explicit RangeNode(const Node& node)
        : CpuNode(node, "range", "one pass; the numbers are read in each run") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return std::make_unique<RangeCall>(site);
    }

    std::unique_ptr<ExtentFinder> make_extent_finder(
        std::span<const TensorInfo* const> inputs) const override {
        return std::make_unique<RangeExtents>(
            node(), ops::RangeTypes{inputs[0]->type, inputs[1]->type, inputs[2]->type});
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_range_node(const Node& node, const CompileContext&) {
    return std::make_unique<RangeNode>(node);
}

}  // namespace rondo::cpu
