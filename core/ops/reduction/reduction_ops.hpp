// Ops that combine, or look for, elements along axes.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/reduction/functions.hpp"

namespace rondo::ops {

/// Inputs: data, of a type that the row takes; axes, integers of rank 0 or 1 (negative ones count
/// from the end; named twice is named once). Output: the same type; the axes are dropped, or kept
/// with extent 1. No axes: each element is reduced alone.
/// Integers: sums and products wrap; means and roots round towards zero. NaN among the elements
/// gives NaN. Without elements: 0 (sum, L2), 1 (product), the least or the greatest value of the
/// type (max, min: infinities of floating types), true (and), false (or), NaN (mean; an error for
/// integers).
class Reduce final : public Clonable<Reduce> {
public:
    explicit Reduce(ReduceFunction function) : info_(&kReduceOps[static_cast<int>(function)]) {}
    Reduce(ReduceFunction function, const Output& data, const Output& axes, bool keep_dims)
        : Reduce(function) {
        set_inputs({data, axes});
        keep_dims_ = keep_dims;
    }

    ReduceFunction function() const { return info_->function; }
    bool keep_dims() const { return keep_dims_; }
    void set_keep_dims(bool keep) { keep_dims_ = keep; }

    const OpType& op_type() const override { return info_->type; }
    OpTraits traits() const override { return OpTraits::op_along_axes(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("keep_dims", self.keep_dims_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    const ReduceInfo* info_;
    bool keep_dims_ = false;
};

/// Whether the node is the reduction of that function.
bool is(const Node& node, ReduceFunction function);

/// Whether each of `rank` axes is among `axes`; throws through `context` for one out of range.
std::vector<bool> reduced_axes(const InferContext& context, const std::vector<std::int64_t>& axes,
                               std::size_t rank);

enum class TopKMode : std::uint8_t { max, min };
inline constexpr std::pair<std::string_view, TopKMode> kTopKModes[] = {
    {"max", TopKMode::max},
    {"min", TopKMode::min},
};

/// By what the chosen elements are sorted. `none` leaves the order open: it is that of `value`.
enum class TopKSort : std::uint8_t { none, index, value };
inline constexpr std::pair<std::string_view, TopKSort> kTopKSorts[] = {
    {"none", TopKSort::none},
    {"index", TopKSort::index},
    {"value", TopKSort::value},
};

struct TopKAttributes {
    std::int64_t axis = -1;
    TopKMode mode = TopKMode::max;
    TopKSort sort = TopKSort::value;
    ElementType index_type = ElementType::i32;
    bool stable = false;
};

/// Inputs: data of a numeric type; k, one integer. Outputs: the k greatest or least elements along
/// `axis`, and their places there; the extent of the axis becomes k. Among equal elements the first
/// ones count as better, whatever `stable` says; NaN counts as greater than all numbers.
class TopK final : public Op<TopK> {
public:
    static constexpr OpType kType{"TopK", 11};
    /// Older forms, which say less: reading one makes this op.
    static constexpr OpType kOpset1{"TopK", 1};
    static constexpr OpType kOpset3{"TopK", 3};

    TopK() = default;
    TopK(const Output& data, const Output& k, const TopKAttributes& attributes)
        : Op({data, k}), attributes_(attributes) {}

    const TopKAttributes& attributes() const { return attributes_; }

    OpTraits traits() const override { return {.data_inputs = 1}; }
    const std::int64_t* axis_attribute() const override { return &attributes_.axis; }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("axis", self.attributes_.axis);
        visitor.on_enum("mode", self.attributes_.mode, kTopKModes);
        visitor.on_enum("sort", self.attributes_.sort, kTopKSorts);
        visitor.on("index_element_type", self.attributes_.index_type);
        visitor.on("stable", self.attributes_.stable);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
    std::vector<ExtentSource> extent_sources(std::size_t output, std::size_t axis) const override;

private:
    TopKAttributes attributes_;
};

/// Inputs: x, numbers; axis, one integer (a negative one counts from the end). Output: at each
/// place along the axis the sum, or product, of the elements up to it; `exclusive`: of those before
/// it; `reverse`: of those from the last one down to it. Integers wrap; floating types are rounded
/// once an element.
class Cumulation : public Node {
public:
    struct Options {
        bool exclusive = false;
        bool reverse = false;
    };

    Cumulation() = default;
    Cumulation(const Output& x, const Output& axis, const Options& options)
        : Node({x, axis}), options_(options) {}

    const Options& options() const { return options_; }

    OpTraits traits() const override { return OpTraits::op_along_axes(true); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("exclusive", self.options_.exclusive);
        visitor.on("reverse", self.options_.reverse);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    Options options_;
};

class CumSum final : public Op<CumSum, Cumulation> {
public:
    static constexpr OpType kType{"CumSum", 3};
    using Op::Op;
};

class CumProd final : public Op<CumProd, Cumulation> {
public:
    static constexpr OpType kType{"CumProd", 0};
    using Op::Op;
};

/// Input: x of a floating type. Output: exp(x) / sum(exp(x)) along `axis`; same type and shape.
/// The common base of its two forms in the IR, and of LogSoftmax.
class SoftmaxBase : public Node {
public:
    SoftmaxBase() = default;
    SoftmaxBase(const Output& x, std::int64_t axis) : Node({x}), axis_(axis) {}

    std::int64_t axis() const { return axis_; }
    void set_axis(std::int64_t axis) { axis_ = axis; }
    OpTraits traits() const override { return {.keeps_shape = true}; }
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

    OpTraits traits() const override { return OpTraits::op_along_axes(true); }
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
