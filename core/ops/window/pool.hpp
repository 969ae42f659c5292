// Slides a window over one, two or three spatial axes and takes one number of what it covers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/window/convolutions.hpp"

namespace rondo::ops {

/// How many windows there are if the stride doesn't divide the rest: without the last one that
/// is not whole, with it, or with it unless it would start after the data.
enum class PoolRounding : std::uint8_t { floor, ceil, ceil_torch };
inline constexpr std::pair<std::string_view, PoolRounding> kPoolRoundings[] = {
    {"floor", PoolRounding::floor},
    {"ceil", PoolRounding::ceil},
    {"ceil_torch", PoolRounding::ceil_torch},
};

struct PoolAttributes {
    ConvolutionAttributes window{};
    std::vector<std::int64_t> kernel{};           ///< an entry a spatial axis
    PoolRounding rounding = PoolRounding::floor;  ///< not with same_upper and same_lower
};

/// The common base of pools. Data [N, C, spatial...]; outputs [N, C, spatial...].
class PoolBase : public Node {
public:
    PoolBase() = default;
    PoolBase(const Output& data, PoolAttributes attributes)
        : Node({data}), attributes_(std::move(attributes)) {}

    const PoolAttributes& attributes() const { return attributes_; }
    void set_attributes(PoolAttributes attributes) { attributes_ = std::move(attributes); }

    /// The spatial axes, for a shape that infer() has accepted.
    std::vector<ConvolutionAxis> axes(const Shape& data) const;

protected:
    PoolAttributes& own_attributes() { return attributes_; }
    const PoolAttributes& own_attributes() const { return attributes_; }
    /// The outputs' shape.
    PartialShape infer_shape(const InferContext& context) const;

private:
    Dimension infer_extent(const InferContext& context, std::size_t i,
                           const Dimension& input) const;

    PoolAttributes attributes_;
};

/// Data of a numeric type. Outputs: the greatest element of each window, and its place in the data,
/// row-major from axis `axis` on. NaN counts as greatest; of equal ones the first. A window without
/// elements gives the least number of the type, and place 0.
class MaxPool final : public Op<MaxPool, PoolBase> {
public:
    static constexpr OpType kType{"MaxPool", 14};
    /// The form without `ceil_torch`: reading it makes this op.
    static constexpr OpType kOpset8{"MaxPool", 8};

    MaxPool() = default;
    MaxPool(const Output& data, PoolAttributes attributes,
            ElementType index_type = ElementType::i64)
        : Op(data, std::move(attributes)), index_type_(index_type) {}

    std::int64_t axis() const { return axis_; }

    static void visit_attributes(auto& self, auto& visitor) {
        auto& attributes = self.own_attributes();
        visitor.on("strides", attributes.window.strides);
        visitor.on("dilations", attributes.window.dilations);
        visitor.on("pads_begin", attributes.window.pads_begin);
        visitor.on("pads_end", attributes.window.pads_end);
        visitor.on("kernel", attributes.kernel);
        visitor.on_enum("rounding_type", attributes.rounding, kPoolRoundings);
        visitor.on_enum("auto_pad", attributes.window.auto_pad, kAutoPads);
        visitor.on("index_element_type", self.index_type_);
        visitor.on("axis", self.axis_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    ElementType index_type_ = ElementType::i64;
    std::int64_t axis_ = 0;
};

/// Data of a floating type. Output: the mean of each window, over its elements in the data
/// (`exclude-pad`) or in the data and its pads; 0 for a window without elements. With the rounding
/// `ceil` and pads that count, elements after the pads count, too, as OpenVINO has it.
class AvgPool final : public Op<AvgPool, PoolBase> {
public:
    static constexpr OpType kType{"AvgPool", 16};
    /// Older forms, which say less: reading one makes this op. Neither has dilations, and opset 1
    /// has no `ceil_torch`.
    static constexpr OpType kOpset1{"AvgPool", 1};
    static constexpr OpType kOpset14{"AvgPool", 14};

    AvgPool() = default;
    AvgPool(const Output& data, PoolAttributes attributes, bool exclude_pad)
        : Op(data, std::move(attributes)), exclude_pad_(exclude_pad) {}

    bool exclude_pad() const { return exclude_pad_; }
    /// How many elements each output of each axis counts, 1 or more.
    std::vector<std::vector<std::int64_t>> counts(const std::vector<ConvolutionAxis>& axes) const;

    static void visit_attributes(auto& self, auto& visitor) {
        auto& attributes = self.own_attributes();
        visitor.on("kernel", attributes.kernel);
        visitor.on("strides", attributes.window.strides);
        visitor.on("pads_begin", attributes.window.pads_begin);
        visitor.on("pads_end", attributes.window.pads_end);
        visitor.on("exclude-pad", self.exclude_pad_);
        visitor.on_enum("auto_pad", attributes.window.auto_pad, kAutoPads);
        visitor.on_enum("rounding_type", attributes.rounding, kPoolRoundings);
        visitor.on("dilations", attributes.window.dilations);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    bool exclude_pad_ = true;
};

/// How many taps of output `at` of an axis lie in `[-before, input + behind)`.
std::int64_t taps_inside(const ConvolutionAxis& axis, std::int64_t at, std::int64_t before,
                         std::int64_t behind);

}  // namespace rondo::ops
