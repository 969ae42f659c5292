// Writes slices into a copy of a tensor by the places of their first axes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/graph/node.hpp"
#include "core/ops/indexing/functions.hpp"

namespace rondo::ops {

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
