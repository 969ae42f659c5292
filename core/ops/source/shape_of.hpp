// The shape of a tensor, as a tensor.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Input: data. Output [rank]: its extents, of `output_type` (i64 or i32).
/// Where data's shape is fully known the output is a known value, so that inference sees through.
class ShapeOf final : public Op<ShapeOf> {
public:
    static constexpr OpType kType{"ShapeOf", 3};
    /// The older form, always i64: reading one makes this op.
    static constexpr OpType kOpset1{"ShapeOf", 1};

    ShapeOf() = default;
    explicit ShapeOf(const Output& data, ElementType output_type = ElementType::i64)
        : Op({data}), output_type_(output_type) {}

    ElementType output_type() const { return output_type_; }

    Tensor known_value(std::size_t output) const override;
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    OpTraits traits() const override {
        return {.reads_shapes_only = true, .takes_narrow_types = true};
    }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("output_type", self.output_type_);
    }
    void infer(InferContext& context) const override;

private:
    ElementType output_type_ = ElementType::i64;
};

/// The extents as a vector of `type` (i64 or i32), which must hold them.
Tensor shape_tensor(const Shape& shape, ElementType type);

}  // namespace rondo::ops
