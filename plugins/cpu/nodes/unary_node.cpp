#include <algorithm>
#include <array>
#include <utility>

#include "plugins/cpu/kernels/elementwise.hpp"
#include "plugins/cpu/nodes/nodes.hpp"
#include "plugins/cpu/nodes/reference_node.hpp"
#include "plugins/cpu/nodes/share.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kGrain = 1 << 14;  // about 10 us of tanh

class UnaryCall final : public Call {
public:
    UnaryCall(const UnaryKernel& kernel, std::int64_t count) : kernel_(kernel), count_(count) {}

    void run(const RunArgs& args) const override {
        const auto* from = static_cast<const float*>(args.inputs[0]);
        auto* to = static_cast<float*>(args.outputs[0]);
        share(args.team, count_, kGrain, [&](std::int64_t begin, std::int64_t end) {
            kernel_.run(from + begin, to + begin, end - begin);
        });
    }

private:
    const UnaryKernel& kernel_;
    std::int64_t count_;
};

class UnaryNode final : public CpuNode {
public:
    UnaryNode(const Node& node, const CompileContext& context, ActivationKind kind)
        : CpuNode(node, f32_kernel_name(name_of(kind), context.isa), "vector math, one pass"),
          kernel_(make_unary_kernel(context.isa, default_activation(kind))) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto count = static_cast<std::int64_t>(element_count(site.inputs[0].shape));
        return std::make_unique<UnaryCall>(*kernel_, count);
    }

private:
    std::unique_ptr<UnaryKernel> kernel_;
};

constexpr std::array<std::pair<std::string_view, ActivationKind>, 3> kFunctions{{
    {"ReLU", ActivationKind::relu},
    {"Sigmoid", ActivationKind::sigmoid},
    {"Tanh", ActivationKind::tanh},
}};

}  // namespace

std::unique_ptr<CpuNode> make_unary_node(const Node& node, const CompileContext& context) {
    if (!all_f32(node, 0, 1)) {
        return make_reference_node(node, "the kernel takes f32 only");
    }
    const auto entry = std::find_if(kFunctions.begin(), kFunctions.end(), [&](const auto& known) {
        return known.first == node.type_name();
    });
    if (entry == kFunctions.end()) return make_reference_node(node, "no kernel for this function");
    return std::make_unique<UnaryNode>(node, context, entry->second);
}

}  // namespace rondo::cpu
