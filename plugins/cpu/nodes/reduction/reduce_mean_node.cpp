#include "core/ops/reduction/reduce.hpp"

#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/nodes.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kGrain = 1 << 15;  // elements that are worth a thread

// [outer, reduced, inner] -> [outer, inner].
struct ReduceSizes {
    std::int64_t outer = 1;
    std::int64_t reduced = 1;
    std::int64_t inner = 1;
};

class ReduceMeanCall final : public Call {
public:
    explicit ReduceMeanCall(const ReduceSizes& sizes) : sizes_(sizes) {}

    void run(const RunArgs& args) const override {
        const auto* from = static_cast<const float*>(args.inputs[0]);
        auto* to = static_cast<float*>(args.outputs[0]);
        share(args.team, sizes_.outer * sizes_.inner, kGrain / sizes_.reduced + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t i = begin; i < end; ++i) {
                      const std::int64_t first =
                          i / sizes_.inner * sizes_.inner * sizes_.reduced + i % sizes_.inner;
                      to[i] = mean(from + first);
                  }
              });
    }

private:
    // Summed in double, in order: exact enough for any length, and the same for any split.
    float mean(const float* x) const {
        double sum = 0;
        for (std::int64_t i = 0; i < sizes_.reduced; ++i) sum += x[i * sizes_.inner];
        return static_cast<float>(sum / static_cast<double>(sizes_.reduced));
    }

    ReduceSizes sizes_;
};

// The sizes where the reduced axes stand side by side; else nothing.
std::optional<ReduceSizes> sizes_of(const Shape& shape, const std::vector<bool>& reduced) {
    ReduceSizes sizes;
    int stage = 0;  // before, among or behind the reduced axes
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto extent = static_cast<std::int64_t>(shape[i]);
        if (extent == 1) continue;
        if (reduced[i] && stage == 2) return std::nullopt;
        if (reduced[i]) stage = 1;
        if (!reduced[i] && stage == 1) stage = 2;
        (stage == 0 ? sizes.outer : stage == 1 ? sizes.reduced : sizes.inner) *= extent;
    }
    return sizes;
}

class ReduceMeanNode final : public CpuNode {
public:
    explicit ReduceMeanNode(const Node& node)
        : CpuNode(node, "reduce_mean_f32", "sums in double, one output after another") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const InferContext context = context_of(node(), site);
        const Shape& shape = site.inputs[0].shape;
        const auto axes = context.ints(1);
        if (!axes || element_count(shape) == 0) return make_reference_call(node(), site);
        const auto sizes = sizes_of(shape, ops::reduced_axes(context, *axes, shape.size()));
        if (!sizes) return make_reference_call(node(), site);
        return std::make_unique<ReduceMeanCall>(*sizes);
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_reduce_mean_node(const Node& node, const CompileContext&) {
    if (!ops::is(node, ops::ReduceFunction::mean)) {
        return make_reference_node(node, "no kernel for this function");
    }
    if (!all_f32(node, 0, 1)) return make_reference_node(node, "the kernel takes f32 only");
    return std::make_unique<ReduceMeanNode>(node);
}

}  // namespace rondo::cpu
