// Writes formulas as nodes for passes: standard elementwise ops, products and views.
#pragma once

#include <string>
#include <utility>

#include "core/ops/builder.hpp"
#include "core/ops/recurrent/functions.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// Makes the nodes of one op's formula, named "<prefix>/part", or "<prefix>/<role>".
class Formula : public ops::Builder {
public:
    Formula(Rewriter& rewriter, std::string prefix)
        : rewriter_(rewriter), prefix_(std::move(prefix)) {}

    Rewriter& rewriter() const { return rewriter_; }
    std::string name(const std::string& role) const { return prefix_ + "/" + role; }

private:
    void adopt(const NodePtr& node) override {
        node->validate();
        rewriter_.adopt(*node, name("part"));
    }

    Rewriter& rewriter_;
    std::string prefix_;
};

// Writes an activation function of a recurrent op as standard elementwise ops.

/// function(x), for x of f32 or f64.
Output lower_activation(Formula& by, const ops::ActivationFunction& function, const Output& x);

}  // namespace rondo::passes
