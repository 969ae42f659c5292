// Changes the element type of a tensor.
#pragma once

#include "core/graph/node.hpp"
#include "core/support/narrow_type.hpp"

namespace rondo::ops {

/// Input: data. Output: its elements as `destination_type`:
/// floating -> integer cuts towards zero; what doesn't fit becomes the nearest number that does,
/// and NaN becomes 0. integer -> integer keeps the lowest bits. anything -> boolean is "not 0" (so
/// NaN is true). -> floating rounds to nearest even. -> narrow types: see NarrowRounding; another
/// way than OpenVINO's is an attribute of Rondo's own.
class Convert : public Op<Convert> {
public:
    static constexpr OpType kType{"Convert", 1};

    Convert() = default;
    Convert(const Output& data, ElementType destination_type, NarrowRounding rounding = {})
        : Op({data}), destination_type_(destination_type), rounding_(rounding) {}

    ElementType destination_type() const { return destination_type_; }
    NarrowRounding rounding() const { return rounding_; }

    OpTraits traits() const override { return {.elementwise = true, .takes_narrow_types = true}; }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("destination_type", self.destination_type_);
        constexpr bool reads = !std::is_const_v<std::remove_reference_t<decltype(self)>>;
        if (!reads && self.rounding_ == NarrowRounding()) return;
        visitor.on("saturate", self.rounding_.saturates);
        visitor.on_enum("round_mode", self.rounding_.scale, kScaleNames);
    }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;

private:
    using Scale = NarrowRounding::Scale;
    static constexpr std::pair<std::string_view, Scale> kScaleNames[] = {
        {"up", Scale::up}, {"down", Scale::down}, {"nearest", Scale::nearest}};

    ElementType destination_type_ = ElementType::dynamic;
    NarrowRounding rounding_;
};

}  // namespace rondo::ops
