#include "core/ops/elementwise/convert.hpp"

#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/nodes.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kGrain = 1 << 16;  // elements that are worth a thread

template <typename From, typename To>
class ConvertCall final : public Call {
public:
    explicit ConvertCall(std::int64_t count) : count_(count) {}

    void run(const RunArgs& args) const override {
        const auto* from = static_cast<const From*>(args.inputs[0]);
        auto* to = static_cast<To*>(args.outputs[0]);
        share(args.team, count_, kGrain, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) to[i] = static_cast<To>(from[i]);
        });
    }

private:
    std::int64_t count_;
};

// Only conversions that C++'s cast does as the op asks; floating to integer saturates, so that it
// stays with the reference.
template <typename From>
std::unique_ptr<Call> make_call(ElementType to, std::int64_t count) {
    switch (to) {
        case ElementType::f32: return std::make_unique<ConvertCall<From, float>>(count);
        case ElementType::f64: return std::make_unique<ConvertCall<From, double>>(count);
        case ElementType::i64:
            if constexpr (std::is_integral_v<From>) {
                return std::make_unique<ConvertCall<From, std::int64_t>>(count);
            }
            return nullptr;
        case ElementType::i32:
            if constexpr (std::is_integral_v<From>) {
                return std::make_unique<ConvertCall<From, std::int32_t>>(count);
            }
            return nullptr;
        default: return nullptr;
    }
}

// A view of the weights before the Convert: it has the type and the shape behind it, and its readers
// take the elements from the constant itself.
class StoredWeightsNode final : public CpuNode {
public:
    explicit StoredWeightsNode(const Node& node)
        : CpuNode(node, "none", "its readers widen the weights in registers") {}

    ShownOp shown() const override { return {node().name(), ops::Convert::kType.name}; }
    std::unique_ptr<Call> prepare(const CallSite&) const override {
        return std::make_unique<ViewCall>(std::vector<View>{{0, 0}});
    }
};

class ConvertNode final : public CpuNode {
public:
    explicit ConvertNode(const Node& node)
        : CpuNode(node, "convert", "one pass over the elements, or a view of the same type") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const ElementType from = site.inputs[0].type;
        const ElementType to = site.outputs[0].type;
        if (from == to) return std::make_unique<ViewCall>(std::vector<View>{{0, 0}});
        const auto count = static_cast<std::int64_t>(element_count(site.inputs[0].shape));
        auto call = make(from, to, count);
        return call ? std::move(call) : make_reference_call(node(), site);
    }

private:
    static std::unique_ptr<Call> make(ElementType from, ElementType to, std::int64_t count) {
        switch (from) {
            case ElementType::f32:
                if (to == ElementType::f16) {
                    return std::make_unique<ConvertCall<float, float16>>(count);
                }
                if (to == ElementType::bf16) {
                    return std::make_unique<ConvertCall<float, bfloat16>>(count);
                }
                return make_call<float>(to, count);
            case ElementType::f64: return make_call<double>(to, count);
            case ElementType::i64: return make_call<std::int64_t>(to, count);
            case ElementType::i32: return make_call<std::int32_t>(to, count);
            case ElementType::u8: return make_call<std::uint8_t>(to, count);
            case ElementType::f16:
                return to == ElementType::f32 ? std::make_unique<ConvertCall<float16, float>>(count)
                                              : nullptr;
            case ElementType::bf16:
                return to == ElementType::f32
                           ? std::make_unique<ConvertCall<bfloat16, float>>(count)
                           : nullptr;
            default: return nullptr;
        }
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_convert_node(const Node& node, const CompileContext& context) {
    if (program_of(node)) return make_elementwise_node(node, context);
    return std::make_unique<ConvertNode>(node);
}

std::unique_ptr<CpuNode> make_stored_weights_node(const Node& node, const CompileContext&) {
    return std::make_unique<StoredWeightsNode>(node);
}

}  // namespace rondo::cpu
