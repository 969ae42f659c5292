// Elementwise ops, one by one or fused: of floating types and truth values as a generated loop over
// programs, of other types as plain loops.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/sized_program.hpp"
#include "plugins/cpu/nodes/common/typed_call.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"

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

// "Tanh_avx512_f64", "elementwise_avx2_f32".
std::string name_for(std::string_view what, Isa isa, const NodeProgram& program) {
    return std::string(what) + "_" + name_of(isa) + "_" + name_of(program.program.precision);
}

// A fused one is shown as the first of its ops.
class ElementwiseNode final : public CpuNode {
public:
    ElementwiseNode(const Node& node, std::string_view what, const CompileContext& context,
                    NodeProgram program)
        : CpuNode(node, name_for(what, context.isa, program),
                  "one pass; axes that repeat are not copied"),
          program_(std::move(program)),
          kernel_(shared_elementwise_kernel(context.isa, program_.program)) {
        show_parts();
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const SizedProgram sized(*kernel_, program_.program, program_shapes(program_, site),
                                 site.outputs[0].shape);
        return make_call([this, sized](const RunArgs& args) {
            const auto inputs = program_inputs(program_, args);
            auto* to = static_cast<std::byte*>(args.outputs[0]);
            share(args.team, sized.size(), sized.grain(),
                  [&](std::int64_t begin, std::int64_t end) {
                      sized.run(inputs, to + begin * sized.output_bytes(), begin, end);
                  });
        });
    }

private:
    NodeProgram program_;
    std::shared_ptr<const ElementwiseKernel> kernel_;
};

constexpr std::size_t kMostInputs = ElementwiseProgram::kMostInputs;
// Elements that are widened at a time: they stay in the L1 cache.
constexpr std::int64_t kHalfBlock = 512;

// Calls f(offsets, count) for each run of a program's loop, on the threads of the team. The offsets
// are those of the first element of each input, then of the output.
template <typename F>
void for_each_run(const ProgramLoop& loop, std::int64_t grain, Team& team, F&& f) {
    using Offsets = ProgramLoop::Offsets;
    const std::int64_t count = loop.run().count;
    if (loop.runs() == 1) {
        share(team, count, grain, [&](std::int64_t begin, std::int64_t end) {
            Offsets at;
            for (std::size_t i = 0; i < at.size(); ++i) at[i] = begin * loop.run().steps[i];
            f(at, end - begin);
        });
        return;
    }
    share(team, loop.runs(), grain / (count + 1) + 1, [&](std::int64_t begin, std::int64_t end) {
        loop.for_each_run(begin, end, [&](const Offsets& at) { f(at, count); });
    });
}

// f16 and bf16 are computed in f32, a block at a time.
class HalfNode final : public CpuNode {
public:
    HalfNode(const Node& node, Isa isa, ElementType type, NodeProgram program)
        : CpuNode(node, std::string(node.type_name()) + "_" + kernel_suffix(isa, type),
                  "computed in f32 by blocks, rounded once"),
          program_(std::move(program)),
          rows_(isa, type),
          kernel_(shared_elementwise_kernel(isa, program_.program)) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return make_call([this, grain = grain_of(program_.program),
                          loop = program_loop(program_shapes(program_, site),
                                              site.outputs[0].shape)](const RunArgs& args) {
            const auto blocks_of = [&](const ProgramLoop::Offsets& at, std::int64_t count) {
                Blocks blocks;
                for (std::int64_t first = 0; first < count; first += kHalfBlock) {
                    one_block(args, loop, at, {first, std::min(first + kHalfBlock, count)}, blocks);
                }
            };
            for_each_run(loop, grain, args.team, blocks_of);
        });
    }

private:
    struct Blocks {
        alignas(64) float inputs[kMostInputs][kHalfBlock];
        alignas(64) float output[kHalfBlock];
    };

    // Elements of a run.
    void one_block(const RunArgs& args, const ProgramLoop& loop, const ProgramLoop::Offsets& at,
                   Range elements, Blocks& blocks) const {
        ElementwiseRun run;
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            const void* base = args.inputs[program_.inputs[i]];
            run.repeats[i] = loop.run().steps[i] == 0;
            const std::int64_t element = at[i] + (run.repeats[i] ? 0 : elements.begin);
            if (program_.program.inputs[i] == ElementKind::truth) {
                run.inputs[i] = static_cast<const std::uint8_t*>(base) + element;
                continue;
            }
            run.inputs[i] = blocks.inputs[i];
            if (run.repeats[i] && elements.begin > 0) continue;
            rows_.load(rows_.at(base, element), blocks.inputs[i],
                       run.repeats[i] ? 1 : elements.size());
        }
        const bool gives_truth = program_.program.output == ElementKind::truth;
        const std::int64_t element = at[kMostInputs] + elements.begin;
        void* to = args.outputs[0];
        run.output = gives_truth ? static_cast<std::uint8_t*>(to) + element
                                 : static_cast<void*>(blocks.output);
        run.count = elements.size();
        kernel_->run(run);
        if (!gives_truth) rows_.store(blocks.output, rows_.at(to, element), elements.size());
    }

    NodeProgram program_;
    RowConverter rows_;
    std::shared_ptr<const ElementwiseKernel> kernel_;
};

// The type of the op's numbers; nothing unless they are f16 or bf16.
std::optional<ElementType> half_type(const Node& node) {
    for (const auto& input : node.inputs()) {
        if (is_half(input.element_type())) return input.element_type();
    }
    return std::nullopt;
}

// The op of f32 in place of f16 and bf16.
NodePtr widened_op(const Node& node) {
    std::vector<Output> inputs;
    for (const auto& input : node.inputs()) {
        const ElementType type = input.element_type();
        inputs.push_back(
            make_node<ops::Parameter>(is_half(type) ? ElementType::f32 : type, input.shape()));
    }
    return node.clone_with(std::move(inputs));
}

// Null unless all of the op's numbers are of one 16-bit type and a program has the op.
std::unique_ptr<CpuNode> make_half_node(const Node& node, const CompileContext& context) {
    const auto type = half_type(node);
    if (!type) return nullptr;
    auto program = program_of(*widened_op(node));
    if (!program) return nullptr;
    return std::make_unique<HalfNode>(node, context.isa, *type, std::move(*program));
}

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
    auto program = program_of(node);
    internal_check(program.has_value(), "ops were fused that make no program");
    return std::make_unique<ElementwiseNode>(node, "elementwise", context, std::move(*program));
}

}  // namespace rondo::cpu
