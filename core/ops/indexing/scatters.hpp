// Writes single elements, or slices, into a copy of a tensor by their places.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/graph/node.hpp"
#include "core/ops/indexing/functions.hpp"
#include "rondo/element_type.hpp"

namespace rondo {

class InferContext;

}  // namespace rondo

namespace rondo::ops {

/// Throws UnsupportedError through `context` unless the reduction takes elements of that type.
void check_reduction(const InferContext& context, ScatterReduction reduction, ElementType type);

inline constexpr std::pair<std::string_view, ScatterReduction> kElementReductions[] = {
    {"none", ScatterReduction::none}, {"sum", ScatterReduction::sum},
    {"prod", ScatterReduction::prod}, {"min", ScatterReduction::min},
    {"max", ScatterReduction::max},   {"mean", ScatterReduction::mean},
};

/// Inputs: data; indices, integers of the same rank, nowhere larger than data except along the
/// axis; updates, of data's type and the shape of indices; axis, one integer. Output: data, in
/// which each update meets the element at its own index, except that the place along the axis is
/// the one that indices hold. Without `use_init_val` the elements that updates meet don't count.
/// Places below 0 count from the end; evaluating one out of range is an error.
class ScatterElementsUpdate final : public Op<ScatterElementsUpdate> {
public:
    static constexpr OpType kType{"ScatterElementsUpdate", 12};
    /// The older form, without attributes: reading one makes this op.
    static constexpr OpType kOpset3{"ScatterElementsUpdate", 3};

    ScatterElementsUpdate() = default;
    /// Inputs in their order.
    ScatterElementsUpdate(std::vector<Output> inputs, ScatterReduction reduction)
        : Op(std::move(inputs)), reduction_(reduction) {}

    ScatterReduction reduction() const { return reduction_; }
    bool use_init_val() const { return use_init_val_; }

    OpTraits traits() const override { return {.axes_input = 3, .inputs_with_axes = 3}; }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on_enum("reduction", self.reduction_, kElementReductions);
        visitor.on("use_init_val", self.use_init_val_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    ScatterReduction reduction_ = ScatterReduction::none;
    bool use_init_val_ = true;
};

inline constexpr std::pair<std::string_view, ScatterReduction> kSliceReductions[] = {
    {"none", ScatterReduction::none}, {"sum", ScatterReduction::sum},
    {"sub", ScatterReduction::sub},   {"prod", ScatterReduction::prod},
    {"min", ScatterReduction::min},   {"max", ScatterReduction::max},
};

/// Inputs: data [D.., E..]; indices [J.., K], integers: in their last axis the K places of a slice
/// along the axes D..; updates [J.., E..] of data's type. Output: data, in which each update meets
/// its slice. Places below 0 count from the end; evaluating one out of range is an error.
class ScatterNDUpdate final : public Op<ScatterNDUpdate> {
public:
    static constexpr OpType kType{"ScatterNDUpdate", 15};
    /// The older form, without attributes: reading one makes this op.
    static constexpr OpType kOpset3{"ScatterNDUpdate", 3};

    ScatterNDUpdate() = default;
    /// Inputs in their order.
    ScatterNDUpdate(std::vector<Output> inputs, ScatterReduction reduction)
        : Op(std::move(inputs)), reduction_(reduction) {}

    ScatterReduction reduction() const { return reduction_; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on_enum("reduction", self.reduction_, kSliceReductions);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    ScatterReduction reduction_ = ScatterReduction::none;
};

}  // namespace rondo::ops
