// Reductions and softmax of an elementwise program's results, which stay in the cache.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/ops/reduction/reduce.hpp"
#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/reduction/reduce.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/shown_parts.hpp"
#include "plugins/cpu/nodes/common/sized_program.hpp"
#include "plugins/cpu/nodes/reduction/makers.hpp"
#include "plugins/cpu/nodes/reduction/softmax_kernel.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kFusedBlock = 1 << 12;           // elements that are computed, then reduced
constexpr std::int64_t kLongRow = 1 << 16;              // elements that don't stay in the cache
constexpr std::int64_t kFusedReductionGrain = 1 << 13;  // elements that are worth a thread

// The program of the first parts, and rows of its results.
struct Rows {
    const ElementwiseKernel& kernel;
    const NodeProgram& program;
    Shape shape;         // of all results
    std::int64_t count;  // rows
    std::int64_t n;      // elements of a row

    std::int64_t in_block() const {
        return std::max<std::int64_t>(1, kFusedBlock / std::max<std::int64_t>(n, 1));
    }
    std::int64_t grain() const { return kFusedReductionGrain / (n + 1) + 1; }

    SizedProgram sized(const CallSite& site) const {
        std::vector<const Shape*> shapes;
        for (const std::size_t input : program.inputs) shapes.push_back(&site.inputs[input].shape);
        return {kernel, program.program, shapes, shape};
    }

    SizedProgram::Inputs inputs(const RunArgs& args) const {
        SizedProgram::Inputs inputs{};
        for (std::size_t i = 0; i < program.inputs.size(); ++i) {
            inputs[i] = args.inputs[program.inputs[i]];
        }
        return inputs;
    }
};

// Computes rows into the output and turns them into fractions, or their logarithms, there.
template <typename T>
class FusedSoftmaxCall final : public Call {
public:
    FusedSoftmaxCall(const RowKernel& kernel, Rows rows, const CallSite& site)
        : kernel_(kernel), rows_(std::move(rows)), program_(rows_.sized(site)) {}

    void run(const RunArgs& args) const override {
        const auto inputs = rows_.inputs(args);
        auto* out = static_cast<T*>(args.outputs[0]);
        share(args.team, rows_.count, rows_.grain(), [&](std::int64_t begin, std::int64_t end) {
            while (begin < end) {
                const std::int64_t some = std::min(rows_.in_block(), end - begin);
                T* to = out + begin * rows_.n;
                program_.run(inputs, to, begin * rows_.n, (begin + some) * rows_.n);
                kernel_.run(to, to, some, rows_.n);
                begin += some;
            }
        });
    }

private:
    const RowKernel& kernel_;
    Rows rows_;
    SizedProgram program_;
};

// Computes rows into scratch and reduces them there: a block at a time, or all where rows are long
// or too few for the threads.
class FusedReduceCall final : public Call {
public:
    FusedReduceCall(ops::ReduceFunction function, ElementType type, Rows rows, const CallSite& site,
                    Isa isa)
        : rows_(std::move(rows)),
          program_(rows_.sized(site)),
          bytes_(element_bytes(type)),
          slices_(std::max(1, site.threads)),
          by_blocks_(rows_.n <= kLongRow &&
                     (rows_.count >= slices_ || program_.size() <= program_.grain())),
          reduce_(function, type,
                  {{by_blocks_ ? std::min(rows_.in_block(), rows_.count) : rows_.count, rows_.n},
                   {false, true}},
                  isa) {
        slice_bytes_ = whole_lines(static_cast<std::size_t>(reduce_.size() * rows_.n * bytes_));
    }

    std::size_t scratch_bytes() const override {
        return slice_bytes_ * static_cast<std::size_t>(by_blocks_ ? slices_ : 1);
    }

    void run(const RunArgs& args) const override {
        by_blocks_ ? run_blocks(args) : run_apart(args);
    }

private:
    void run_blocks(const RunArgs& args) const {
        const auto inputs = rows_.inputs(args);
        auto* out = static_cast<std::byte*>(args.outputs[0]);
        share_slices(args.team, rows_.count, rows_.grain(),
                     [&](std::int64_t begin, std::int64_t end, int slice) {
                         void* block = static_cast<std::byte*>(args.scratch) +
                                       slice_bytes_ * static_cast<std::size_t>(slice);
                         while (begin < end) {
                             const std::int64_t some = std::min(reduce_.size(), end - begin);
                             program_.run(inputs, block, begin * rows_.n, (begin + some) * rows_.n);
                             reduce_.run(block, out + begin * bytes_, 0, some);
                             begin += some;
                         }
                     });
    }

