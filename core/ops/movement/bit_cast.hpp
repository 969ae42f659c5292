// The same bytes as elements of another type.
#pragma once

#include <optional>

#include "core/graph/node.hpp"

namespace rondo::ops {

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
