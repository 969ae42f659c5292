// Puts elements before and behind those of a tensor along each axis, or takes some away.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/movement/pad_range.hpp"

namespace rondo::ops {

inline constexpr std::pair<std::string_view, PadMode> kPadModes[] = {
    {"constant", PadMode::constant},   {"edge", PadMode::edge}, {"reflect", PadMode::reflect},
    {"symmetric", PadMode::symmetric}, {"wrap", PadMode::wrap},
};

/// Inputs: data; pads_begin, pads_end, integer vectors with a number for each axis of data, which
/// may be below 0; pad_value, a scalar of data's type (optional: 0; only the constant mode reads
/// it). Output: each axis has extent + begin + end places. The modes other than constant need an
/// element to repeat along each axis that has places. The mode wrap is rondo1's.
class Pad final : public Op<Pad> {
public:
    static constexpr OpType kType{"Pad", 12};
    static constexpr OpType kRondoType{"Pad", 0};
    /// The older form, whose pads are 0 or more: reading one makes this op.
    static constexpr OpType kOpset1{"Pad", 1};

    Pad() = default;
    Pad(std::vector<Output> inputs, PadMode mode) : Op(std::move(inputs)), mode_(mode) {}

    PadMode mode() const { return mode_; }

    const OpType& op_type() const override { return mode_ == PadMode::wrap ? kRondoType : kType; }
    OpTraits traits() const override {
        return mode_ == PadMode::constant ? OpTraits{.data_inputs = 1} : OpTraits::movement_op();
    }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on_enum("pad_mode", self.mode_, kPadModes);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    PadMode mode_ = PadMode::constant;
};

/// Each axis of the output for data of a known shape; nothing while the pads aren't known. Throws
/// through `context` for inputs that don't fit.
std::optional<std::vector<PadRange>> pad_ranges(const InferContext& context, PadMode mode);

}  // namespace rondo::ops
