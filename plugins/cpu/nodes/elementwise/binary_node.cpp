// Binary: a kernel for arithmetic of f32.
#include "core/ops/elementwise/binary.hpp"

#include <algorithm>
#include <optional>

#include "plugins/cpu/kernels/elementwise/elementwise.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/nodes.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kGrain = 1 << 16;  // elements that are worth a thread

class BinaryCall final : public Call {
public:
    BinaryCall(Isa isa, BinaryKind kind, const CallSite& site)
        : isa_(isa),
          kind_(kind),
          loop_(broadcast_loop<2>({&site.inputs[0].shape, &site.inputs[1].shape},
                                site.outputs[0].shape)) {}

    void run(const RunArgs& args) const override {
        const auto* a = static_cast<const float*>(args.inputs[0]);
        const auto* b = static_cast<const float*>(args.inputs[1]);
        auto* out = static_cast<float*>(args.outputs[0]);
        const auto& run = loop_.run();
        if (loop_.runs() == 1) {
            share(args.team, run.count, kGrain, [&](std::int64_t begin, std::int64_t end) {
                one_run(a + begin * run.steps[0], b + begin * run.steps[1], out + begin,
                        end - begin);
            });
            return;
        }
        share(args.team, loop_.runs(), kGrain / (run.count + 1) + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  loop_.for_each_run(begin, end, [&](const NdLoop<3>::Offsets& at) {
                      one_run(a + at[0], b + at[1], out + at[2], run.count);
                  });
              });
    }

private:
    void one_run(const float* a, const float* b, float* out, std::int64_t count) const {
        if (loop_.run().steps[1] == 0) {
            if (loop_.run().steps[0] == 0) {
                binary(isa_, kind_, a, b, out, 1);
                std::fill(out + 1, out + count, out[0]);
            } else {
                binary_right_scalar(isa_, kind_, a, *b, out, count);
            }
        } else if (loop_.run().steps[0] == 0) {
            binary_left_scalar(isa_, kind_, *a, b, out, count);
        } else {
            binary(isa_, kind_, a, b, out, count);
        }
    }

    Isa isa_;
    BinaryKind kind_;
    NdLoop<3> loop_;
};

class BinaryNode final : public CpuNode {
public:
    BinaryNode(const Node& node, const CompileContext& context, BinaryKind kind)
        : CpuNode(node, f32_kernel_name(node.type_name(), context.isa),
                  "one pass; axes that repeat are not copied"),
          isa_(context.isa),
          kind_(kind) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return std::make_unique<BinaryCall>(isa_, kind_, site);
    }

private:
    Isa isa_;
    BinaryKind kind_;
};

// The kernel's form of the function, or nothing where it has none.
std::optional<BinaryKind> kind_of(ops::BinaryFunction function) {
    switch (function) {
        case ops::BinaryFunction::add: return BinaryKind::add;
        case ops::BinaryFunction::divide: return BinaryKind::divide;
        case ops::BinaryFunction::maximum: return BinaryKind::maximum;
        case ops::BinaryFunction::minimum: return BinaryKind::minimum;
        case ops::BinaryFunction::multiply: return BinaryKind::multiply;
        case ops::BinaryFunction::subtract: return BinaryKind::subtract;
        default: return std::nullopt;
    }
}

}  // namespace

std::unique_ptr<CpuNode> make_binary_node(const Node& node, const CompileContext& context) {
    if (!all_f32(node, 0, 2)) return make_reference_node(node, "the kernel takes f32 only");
    const auto kind = kind_of(static_cast<const ops::Binary&>(node).function());
    if (!kind) return make_reference_node(node, "no kernel for this function");
    return std::make_unique<BinaryNode>(node, context, *kind);
}

}  // namespace rondo::cpu
