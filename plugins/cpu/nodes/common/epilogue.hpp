// The elementwise program that follows a product or convolution, block by block.
#pragma once

#include <memory>

#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/nodes/common/sized_program.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"

namespace rondo::cpu {

/// The program of a fused op's parts from `first` on, with its kernel: made once for a node.
struct EpilogueKernel {
    NodeProgram program;
    std::shared_ptr<const ElementwiseKernel> kernel;
};
EpilogueKernel make_epilogue_kernel(Isa isa, const FusedOp& op, std::size_t first);

/// An epilogue bound to sizes. Immutable.
class Epilogue {
public:
    /// `made` must outlive this; `result`: what the product gives, in its type and shape.
    Epilogue(const EpilogueKernel& made, const CallSite& site, const TensorInfo& result);

    /// Holds the product's result where the output can't: truth values, or another shape.
    std::size_t scratch_bytes() const { return scratch_bytes_; }

private:
    friend class EpilogueRun;

    SizedProgram sized_;
    const NodeProgram& program_;
    std::size_t scratch_bytes_ = 0;
    bool by_blocks_;  // false where the result is broadcast, which needs all of it
};

/// One run of a call that may have an epilogue.
class EpilogueRun {
public:
    /// `epilogue`: null where there is none.
    EpilogueRun(const Epilogue* epilogue, const RunArgs& args);

    /// Where the call writes its result, and the scratch that is left to it.
    void* result() const { return result_; }
    void* scratch() const { return scratch_; }

    /// True if block() is to be called.
    bool by_blocks() const { return epilogue_ != nullptr && epilogue_->by_blocks_; }
    /// Elements of a block that are worth a thread.
    double grain() const { return static_cast<double>(epilogue_->sized_.grain()); }
    /// After elements [begin, end) of the result were written, on the same thread: each is in one
    /// such block.
    void block(std::int64_t begin, std::int64_t end) const;
    /// After all of the result was written.
    void finish() const;

private:
    const Epilogue* epilogue_;
    const RunArgs& args_;
    void* result_;
    void* scratch_;
    SizedProgram::Inputs inputs_{};
};

}  // namespace rondo::cpu
