// RandomUniform: numbers by their places, so that threads share them freely.
#include "core/ops/source/random_uniform.hpp"

#include "plugins/cpu/kernels/threads/share.hpp"
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

}  // namespace rondo::cpu
