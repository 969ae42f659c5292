// Takes elements of a tensor at points between them, which another tensor names.
#pragma once

#include <optional>
#include <utility>

#include "core/graph/node.hpp"
#include "core/ops/window/grid_taps.hpp"

namespace rondo::ops {

/// Inputs: data [N, C, spatial...], of a floating type, or of any with the mode nearest; grid
/// [N, points..., S] of a floating type, where S is the number of spatial axes and points... are as
/// many extents: a point's place on the last axis stands first. Output [N, C, points...]. One and
/// three spatial axes are rondo1's.
class GridSample final : public Op<GridSample> {
public:
    static constexpr OpType kType{"GridSample", 9};
    static constexpr OpType kRondoType{"GridSample", 0};
    static constexpr std::size_t kMaxSpatial = 3;

    GridSample() = default;
    GridSample(const Output& data, const Output& grid, const GridRule& rule)
        : Op({data, grid}), rule_(rule) {}

    /// With is_f64 as the grid's type says.
    GridRule rule() const;

    const OpType& op_type() const override;
    OpTraits traits() const override {
        return rule_.mode == GridMode::nearest ? OpTraits{.data_inputs = 1} : OpTraits{};
    }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("align_corners", self.rule_.align_corners);
        visitor.on_enum("mode", self.rule_.mode, kGridModes);
        visitor.on_enum("padding_mode", self.rule_.padding, kGridPaddings);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    GridRule rule_;
};

}  // namespace rondo::ops