    void run_apart(const RunArgs& args) const {
        const auto inputs = rows_.inputs(args);
        auto* values = static_cast<std::byte*>(args.scratch);
        share(args.team, program_.size(), program_.grain(),
              [&](std::int64_t begin, std::int64_t end) {
                  program_.run(inputs, values + begin * bytes_, begin, end);
              });
        share(args.team, rows_.count, rows_.grain(), [&](std::int64_t begin, std::int64_t end) {
            reduce_.run(values, args.outputs[0], begin, end);
        });
    }

    Rows rows_;
    SizedProgram program_;
    std::int64_t bytes_;  // of an element
    int slices_;
    bool by_blocks_;
    Reduce reduce_;
    std::size_t slice_bytes_ = 0;
};

// Shown as the first of its ops.
class FusedReductionNode : public CpuNode {
public:
    FusedReductionNode(const FusedReduction& op, const CompileContext& context)
        : CpuNode(op, "elementwise_" + kernel_suffix(context.isa, op.output_type(0)),
                  "computed and reduced row by row"),
          op_(op),
          program_(program_for(op)),
          kernel_(shared_elementwise_kernel(context.isa, program_.program)),
          parts_(parts_behind_first(op, kernel_name())) {}

    ShownOp shown() const override { return shown_first(op_); }
    std::span<const NodePart> parts() const override { return parts_; }

protected:
    const Node& reduction() const { return *op_.parts().back().op; }

    // `axes`: how many of the last axes make a row.
    Rows rows_of(const CallSite& site, std::size_t axes) const {
        const TensorInfo data = result_of(op_, op_.program_parts(), site);
        Rows rows{*kernel_, program_, data.shape, 1, 1};
        for (std::size_t i = 0; i < rows.shape.size(); ++i) {
            const auto extent = static_cast<std::int64_t>(rows.shape[i]);
            (i + axes < rows.shape.size() ? rows.count : rows.n) *= extent;
        }
        return rows;
    }

private:
    static NodeProgram program_for(const FusedReduction& op) {
        auto program = program_of(op, 0, op.program_parts());
        internal_check(program.has_value(), "ops were fused that make no program");
        return std::move(*program);
    }

    const FusedReduction& op_;
    NodeProgram program_;
    std::shared_ptr<const ElementwiseKernel> kernel_;
    std::vector<NodePart> parts_;
};

class FusedReduceNode final : public FusedReductionNode {
public:
    FusedReduceNode(const FusedReduction& op, const CompileContext& context)
        : FusedReductionNode(op, context),
          axes_input_(op.parts().back().sources[1].index),
          isa_(context.isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto& reduce = dynamic_cast<const ops::Reduce&>(reduction());
        const Rows all = rows_of(site, 0);
        const auto context = context_of(node(), site);
        const auto axes = context.ints(axes_input_).value();
        const auto reduced = ops::reduced_axes(context, axes, all.shape.size());
        const auto count = std::count(reduced.begin(), reduced.end(), true);
        return std::make_unique<FusedReduceCall>(reduce.function(), site.outputs[0].type,
                                                 rows_of(site, static_cast<std::size_t>(count)),
                                                 site, isa_);
    }

private:
    std::size_t axes_input_;
    Isa isa_;
};

template <typename T>
class FusedSoftmaxNode final : public FusedReductionNode {
public:
    FusedSoftmaxNode(const FusedReduction& op, const CompileContext& context)
        : FusedReductionNode(op, context),
          softmax_(make_softmax_kernel(reduction(), context.isa, kPrecision)) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return std::make_unique<FusedSoftmaxCall<T>>(*softmax_, rows_of(site, 1), site);
    }

private:
    static constexpr Precision kPrecision =
        std::is_same_v<T, double> ? Precision::f64 : Precision::f32;

    std::unique_ptr<const RowKernel> softmax_;
};

}  // namespace

std::unique_ptr<CpuNode> make_fused_reduction_node(const Node& node,
                                                   const CompileContext& context) {
    const auto& op = dynamic_cast<const FusedReduction&>(node);
    if (as_op<ops::Reduce>(*op.parts().back().op) != nullptr) {
        return std::make_unique<FusedReduceNode>(op, context);
    }
    if (node.output_type(0) == ElementType::f64) {
        return std::make_unique<FusedSoftmaxNode<double>>(op, context);
    }
    return std::make_unique<FusedSoftmaxNode<float>>(op, context);
}

}  // namespace rondo::cpu
