#include "plugins/cpu/nodes/elementwise/half_node.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "core/ops/source/parameter.hpp"
#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/sized_program.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"

namespace rondo::cpu {
namespace {

constexpr std::size_t kMostInputs = ElementwiseProgram::kMostInputs;

// Elements that are widened at a time: they stay in the L1 cache.
constexpr std::int64_t kBlock = 512;

// A program's loop, shared among threads.
class Walk {
public:
    // The first element of a run: that of each input, then that of the output.
    using Offsets = ProgramLoop::Offsets;

    Walk(const NodeProgram& program, const CallSite& site) : grain_(grain_of(program.program)) {
        std::array<const Shape*, kMostInputs> shapes;
        for (std::size_t i = 0; i < program.inputs.size(); ++i) {
            shapes[i] = &site.inputs[program.inputs[i]].shape;
        }
        loop_ = program_loop(std::span(shapes).first(program.inputs.size()), site.outputs[0].shape);
    }

    // True where an input is one element for a whole run.
    bool repeats(std::size_t input) const { return loop_.run().steps[input] == 0; }

    // f(offsets, count) for each run, on the threads of the team.
    template <typename F>
    void for_each_run(Team& team, F&& f) const {
        const std::int64_t count = loop_.run().count;
        if (loop_.runs() == 1) {
            share(team, count, grain_, [&](std::int64_t begin, std::int64_t end) {
                Offsets at;
                for (std::size_t i = 0; i < at.size(); ++i) at[i] = begin * loop_.run().steps[i];
                f(at, end - begin);
            });
            return;
        }
        share(team, loop_.runs(), grain_ / (count + 1) + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  loop_.for_each_run(begin, end, [&](const Offsets& at) { f(at, count); });
              });
    }

private:
    std::int64_t grain_;
    ProgramLoop loop_;
};

class HalfCall final : public Call {
public:
    HalfCall(const ElementwiseKernel& kernel, const NodeProgram& program, const RowConverter& rows,
             const CallSite& site)
        : kernel_(kernel), program_(program), rows_(rows), walk_(program, site) {}

    void run(const RunArgs& args) const override {
        walk_.for_each_run(args.team, [&](const Walk::Offsets& at, std::int64_t count) {
            Blocks blocks;
            for (std::int64_t first = 0; first < count; first += kBlock) {
                one_block(args, at, first, std::min(kBlock, count - first), blocks);
            }
        });
    }

private:
    struct Blocks {
        alignas(64) float inputs[kMostInputs][kBlock];
        alignas(64) float output[kBlock];
    };

    // Elements [first, first + count) of a run.
    void one_block(const RunArgs& args, const Walk::Offsets& at, std::int64_t first,
                   std::int64_t count, Blocks& blocks) const {
        ElementwiseRun run;
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            const void* base = args.inputs[program_.inputs[i]];
            run.repeats[i] = walk_.repeats(i);
            const std::int64_t element = at[i] + (run.repeats[i] ? 0 : first);
            if (program_.program.inputs[i] == ElementKind::truth) {
                run.inputs[i] = static_cast<const std::uint8_t*>(base) + element;
                continue;
            }
            run.inputs[i] = blocks.inputs[i];
            if (run.repeats[i] && first > 0) continue;
            rows_.load(rows_.at(base, element), blocks.inputs[i], run.repeats[i] ? 1 : count);
        }
        const bool gives_truth = program_.program.output == ElementKind::truth;
        const std::int64_t element = at[kMostInputs] + first;
        void* to = args.outputs[0];
        run.output = gives_truth ? static_cast<std::uint8_t*>(to) + element
                                 : static_cast<void*>(blocks.output);
        run.count = count;
        kernel_.run(run);
        if (!gives_truth) rows_.store(blocks.output, rows_.at(to, element), count);
    }

    const ElementwiseKernel& kernel_;
    const NodeProgram& program_;
    const RowConverter& rows_;
    Walk walk_;
};

class HalfNode final : public CpuNode {
public:
    HalfNode(const Node& node, Isa isa, ElementType type, NodeProgram program)
        : CpuNode(node, std::string(node.type_name()) + "_" + kernel_suffix(isa, type),
                  "computed in f32 by blocks, rounded once"),
          program_(std::move(program)),
          rows_(isa, type),
          kernel_(shared_elementwise_kernel(isa, program_.program)) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return std::make_unique<HalfCall>(*kernel_, program_, rows_, site);
    }

private:
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

}  // namespace

std::unique_ptr<CpuNode> make_half_node(const Node& node, const CompileContext& context) {
    const auto type = half_type(node);
    if (!type) return nullptr;
    auto program = program_of(*widened_op(node));
    if (!program) return nullptr;
    return std::make_unique<HalfNode>(node, context.isa, *type, std::move(*program));
}

}  // namespace rondo::cpu
