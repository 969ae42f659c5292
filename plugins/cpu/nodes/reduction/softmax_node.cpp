#include "core/ops/reduction/softmax.hpp"

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/reduction/softmax.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/nodes.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kGrain = 1 << 13;  // elements that are worth a thread

class SoftmaxCall final : public Call {
public:
    SoftmaxCall(const SoftmaxKernel& kernel, std::int64_t rows, std::int64_t columns)
        : kernel_(kernel), rows_(rows), columns_(columns) {}

    void run(const RunArgs& args) const override {
        const auto* from = static_cast<const float*>(args.inputs[0]);
        auto* to = static_cast<float*>(args.outputs[0]);
        share(args.team, rows_, kGrain / columns_ + 1, [&](std::int64_t begin, std::int64_t end) {
            kernel_.run(from + begin * columns_, to + begin * columns_, end - begin, columns_);
        });
    }

private:
    const SoftmaxKernel& kernel_;
    std::int64_t rows_;
    std::int64_t columns_;
};

class SoftmaxNode final : public CpuNode {
public:
    SoftmaxNode(const Node& node, const CompileContext& context)
        : CpuNode(node, f32_kernel_name("softmax", context.isa), "rows in one pass each"),
          kernel_(context.isa, make_unary_kernel(context.isa, {UnaryKind::exp, {}})) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto& op = dynamic_cast<const ops::SoftmaxBase&>(node());
        const Shape& shape = site.inputs[0].shape;
        const std::size_t count = element_count(shape);
        if (shape.empty() || count == 0) return make_reference_call(node(), site);
        const std::size_t axis = normalize_axis(context_of(op, site), op.axis(), shape.size());
        for (std::size_t i = axis + 1; i < shape.size(); ++i) {
            if (shape[i] != 1) return make_reference_call(node(), site);  // not one run
        }
        const auto columns = static_cast<std::int64_t>(shape[axis]);
        return std::make_unique<SoftmaxCall>(kernel_, static_cast<std::int64_t>(count) / columns,
                                             columns);
    }

private:
    SoftmaxKernel kernel_;
};

}  // namespace

std::unique_ptr<CpuNode> make_softmax_node(const Node& node, const CompileContext& context) {
    if (!all_f32(node, 0, 1)) return make_reference_node(node, "the kernel takes f32 only");
    return std::make_unique<SoftmaxNode>(node, context);
}

}  // namespace rondo::cpu
