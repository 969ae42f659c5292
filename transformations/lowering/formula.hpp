// Writes formulas as nodes for passes: standard elementwise ops, products and views.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/elementwise/functions.hpp"
#include "core/ops/recurrent/functions.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// Makes the nodes of one op's formula, named "<prefix>/<role>".
class Formula {
public:
    Formula(Rewriter& rewriter, std::string prefix)
        : rewriter_(rewriter), prefix_(std::move(prefix)) {}

    Rewriter& rewriter() const { return rewriter_; }
    std::string name(const std::string& role) const { return prefix_ + "/" + role; }

    template <typename T, typename... Args>
    Output make(const std::string& role, Args&&... args) const {
        return rewriter_.make<T>(name(role), std::forward<Args>(args)...);
    }

    /// A scalar of the type that `like` has: f32, f64 or i32.
    Output number(double value, const Output& like) const;
    /// An i64 scalar.
    Output integer(std::int64_t value) const;
    Output ints(const std::vector<std::int64_t>& values) const;
    /// Unchanged where it has the type already.
    Output converted(const Output& value, ElementType type) const;
    Output apply(ops::UnaryFunction function, const Output& x) const;
    Output binary(ops::BinaryFunction function, const Output& a, const Output& b) const;
    Output add(const Output& a, const Output& b) const;
    Output multiply(const Output& a, const Output& b) const;
    Output compare(ops::CompareFunction function, const Output& a, const Output& b) const;
    Output select(const Output& condition, const Output& yes, const Output& no) const;
    /// a times the transposed b.
    Output product(const Output& a, const Output& b) const;
    Output squeeze(const Output& value, std::int64_t axis) const;
    Output unsqueeze(const Output& value, std::int64_t axis) const;
    /// Equal parts along an axis.
    std::vector<Output> split(const Output& value, std::int64_t axis, std::int64_t parts) const;
    Output concat(const std::vector<Output>& parts, std::int64_t axis) const;

private:
    Rewriter& rewriter_;
    std::string prefix_;
};

// Writes an activation function of a recurrent op as standard elementwise ops.

/// function(x), for x of f32 or f64.
Output lower_activation(const Formula& by, const ops::ActivationFunction& function,
                        const Output& x);

}  // namespace rondo::passes
