// SoftMax, both forms of the IR, and LogSoftmax: lines along any axis; reductions and softmax of an
// elementwise program's results, which stay in the cache.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/ops/reduction/reduction_ops.hpp"
#include "core/support/errors.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/reduction/reduce.hpp"
#include "plugins/cpu/kernels/reduction/softmax.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/epilogue.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/sized_program.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kSoftmaxGrain = 1 << 13;         // elements that are worth a thread
constexpr std::int64_t kFusedBlock = 1 << 12;           // elements that are computed, then reduced
constexpr std::int64_t kLongRow = 1 << 16;              // elements that don't stay in the cache
constexpr std::int64_t kFusedReductionGrain = 1 << 13;  // elements that are worth a thread

bool is_log_softmax(const Node& node) { return as_op<ops::LogSoftmax>(node) != nullptr; }

// For rows of that precision; `node` is a SoftMax or LogSoftmax.
std::shared_ptr<const RowKernel> make_softmax_kernel(const Node& node, Isa isa,
                                                     Precision precision) {
    const auto kernel = [&](const ElementwiseProgram& program) {
        return shared_elementwise_kernel(isa, program);
    };
    if (is_log_softmax(node)) {
        return std::make_shared<LogSoftmaxKernel>(kernel(SoftmaxKernel::exponential(precision)),
                                                  kernel(LogSoftmaxKernel::logarithm(precision)),
                                                  kernel(LogSoftmaxKernel::difference(precision)));
    }
    return std::make_shared<SoftmaxKernel>(kernel(SoftmaxKernel::exponential(precision)),
                                           kernel(SoftmaxKernel::quotient(precision)));
}

template <typename T>
std::unique_ptr<Call> make_softmax_call(const RowKernel& kernel, const ops::SoftmaxBase& op,
                                        const CallSite& site) {
    Shape shape = site.inputs[0].shape;
    if (shape.empty()) shape = {1};
    const std::size_t axis = normalize_axis(context_of(op, site), op.axis(), shape.size());
    const auto n = static_cast<std::int64_t>(shape[axis]);
    // [lines / inner, n, inner].
    const SoftmaxLines<T> lines(kernel, n, extents_product(shape, axis + 1, shape.size()));
    const SliceScratch scratch(static_cast<std::size_t>(lines.scratch_elements()) * sizeof(T),
                               site.threads);
    const auto run = [lines, scratch, n, count = count_of(shape) / n](const RunArgs& args) {
        const auto* from = static_cast<const T*>(args.inputs[0]);
        auto* to = static_cast<T*>(args.outputs[0]);
        scratch.share(args.team, count, kSoftmaxGrain / n + 1, args.scratch,
                      [&](std::int64_t begin, std::int64_t end, std::byte* memory) {
                          lines.run(from, to, begin, end, reinterpret_cast<T*>(memory));
                      });
    };
    return make_call(run, {scratch.bytes()});
}

// The program of the first parts, and rows of its results.
struct ProgramRows {
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
        return {kernel, program.program, program_shapes(program, site), shape};
    }
};

// Computes rows into the output and turns them into fractions, or their logarithms, there.
template <typename T>
std::unique_ptr<Call> make_fused_softmax(const RowKernel& kernel, const ProgramRows& rows,
                                         const CallSite& site) {
    return make_call([&kernel, rows, program = rows.sized(site)](const RunArgs& args) {
        const auto inputs = program_inputs(rows.program, args);
        auto* out = static_cast<T*>(args.outputs[0]);
        share(args.team, rows.count, rows.grain(), [&](std::int64_t begin, std::int64_t end) {
            while (begin < end) {
                const std::int64_t some = std::min(rows.in_block(), end - begin);
                T* to = out + begin * rows.n;
                program.run(inputs, to, begin * rows.n, (begin + some) * rows.n);
                kernel.run(to, to, some, rows.n);
                begin += some;
            }
        });
    });
}

