#include "transformations/pass/remade_loop.hpp"

#include "core/ops/control/control_ops.hpp"

namespace rondo::passes {
namespace {

std::shared_ptr<ops::IteratedOp> same_kind(Rewriter& rewriter, const ops::IteratedOp& op,
                                           const std::string& name, LoopParts parts) {
    if (as_op<ops::Loop>(op) == nullptr) {
        return rewriter.make<ops::TensorIterator>(name, std::move(parts.inputs),
                                                  std::move(parts.body), std::move(parts.ports));
    }
    return rewriter.make<ops::Loop>(name, std::move(parts.inputs), std::move(parts.body),
                                    std::move(parts.ports), parts.special);
}

}  // namespace

std::shared_ptr<ops::IteratedOp> remade_loop(Rewriter& rewriter, const ops::IteratedOp& op,
                                             const std::string& name, LoopParts parts) {
    auto made = same_kind(rewriter, op, name, std::move(parts));
    made->set_most_iterations(op.most_iterations());
    return made;
}

}  // namespace rondo::passes
