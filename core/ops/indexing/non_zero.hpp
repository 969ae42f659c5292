// The places of the elements that aren't 0.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Input: data of any type. Output [rank, count]: a column for each element that isn't 0 (or
/// false), in row-major order: its place along each axis, as `output_type` (i64 or i32). NaN isn't
/// 0.
class NonZero final : public Op<NonZero> {
public:
    static constexpr OpType kType{"NonZero", 3};

    NonZero() = default;
    explicit NonZero(const Output& data, ElementType output_type = ElementType::i64)
        : Op({data}), output_type_(output_type) {}

    ElementType output_type() const { return output_type_; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("output_type", self.output_type_);
    }
    void infer(InferContext& context) const override;

private:
    ElementType output_type_ = ElementType::i64;
};

/// Whether each element of a contiguous tensor is something else than 0.
std::vector<bool> are_non_zero(const Tensor& data);

}  // namespace rondo::ops
