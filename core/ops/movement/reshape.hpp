// Gives the elements of a tensor another shape.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: data; pattern, an integer vector: the new extents, of which one may be -1 (what is left)
/// and, with `special_zero`, any may be 0 (the extent of data at the same place).
/// Output: the elements of data in the same order.
class Reshape final : public Op<Reshape> {
public:
    static constexpr OpType kType{"Reshape", 1};

    Reshape() = default;
    Reshape(const Output& data, const Output& pattern, bool special_zero = false)
        : Op({data, pattern}), special_zero_(special_zero) {}

    bool special_zero() const { return special_zero_; }

    OpTraits traits() const override { return OpTraits::view_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("special_zero", self.special_zero_);
    }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;

private:
    bool special_zero_ = false;
};

}  // namespace rondo::ops
