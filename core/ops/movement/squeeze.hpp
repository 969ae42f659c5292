// Removes axes of extent 1, or puts them in.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: data; axes, integers (optional). Without axes, or with none in it, every axis of extent
/// 1 goes. Output: the elements of data in the same order. An axis of another extent is an error
/// (OpenVINO keeps it silently); naming one twice is not. Opset 15's allow_axis_skip, which keeps
/// such axes, may only be true where the named axes are known to have extent 1.
class Squeeze final : public Op<Squeeze> {
public:
    static constexpr OpType kType{"Squeeze", 1};

    Squeeze() = default;
    explicit Squeeze(const Output& data) : Op({data}) {}
    Squeeze(const Output& data, const Output& axes) : Op({data, axes}) {}

    OpTraits traits() const override { return OpTraits::view_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        constexpr bool reads = !std::is_const_v<std::remove_reference_t<decltype(self)>>;
        if (reads) visitor.on("allow_axis_skip", self.may_skip_);
    }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    bool may_skip_ = false;
};

/// Inputs: data; axes, integers: where the new axes stand in the output, each named once.
/// Output: the elements of data in the same order.
class Unsqueeze final : public Op<Unsqueeze> {
public:
    static constexpr OpType kType{"Unsqueeze", 1};

    Unsqueeze() = default;
    Unsqueeze(const Output& data, const Output& axes) : Op({data, axes}) {}

    OpTraits traits() const override { return OpTraits::view_op(); }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

}  // namespace rondo::ops
