// Unary: a kernel for the functions that the vector math has.
#include "core/ops/elementwise/unary.hpp"

#include <cstddef>
#include <optional>
#include <string>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/elementwise/elementwise.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/nodes.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kGrain = 1 << 14;  // about 10 us of tanh

class UnaryCall final : public Call {
public:
    UnaryCall(const UnaryKernel& kernel, Precision precision, std::int64_t count)
        : kernel_(kernel),
          element_bytes_(static_cast<std::int64_t>(bytes_of(precision))),
          count_(count) {}

    void run(const RunArgs& args) const override {
        const auto* from = static_cast<const std::byte*>(args.inputs[0]);
        auto* to = static_cast<std::byte*>(args.outputs[0]);
        share(args.team, count_, kGrain, [&](std::int64_t begin, std::int64_t end) {
            const std::int64_t at = begin * element_bytes_;
            kernel_.run(from + at, to + at, end - begin);
        });
    }

private:
    const UnaryKernel& kernel_;
    std::int64_t element_bytes_;
    std::int64_t count_;
};

// "Tanh_avx512_f64".
std::string unary_name(Isa isa, const UnaryConfig& config) {
    return std::string(config.kind == UnaryKind::exp ? "Exp" : name_of(config.activation.kind)) +
           "_" + name_of(isa) + "_" + name_of(config.precision);
}

class UnaryNode final : public CpuNode {
public:
    UnaryNode(const Node& node, Isa isa, const UnaryConfig& config)
        : CpuNode(node, unary_name(isa, config), "vector math, one pass"),
          precision_(config.precision),
          kernel_(make_unary_kernel(isa, config)) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto count = static_cast<std::int64_t>(element_count(site.inputs[0].shape));
        return std::make_unique<UnaryCall>(*kernel_, precision_, count);
    }

private:
    Precision precision_;
    std::unique_ptr<UnaryKernel> kernel_;
};

// The kernel's form of the function, or nothing where it has none.
std::optional<UnaryConfig> config_of(ops::UnaryFunction function) {
    using ops::UnaryFunction;
    switch (function) {
        case UnaryFunction::exp: return UnaryConfig{UnaryKind::exp, {}};
        case UnaryFunction::relu:
            return UnaryConfig{UnaryKind::activation, default_activation(ActivationKind::relu)};
        case UnaryFunction::sigmoid:
            return UnaryConfig{UnaryKind::activation, default_activation(ActivationKind::sigmoid)};
        case UnaryFunction::softplus:
            return UnaryConfig{UnaryKind::activation, default_activation(ActivationKind::softplus)};
        case UnaryFunction::softsign:
            return UnaryConfig{UnaryKind::activation, default_activation(ActivationKind::softsign)};
        case UnaryFunction::tanh:
            return UnaryConfig{UnaryKind::activation, default_activation(ActivationKind::tanh)};
        default: return std::nullopt;
    }
}

}  // namespace

std::unique_ptr<CpuNode> make_unary_node(const Node& node, const CompileContext& context) {
    const ElementType type = node.input(0).element_type();
    if (type != ElementType::f32 && type != ElementType::f64) {
        return make_reference_node(node, "the kernel takes f32 and f64 only");
    }
    auto config = config_of(static_cast<const ops::Unary&>(node).function());
    if (!config) return make_reference_node(node, "no kernel for this function");
    if (type == ElementType::f64) config->precision = Precision::f64;
    return std::make_unique<UnaryNode>(node, context.isa, *config);
}

}  // namespace rondo::cpu
