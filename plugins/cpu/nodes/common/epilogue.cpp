#include "plugins/cpu/nodes/common/epilogue.hpp"

#include <utility>

#include "core/support/errors.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"

namespace rondo::cpu {
TensorInfo result_of(const FusedOp& op, std::size_t parts, const CallSite& site) {
    const InferOutput last = op.infer_parts(context_of(op, site))[parts - 1];
    return {last.type, last.shape.to_shape(), {}, true};
}

Epilogues::Epilogues(Isa isa, const Node& node, std::size_t product_parts)
    : op_(dynamic_cast<const FusedOp*>(&node)), product_parts_(product_parts) {
    if (op_ == nullptr || op_->parts().size() == product_parts) return;
    auto program = program_of(*op_, product_parts, op_->parts().size());
    internal_check(program.has_value(), "ops were fused that make no program");
    auto kernel = shared_elementwise_kernel(isa, program->program);
    kernel_ = EpilogueKernel{std::move(*program), std::move(kernel)};
}

Epilogue::Epilogue(const EpilogueKernel& made, const CallSite& site, const TensorInfo& result)
    : sized_(*made.kernel, made.program.program, program_shapes(made.program, site, &result.shape),
             site.outputs[0].shape),
      program_(made.program),
      by_blocks_(result.shape == site.outputs[0].shape) {
    if (by_blocks_ && program_.program.output == ElementKind::number) return;
    scratch_bytes_ =
        whole_lines(static_cast<std::size_t>(count_of(result.shape) * element_bytes(result.type)));
}

EpilogueRun::EpilogueRun(const Epilogue* epilogue, const RunArgs& args)
    : epilogue_(epilogue), args_(args), result_(args.outputs[0]), scratch_(args.scratch) {
    if (epilogue == nullptr) return;
    if (epilogue->scratch_bytes_ > 0) {
        result_ = args.scratch;
        scratch_ = static_cast<std::byte*>(args.scratch) + epilogue->scratch_bytes_;
    }
    const auto& inputs = epilogue->program_.inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inputs_[i] = inputs[i] < args.inputs.size() ? args.inputs[inputs[i]] : result_;
    }
}

void EpilogueRun::block(std::int64_t begin, std::int64_t end) const {
    const SizedProgram& sized = epilogue_->sized_;
    auto* to = static_cast<std::byte*>(args_.outputs[0]) + begin * sized.output_bytes();
    sized.run(inputs_, to, begin, end);
}

void EpilogueRun::finish() const {
    if (epilogue_ == nullptr || by_blocks()) return;
    share(args_.team, epilogue_->sized_.size(), epilogue_->sized_.grain(),
          [&](std::int64_t begin, std::int64_t end) { block(begin, end); });
}

}  // namespace rondo::cpu
