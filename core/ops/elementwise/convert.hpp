// Changes the element type of a tensor.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Input: data. Output: its elements as `destination_type`:
/// floating -> integer cuts towards zero; what doesn't fit becomes the nearest number that does,
/// and NaN becomes 0. integer -> integer keeps the lowest bits. anything -> boolean is "not 0" (so
/// NaN is true). -> floating rounds to nearest even.
class Convert : public Op<Convert> {
public:
    static constexpr OpType kType{"Convert", 1};

    Convert() = default;
    Convert(const Output& data, ElementType destination_type)
        : Op({data}), destination_type_(destination_type) {}

    ElementType destination_type() const { return destination_type_; }

    OpTraits traits() const override { return OpTraits::elementwise_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("destination_type", self.destination_type_);
    }
    void infer(InferContext& context) const override;

private:
    ElementType destination_type_ = ElementType::dynamic;
};

}  // namespace rondo::ops
