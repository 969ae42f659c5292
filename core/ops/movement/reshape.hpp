// The same elements, or the same bytes, under another shape.
#pragma once

#include <optional>

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

/// Input: data of any type except boolean, whose byte may hold more than 0 and 1. Output: its bytes
/// as elements of `output_type`, another such type of the same size.
class BitCast final : public Op<BitCast> {
public:
    static constexpr OpType kType{"BitCast", 0};

    BitCast() = default;
    BitCast(const Output& data, ElementType output_type) : Op({data}), output_type_(output_type) {}

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("output_type", self.output_type_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    ElementType output_type_ = ElementType::f32;
};

}  // namespace rondo::ops
