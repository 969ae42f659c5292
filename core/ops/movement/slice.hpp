// Takes a part of a tensor along some of its axes.
#pragma once

#include <optional>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/movement/slice_range.hpp"

namespace rondo::ops {

/// Inputs: data; start, stop, step, integer vectors of equal length; axes, one for each of them
/// (optional: the first axes in order). Output: data[start:stop:step] along those axes, clamped as
/// in Python; steps may be negative.
class Slice final : public Op<Slice> {
public:
    static constexpr OpType kType{"Slice", 8};

    Slice() = default;
    Slice(const Output& data, const Output& start, const Output& stop, const Output& step)
        : Op({data, start, stop, step}) {}
    Slice(const Output& data, const Output& start, const Output& stop, const Output& step,
          const Output& axes)
        : Op({data, start, stop, step, axes}) {}

    OpTraits traits() const override {
        return {.moves_elements = true, .data_inputs = 1, .axes_input = 4};
    }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

/// What a Slice asks of each axis of data, whose rank must be known; nothing where the axes aren't
/// known. Throws through `context` for inputs that don't fit each other or a step of 0.
std::optional<std::vector<SliceRequest>> slice_requests(const InferContext& context);

}  // namespace rondo::ops