// Computes rows into scratch and reduces them there: a block at a time, or all where rows are long
// or too few for the threads.
std::unique_ptr<Call> make_fused_reduce(ops::ReduceFunction function, const ProgramRows& rows,
                                        const CallSite& site, Isa isa) {
    const SizedProgram program = rows.sized(site);
    const ElementType type = site.outputs[0].type;
    const std::int64_t bytes = element_bytes(type);  // of an element
    const int slices = std::max(1, site.threads);
    const bool by_blocks =
        rows.n <= kLongRow && (rows.count >= slices || program.size() <= program.grain());
    const std::int64_t at_once = by_blocks ? std::min(rows.in_block(), rows.count) : rows.count;
    const Reduce reduce(function, type, {{at_once, rows.n}, {false, true}}, isa);
    const SliceScratch scratch(static_cast<std::size_t>(reduce.size() * rows.n * bytes),
                               by_blocks ? slices : 1);
    if (by_blocks) {
        const auto run = [rows, program, bytes, reduce, scratch](const RunArgs& args) {
            const auto inputs = program_inputs(rows.program, args);
            auto* out = static_cast<std::byte*>(args.outputs[0]);
            scratch.share(args.team, rows.count, rows.grain(), args.scratch,
                          [&](std::int64_t begin, std::int64_t end, std::byte* block) {
                              while (begin < end) {
                                  const std::int64_t some = std::min(reduce.size(), end - begin);
                                  program.run(inputs, block, begin * rows.n,
                                              (begin + some) * rows.n);
                                  reduce.run(block, out + begin * bytes, 0, some);
                                  begin += some;
                              }
                          });
        };
        return make_call(run, {scratch.bytes()});
    }
    const auto run = [rows, program, bytes, reduce](const RunArgs& args) {
        const auto inputs = program_inputs(rows.program, args);
        auto* values = static_cast<std::byte*>(args.scratch);
        share(args.team, program.size(), program.grain(),
              [&](std::int64_t begin, std::int64_t end) {
                  program.run(inputs, values + begin * bytes, begin, end);
              });
        share(args.team, rows.count, rows.grain(), [&](std::int64_t begin, std::int64_t end) {
            reduce.run(values, args.outputs[0], begin, end);
        });
    };
    return make_call(run, {scratch.bytes()});
}

// Shown as the first of its ops.
class FusedReductionNode final : public CpuNode {
public:
    FusedReductionNode(const FusedReduction& op, const CompileContext& context)
        : CpuNode(op, "elementwise_" + kernel_suffix(context.isa, op.output_type(0)),
                  "computed and reduced row by row"),
          op_(op),
          isa_(context.isa),
          reduce_(as_op<ops::Reduce>(*op.parts().back().op)),
          program_(program_for(op)),
          kernel_(shared_elementwise_kernel(context.isa, program_.program)) {
        show_parts();
        if (reduce_ != nullptr) return;
        softmax_ = make_softmax_kernel(*op.parts().back().op, isa_, program_.program.precision);
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const Shape shape = result_of(op_, op_.program_parts(), site).shape;
        if (reduce_ == nullptr) {
            const bool is_double = site.outputs[0].type == ElementType::f64;
            return (is_double ? make_fused_softmax<double>
                              : make_fused_softmax<float>)(*softmax_, rows_of(shape, 1), site);
        }
        const auto context = context_of(node(), site);
        const auto axes = context.ints(op_.parts().back().sources[1].index).value();
        const auto reduced = ops::reduced_axes(context, axes, shape.size());
        const auto count = std::count(reduced.begin(), reduced.end(), true);
        return make_fused_reduce(reduce_->function(),
                                 rows_of(shape, static_cast<std::size_t>(count)), site, isa_);
    }

private:
    static NodeProgram program_for(const FusedReduction& op) {
        auto program = program_of(op, 0, op.program_parts());
        internal_check(program.has_value(), "ops were fused that make no program");
        return std::move(*program);
    }

    // `axes`: how many of the last axes make a row.
    ProgramRows rows_of(const Shape& shape, std::size_t axes) const {
        const std::size_t kept = shape.size() - axes;
        return {*kernel_, program_, shape, extents_product(shape, 0, kept),
                extents_product(shape, kept, shape.size())};
    }

    const FusedReduction& op_;
    Isa isa_;
    const ops::Reduce* reduce_;  // null where it is a softmax
    NodeProgram program_;
    std::shared_ptr<const ElementwiseKernel> kernel_;
    std::shared_ptr<const RowKernel> softmax_;
};

}  // namespace

std::unique_ptr<CpuNode> make_softmax_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const ops::SoftmaxBase&>(node);
    const std::string suffix = kernel_suffix(context.isa, node.output_type(0));
    return make_function_node(
        node,
        {(is_log_softmax(node) ? "log_softmax_" : "softmax_") + suffix, "lines in one pass each"},
        [&op, isa = context.isa, floats = make_softmax_kernel(op, context.isa, Precision::f32),
         doubles = make_softmax_kernel(op, context.isa, Precision::f64)](const CallSite& site) {
            if (element_count(site.inputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
            return make_floating_call(site, isa, [&](auto tag, const CallSite& own) {
                using T = tag_type<decltype(tag)>;
                const auto& kernel = std::is_same_v<T, double> ? doubles : floats;
                return make_softmax_call<T>(*kernel, op, own);
            });
        });
}

std::unique_ptr<CpuNode> make_fused_reduction_node(const Node& node,
                                                   const CompileContext& context) {
    return std::make_unique<FusedReductionNode>(dynamic_cast<const FusedReduction&>(node), context);
}

}  // namespace rondo::cpu
