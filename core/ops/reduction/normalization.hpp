// Softmax, its logarithm, and normalising to mean 0 and variance 1.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Input: x of a floating type. Output: exp(x) / sum(exp(x)) along `axis`; same type and shape.
/// The common base of its two forms in the IR, and of LogSoftmax.
class SoftmaxBase : public Node {
public:
    SoftmaxBase() = default;
    SoftmaxBase(const Output& x, std::int64_t axis) : Node({x}), axis_(axis) {}

    std::int64_t axis() const { return axis_; }
    void set_axis(std::int64_t axis) { axis_ = axis; }
    const std::int64_t* axis_attribute() const override { return &axis_; }

    static void visit_attributes(auto& self, auto& visitor) { visitor.on("axis", self.axis_); }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t axis_ = 1;
};

/// The newer form: a negative axis counts from the end.
class Softmax final : public Op<Softmax, SoftmaxBase> {
public:
    static constexpr OpType kType{"SoftMax", 8};
    using Op::Op;
};

/// The older form: the axis can't be negative.
class Softmax1 final : public Op<Softmax1, SoftmaxBase> {
public:
    static constexpr OpType kType{"SoftMax", 1};
    using Op::Op;

    void infer(InferContext& context) const override;
};

/// Input: x of a floating type. Output: x - log(sum(exp(x))) along `axis`; same type and shape.
/// A negative axis counts from the end.
class LogSoftmax final : public Op<LogSoftmax, SoftmaxBase> {
public:
    static constexpr OpType kType{"LogSoftmax", 5};
    using Op::Op;
};

/// Whether eps is added to the variance or to its root.
enum class EpsMode : std::uint8_t { inside_sqrt, outside_sqrt };
inline constexpr std::pair<std::string_view, EpsMode> kEpsModes[] = {
    {"INSIDE_SQRT", EpsMode::inside_sqrt},
    {"OUTSIDE_SQRT", EpsMode::outside_sqrt},
};

struct MvnAttributes {
    float eps = 1e-5F;
    bool normalize_variance = true;
    EpsMode eps_mode = EpsMode::inside_sqrt;
};

/// Inputs: x of a floating type; axes, integers of rank 0 or 1 (negative ones count from the end;
/// named twice is named once). Output, of the same type and shape: x - mean along the axes, over
/// sqrt(variance + eps) or sqrt(variance) + eps unless only the mean is to be normalised. The
/// variance is the mean of (x - mean)^2. No axes: each element is normalised alone.
class Mvn final : public Op<Mvn> {
public:
    static constexpr OpType kType{"MVN", 6};

    Mvn() = default;
    Mvn(const Output& x, const Output& axes, const MvnAttributes& attributes)
        : Op({x, axes}), attributes_(attributes) {}

    const MvnAttributes& attributes() const { return attributes_; }
    void set_attributes(const MvnAttributes& attributes) { attributes_ = attributes; }

    OpTraits traits() const override { return OpTraits::op_along_axes(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("eps", self.attributes_.eps);
        visitor.on("normalize_variance", self.attributes_.normalize_variance);
        visitor.on_enum("eps_mode", self.attributes_.eps_mode, kEpsModes);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    MvnAttributes attributes_;
};

}  // namespace rondo::ops
