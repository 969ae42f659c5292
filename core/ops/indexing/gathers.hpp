// Takes single elements, or slices, of a tensor by their places.
#pragma once

#include <cstdint>
#include <optional>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: data; indices, integers of the same rank, nowhere larger than data except along `axis`.
/// Output, of the shape of indices: at each index of it the element of data there, except that the
/// place along the axis is the one that indices hold. Places below 0 count from the end; evaluating
/// one out of range is an error.
class GatherElements final : public Op<GatherElements> {
public:
    static constexpr OpType kType{"GatherElements", 6};

    GatherElements() = default;
    GatherElements(const Output& data, const Output& indices, std::int64_t axis)
        : Op({data, indices}), axis_(axis) {}

    std::int64_t axis() const { return axis_; }

    OpTraits traits() const override {
        return {.moves_elements = true, .data_inputs = 1, .inputs_with_axes = 2};
    }
    const std::int64_t* axis_attribute() const override { return &axis_; }
    static void visit_attributes(auto& self, auto& visitor) { visitor.on("axis", self.axis_); }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t axis_ = 0;
};

/// Inputs: data [B.., D.., E..]; indices [B.., J.., K], integers: in their last axis the K places
/// of a slice along the axes D... The first `batch_dims` axes B.. are common to both. Output [B..,
/// J.., E..]. Places below 0 count from the end; evaluating one out of range is an error.
class GatherND final : public Op<GatherND> {
public:
    static constexpr OpType kType{"GatherND", 8};

    GatherND() = default;
    GatherND(const Output& data, const Output& indices, std::int64_t batch_dims = 0)
        : Op({data, indices}), batch_dims_(batch_dims) {}

    std::int64_t batch_dims() const { return batch_dims_; }

    OpTraits traits() const override { return OpTraits::movement_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("batch_dims", self.batch_dims_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t batch_dims_ = 0;
};

}  // namespace rondo::ops
