// Numbers at equal distances.
#pragma once

#include "core/graph/node.hpp"
#include "core/ops/source/range_numbers.hpp"

namespace rondo::ops {

/// Inputs: start, stop, step: one number each, of any types but boolean. Output: the vector start,
/// start + step, start + 2 * step, ... up to stop, without it, as `output_type`: floating numbers
/// are computed in double and rounded once, integers wrap. An integer output needs integer inputs.
class Range final : public Op<Range> {
public:
    static constexpr OpType kType{"Range", 4};

    Range() = default;
    Range(const Output& start, const Output& stop, const Output& step, ElementType output_type)
        : Op({start, stop, step}), output_type_(output_type) {}

    ElementType output_type() const { return output_type_; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("output_type", self.output_type_);
    }
    void infer(InferContext& context) const override;

private:
    ElementType output_type_ = ElementType::f32;
};

/// The element types of start, stop and step.
struct RangeTypes {
    ElementType start;
    ElementType stop;
    ElementType step;
};

/// The numbers at the three places of memory.
RangeNumbers range_numbers(const RangeTypes& types, const void* start, const void* stop,
                           const void* step);

}  // namespace rondo::ops
