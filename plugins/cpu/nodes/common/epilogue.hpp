// The elementwise program that follows a product or convolution, block by block.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/nodes/common/sized_program.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"

namespace rondo::cpu {

/// The program of a fused op's parts from `first` on, with its kernel: made once for a node.
struct EpilogueKernel {
    NodeProgram program;
    std::shared_ptr<const ElementwiseKernel> kernel;
};

/// What the first `parts` parts together give at that site.
TensorInfo result_of(const FusedOp& op, std::size_t parts, const CallSite& site);

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

/// A call of run(args, epilogue), which writes epilogue.result(). `facts`: without the epilogue.
template <typename Run>
std::unique_ptr<Call> make_call(std::optional<Epilogue> epilogue, Run run, CallFacts facts = {}) {
    if (epilogue) facts.scratch_bytes += epilogue->scratch_bytes();
    return make_call(
        [epilogue = std::move(epilogue), run = std::move(run)](const RunArgs& args) {
            const EpilogueRun own(epilogue ? &*epilogue : nullptr, args);
            run(args, own);
            own.finish();
        },
        std::move(facts));
}

/// The product, convolution or normalisation of a node: the op, or the first part of a FusedOp.
template <typename Product>
const Product& product_of(const Node& node) {
    const auto* fused = dynamic_cast<const FusedOp*>(&node);
    return dynamic_cast<const Product&>(fused == nullptr ? node : *fused->parts().front().op);
}

/// What follows the product, convolution or normalisation of a node: the other parts of its op.
class Epilogues {
public:
    /// `product_parts`: those of a FusedOp in front of the program, which may be empty. Other ops
    /// have none.
    Epilogues(Isa isa, const Node& node, std::size_t product_parts);

    /// make(the site of the product alone, its epilogue). The call must not outlive this.
    template <typename Make>
    std::unique_ptr<Call> prepare(const CallSite& site, Make make) const {
        if (!kernel_) return make(site, std::optional<Epilogue>());
        const TensorInfo result = result_of(*op_, product_parts_, site);
        return make(CallSite{site.inputs, {&result, 1}, site.threads},
                    std::optional<Epilogue>(std::in_place, *kernel_, site, result));
    }

private:
    const FusedOp* op_;
    std::size_t product_parts_;
    std::optional<EpilogueKernel> kernel_;
};

}  // namespace rondo::cpu
