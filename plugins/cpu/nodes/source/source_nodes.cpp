// RandomUniform: numbers by their places, so that threads share them freely. Range: numbers that
// are known before the run, or that come with it. ShapeOf: the shape is known when the call is
// made.
#include "core/ops/source/random_uniform.hpp"
#include "core/ops/source/range.hpp"
#include "core/ops/source/shape_of.hpp"
#include "plugins/cpu/kernels/source/range.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/source/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kRandomUniformGrain = 1 << 12;  // numbers that are worth a thread

class RandomUniformCall final : public Call {
public:
    RandomUniformCall(const ops::RandomUniform& op, const TensorInfo& output)
        : op_(op), type_(output.type), count_(count_of(output.shape)) {}

    void run(const RunArgs& args) const override {
        const ops::RandomRange range{type_, args.inputs[1], args.inputs[2]};
        if (!ops::is_range(range)) {
            throw ModelError(describe(op_) + ": the bound isn't above the least number");
        }
        const ops::RandomSeed seed = op_.seed();
        share(args.team, count_, kRandomUniformGrain, [&](std::int64_t begin, std::int64_t end) {
            ops::write_uniform(range, seed, args.outputs[0], begin, end);
        });
    }

private:
    const ops::RandomUniform& op_;
    ElementType type_;
    std::int64_t count_;
};

class RandomUniformNode final : public CpuNode {
public:
    explicit RandomUniformNode(const ops::RandomUniform& op)
        : CpuNode(op, "philox", "a counter's words, whichever thread computes them"), op_(op) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return std::make_unique<RandomUniformCall>(op_, site.outputs[0]);
    }

private:
    const ops::RandomUniform& op_;
};

}  // namespace

std::unique_ptr<CpuNode> make_random_uniform_node(const Node& node, const CompileContext&) {
    return std::make_unique<RandomUniformNode>(dynamic_cast<const ops::RandomUniform&>(node));
}

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

namespace {

class ShapeOfNode final : public CpuNode {
public:
    explicit ShapeOfNode(const Node& node)
        : CpuNode(node, "shape", "known when shapes are: no elements are read") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return make_value_call(ops::shape_tensor(site.inputs[0].shape, site.outputs[0].type));
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_shape_of_node(const Node& node, const CompileContext&) {
    return std::make_unique<ShapeOfNode>(node);
}

}  // namespace rondo::cpu
