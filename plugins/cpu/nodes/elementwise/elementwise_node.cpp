// Elementwise ops, one by one or fused: of f32, f64 and truth values as a generated loop over
// programs, of other types as plain loops.
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/nodes/common/shown_parts.hpp"
#include "plugins/cpu/nodes/common/sized_program.hpp"
#include "plugins/cpu/nodes/common/typed_call.hpp"
#include "plugins/cpu/nodes/elementwise/half_node.hpp"
#include "plugins/cpu/nodes/elementwise/makers.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {
namespace {

// The node of an op of the unary, binary, compare or logical family, or of Select. Throws
// UnsupportedError naming the node where there is no loop for its type.
std::unique_ptr<CpuNode> make_typed_node(const Node& node) {
    const ElementType type = node.input(0).element_type();
    if (const auto* op = as_op<ops::Unary>(node)) {
        return make_typed_node<1>(node, typed_unary_loop(op->function(), type));
    }
    if (const auto* op = as_op<ops::Binary>(node)) {
        return make_typed_node<2>(node,
                                  typed_binary_loop(op->function(), type, op->python_division()));
    }
    if (const auto* op = as_op<ops::Compare>(node)) {
        return make_typed_node<2>(node, typed_compare_loop(op->function(), type));
    }
    if (const auto* op = as_op<ops::Logical>(node)) {
        return make_typed_node<2>(node, logical_loop(op->function()));
    }
    internal_check(as_op<ops::Select>(node) != nullptr, "an op of no elementwise family");
    return make_typed_node<3>(node, select_loop(size_of(node.output_type(0))));
}

class ElementwiseCall final : public Call {
public:
    ElementwiseCall(const ElementwiseKernel& kernel, const NodeProgram& program,
                    const CallSite& site)
        : program_(program), sized_(sized(kernel, program, site)) {}

    void run(const RunArgs& args) const override {
        SizedProgram::Inputs inputs;
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            inputs[i] = args.inputs[program_.inputs[i]];
        }
        auto* to = static_cast<std::byte*>(args.outputs[0]);
        share(args.team, sized_.size(), sized_.grain(), [&](std::int64_t begin, std::int64_t end) {
            sized_.run(inputs, to + begin * sized_.output_bytes(), begin, end);
        });
    }

private:
    static SizedProgram sized(const ElementwiseKernel& kernel, const NodeProgram& program,
                              const CallSite& site) {
        std::array<const Shape*, SizedProgram::kMostInputs> shapes;
        for (std::size_t i = 0; i < program.inputs.size(); ++i) {
            shapes[i] = &site.inputs[program.inputs[i]].shape;
        }
        return {kernel, program.program, std::span(shapes).first(program.inputs.size()),
                site.outputs[0].shape};
    }

    const NodeProgram& program_;
    SizedProgram sized_;
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
          op_(op),
          parts_(parts_behind_first(op, kernel_name())) {}

    ShownOp shown() const override { return shown_first(op_); }
    std::span<const NodePart> parts() const override { return parts_; }

private:
    const FusedOp& op_;
    std::vector<NodePart> parts_;
};

}  // namespace

std::unique_ptr<CpuNode> make_elementwise_node(const Node& node, const CompileContext& context) {
    auto program = program_of(node);
    if (!program) {
        auto half = make_half_node(node, context);
        return half ? std::move(half) : make_typed_node(node);
    }
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
