// Runs one of two graphs.
#pragma once

#include "core/ops/control/body_op.hpp"

namespace rondo::ops {

/// Input 0: the condition, one boolean; the others are for the branches. Body 0 is the branch for a
/// true condition, body 1 the one for a false one. Outputs: what the branch gives that ran; the
/// branches agree in their types, not necessarily in their shapes.
class If final : public Op<If, BodyOp> {
public:
    static constexpr OpType kType{"If", 8};
    static constexpr std::size_t kThen = 0;
    static constexpr std::size_t kElse = 1;
    using Op::Op;

    std::vector<std::string> body_names() const override { return {"then_body", "else_body"}; }
    void infer(InferContext& context) const override;

protected:
    bool may_run(const InferContext& context, std::size_t body) const override;
    std::vector<InferInput> body_inputs(const InferContext& context,
                                        std::size_t body) const override;

private:
    void check_branch(const InferContext& context, std::size_t branch) const;
    void infer_branch(InferContext& context, std::size_t branch) const;
};

}  // namespace rondo::ops
