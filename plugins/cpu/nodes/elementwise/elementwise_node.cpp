// Elementwise ops of f32, f64 and truth values, one by one or fused: a generated loop over programs.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/support/check.hpp"
#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/elementwise/typed_node.hpp"
#include "plugins/cpu/nodes/nodes.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {
namespace {

constexpr std::size_t kMostInputs = ElementwiseProgram::kMostInputs;
using Loop = NdLoop<kMostInputs + 1>;

// Elements that are worth a thread: about 10 us, of sums as of one tanh.
std::int64_t grain_of(const ElementwiseProgram& program) {
    const auto functions = std::count_if(
        program.steps.begin(), program.steps.end(),
        [](const ProgramStep& step) { return step.kind == ProgramStep::Kind::unary; });
    return std::max<std::int64_t>(1 << 12, (1 << 16) / (1 + 3 * functions));
}

class ElementwiseCall final : public Call {
public:
    ElementwiseCall(const ElementwiseKernel& kernel, const NodeProgram& program,
                    const CallSite& site)
        : kernel_(kernel), program_(program), grain_(grain_of(program.program)) {
        // A shape without axes repeats its one element: those of inputs that there aren't.
        static const Shape kNone;
        std::array<const Shape*, kMostInputs> shapes;
        shapes.fill(&kNone);
        for (std::size_t i = 0; i < program.inputs.size(); ++i) {
            shapes[i] = &site.inputs[program.inputs[i]].shape;
        }
        loop_ = broadcast_loop<kMostInputs>(shapes, site.outputs[0].shape);
    }

    void run(const RunArgs& args) const override {
        const std::int64_t count = loop_.run().count;
        if (loop_.runs() == 1) {
            share(args.team, count, grain_, [&](std::int64_t begin, std::int64_t end) {
                Loop::Offsets at;
                for (std::size_t i = 0; i < at.size(); ++i) at[i] = begin * loop_.run().steps[i];
                one_run(args, at, end - begin);
            });
            return;
        }
        share(args.team, loop_.runs(), grain_ / (count + 1) + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  loop_.for_each_run(begin, end, [&](const Loop::Offsets& at) {
                      one_run(args, at, count);
                  });
              });
    }

private:
    void one_run(const RunArgs& args, const Loop::Offsets& at, std::int64_t count) const {
        ElementwiseRun run;
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            run.inputs[i] = static_cast<const std::byte*>(args.inputs[program_.inputs[i]]) +
                            at[i] * bytes(program_.program.inputs[i]);
            run.repeats[i] = loop_.run().steps[i] == 0;
        }
        run.output = static_cast<std::byte*>(args.outputs[0]) +
                     at[kMostInputs] * bytes(program_.program.output);
        run.count = count;
        kernel_.run(run);
    }

    std::int64_t bytes(ElementKind kind) const {
        return static_cast<std::int64_t>(bytes_of(kind, program_.program.precision));
    }

    const ElementwiseKernel& kernel_;
    const NodeProgram& program_;
    std::int64_t grain_;
    Loop loop_;
};

// "Tanh_avx512_f64", "elementwise_avx2_f32".
std::string name_for(std::string_view what, Isa isa, const NodeProgram& program) {
    return std::string(what) + "_" + name_of(isa) + "_" + name_of(program.program.precision);
}

class ElementwiseNode : public CpuNode {
public:
    ElementwiseNode(const Node& node, std::string_view what, const CompileContext& context,
                    NodeProgram program)
        : CpuNode(node, name_for(what, context.isa, program),
                  "one pass; axes that repeat are not copied"),
          program_(std::move(program)),
          kernel_(shared_elementwise_kernel(context.isa, program_.program)) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return std::make_unique<ElementwiseCall>(*kernel_, program_, site);
    }

private:
    NodeProgram program_;
    std::shared_ptr<const ElementwiseKernel> kernel_;
};

// Shown as the first of its ops.
class FusedElementwiseNode final : public ElementwiseNode {
public:
    FusedElementwiseNode(const FusedOp& op, const CompileContext& context, NodeProgram program)
        : ElementwiseNode(op, "elementwise", context, std::move(program)),
          first_(*op.parts().front().op) {
        for (std::size_t i = 1; i < op.parts().size(); ++i) {
            parts_.push_back({*op.parts()[i].op, kernel_name()});
        }
    }

    ShownOp shown() const override { return {first_.name(), first_.type_name()}; }
    std::span<const NodePart> parts() const override { return parts_; }

private:
    const Node& first_;
    std::vector<NodePart> parts_;
};

}  // namespace

std::unique_ptr<CpuNode> make_elementwise_node(const Node& node, const CompileContext& context) {
    auto program = program_of(node);
    if (!program) return make_typed_node(node);
    return std::make_unique<ElementwiseNode>(node, node.type_name(), context, std::move(*program));
}

std::unique_ptr<CpuNode> make_fused_elementwise_node(const Node& node,
                                                     const CompileContext& context) {
    const auto& op = dynamic_cast<const FusedOp&>(node);
    auto program = program_of(node);
    internal_check(program.has_value(), "ops were fused that make no program");
    return std::make_unique<FusedElementwiseNode>(op, context, std::move(*program));
}

}  // namespace rondo::cpu
