// Writes formulas as nodes for passes: standard ops, and recurrent ops.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/builder.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// Makes the nodes of one op's formula, named "<prefix>/part", or "<prefix>/<role>".
class Formula : public ops::Builder {
public:
    Formula(Rewriter& rewriter, std::string prefix)
        : rewriter_(rewriter), prefix_(std::move(prefix)) {}

    Rewriter& rewriter() const { return rewriter_; }
    const std::string& prefix() const { return prefix_; }
    std::string name(const std::string& role) const { return prefix_ + "/" + role; }

    /// Element `index` of an axis, which stays with extent 1.
    Output element(const Output& x, std::int64_t axis, std::int64_t index) {
        return gather(x, ints({index}), axis);
    }
    /// Both shapes broadcast to each other; `shape` comes with the run.
    Output broadcast_both(const Output& x, const Output& shape);

    /// A recurrent op of that kind, with a name of its own.
    std::shared_ptr<ops::RecurrentOp> recurrent(const std::string& name, ops::CellType type,
                                                bool is_sequence,
                                                ops::RecurrentAttributes attributes,
                                                std::vector<Output> inputs);
    /// The same op with other attributes and inputs.
    std::shared_ptr<ops::RecurrentOp> recurrent_like(const ops::RecurrentOp& op,
                                                     const std::string& name,
                                                     ops::RecurrentAttributes attributes,
                                                     std::vector<Output> inputs);

private:
    void adopt(const NodePtr& node) override {
        node->validate();
        rewriter_.adopt(*node, name("part"));
    }

    Rewriter& rewriter_;
    std::string prefix_;
};

/// Puts the outputs of `made`, which does the work of `old`, in the place of those that are read,
/// and gives it the name.
void take_place(Rewriter& rewriter, Node& old, Node& made);

}  // namespace rondo::passes
