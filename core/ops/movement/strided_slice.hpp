// Takes a part of a tensor with TensorFlow's masks, which also insert and remove axes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/movement/slice_range.hpp"

namespace rondo::ops {

/// A flag for each element of begin; missing ones are 0, those past its end are not looked at.
struct StridedSliceMasks {
    std::vector<std::int64_t> begin{};        ///< 1: from the first element on (or the last)
    std::vector<std::int64_t> end{};          ///< 1: to the last element (or the first)
    std::vector<std::int64_t> new_axis{};     ///< 1: insert an axis of extent 1
    std::vector<std::int64_t> shrink_axis{};  ///< 1: take element begin and remove the axis
    std::vector<std::int64_t> ellipsis{};     ///< 1: as many whole axes as are left (once only)
};

/// Inputs: data; begin, end, integer vectors of equal length; strides, likewise (optional: all 1).
/// Each element cuts an axis of data in turn, or does what a mask says; ellipsis goes before
/// new_axis, and that before shrink_axis. A removed axis gives element begin, or 0 where begin is
/// masked, whatever the sign of its stride. Axes past the last element stay whole.
class StridedSlice final : public Op<StridedSlice> {
public:
    static constexpr OpType kType{"StridedSlice", 1};

    StridedSlice() = default;
    StridedSlice(std::vector<Output> inputs, StridedSliceMasks masks)
        : Op(std::move(inputs)), masks_(std::move(masks)) {}
    StridedSlice(const Output& data, const Output& begin, const Output& end, const Output& strides,
                 StridedSliceMasks masks)
        : StridedSlice({data, begin, end, strides}, std::move(masks)) {}

    const StridedSliceMasks& masks() const { return masks_; }

    OpTraits traits() const override { return OpTraits::movement_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("begin_mask", self.masks_.begin);
        visitor.on("end_mask", self.masks_.end);
        visitor.on("new_axis_mask", self.masks_.new_axis);
        visitor.on("shrink_axis_mask", self.masks_.shrink_axis);
        visitor.on("ellipsis_mask", self.masks_.ellipsis);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    StridedSliceMasks masks_;
};

/// What becomes of one axis: cut, removed after taking one element, or new in the output.
struct StridedSlicePart {
    enum class Kind : std::uint8_t { cut, shrink, new_axis };
    Kind kind = Kind::cut;
    SliceRequest request;  ///< for a removed axis the element is start; not known if empty
};

/// The parts in the output's order; those that aren't new take the axes of data, whose rank must be
/// known, in turn. Nothing while the number of elements isn't known. Throws through `context` for
/// inputs that don't fit data or each other, a stride of 0 or a removed element out of range.
std::optional<std::vector<StridedSlicePart>> strided_slice_parts(const InferContext& context,
                                                                 const StridedSliceMasks& masks);

}  // namespace rondo::ops
