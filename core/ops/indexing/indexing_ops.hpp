// Ops whose inputs or outputs are places of elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/indexing/functions.hpp"
#include "core/support/function_ref.hpp"
#include "rondo/element_type.hpp"
#include "rondo/tensor.hpp"

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

    OpTraits traits() const override {
        return {.keeps_shape = true, .axes_input = 3, .inputs_with_axes = 3};
    }
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

    OpTraits traits() const override { return {.keeps_shape = true}; }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on_enum("reduction", self.reduction_, kSliceReductions);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    ScatterReduction reduction_ = ScatterReduction::none;
};

/// Input: data of any type. Output [rank, count]: a column for each element that isn't 0 (or
/// false), in row-major order: its place along each axis, as `output_type` (i64 or i32). NaN isn't
/// 0.
class NonZero final : public Op<NonZero> {
public:
    static constexpr OpType kType{"NonZero", 3};

    NonZero() = default;
    explicit NonZero(const Output& data, ElementType output_type = ElementType::i64)
        : Op({data}), output_type_(output_type) {}

    ElementType output_type() const { return output_type_; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("output_type", self.output_type_);
    }
    void infer(InferContext& context) const override;

private:
    ElementType output_type_ = ElementType::i64;
};

/// Whether each element of a contiguous tensor is something else than 0.
std::vector<bool> are_non_zero(const Tensor& data);

/// The slices of [outer, count, inner] along the middle axis; without an axis each element is one.
struct SliceSizes {
    std::size_t outer = 1;
    std::size_t count = 1;
    std::size_t inner = 1;
};
SliceSizes slice_sizes(const Shape& shape, std::optional<std::size_t> axis);

struct UniqueSlices {
    std::vector<std::int64_t> first;    ///< for each that differs: its first place
    std::vector<std::int64_t> inverse;  ///< for each slice: the number of the one that it equals
    std::vector<std::int64_t> counts;   ///< for each that differs: how many slices equal it
};

/// `data` is contiguous. In ascending order of their elements, or of their first places. -0 equals
/// 0, NaN equals NaN and is greater than all numbers, every boolean byte but 0 is true.
UniqueSlices find_unique(const Tensor& data, const SliceSizes& sizes, bool sorted);

/// Copies the slices `first` of `data` to `to`.
void copy_slices(const Tensor& data, const SliceSizes& sizes,
                 const std::vector<std::int64_t>& first, void* to);

/// Writes integers as `type`, i64 or i32.
void write_integers(const std::vector<std::int64_t>& values, ElementType type, void* to);

struct UniqueAttributes {
    bool sorted = true;
    ElementType index_type = ElementType::i64;  ///< i64 or i32, as the next one
    ElementType count_type = ElementType::i64;
};

/// Inputs: data of any type; optionally axis, one integer. Outputs: the slices along the axis that
/// differ, or a vector of elements without an axis; the first place of each; for each slice
/// of the data the number of the output's slice that it equals; how many there are of each. The
/// order is that of find_unique().
class Unique final : public Op<Unique> {
public:
    static constexpr OpType kType{"Unique", 10};

    Unique() = default;
    Unique(std::vector<Output> inputs, const UniqueAttributes& attributes)
        : Op(std::move(inputs)), attributes_(attributes) {}

    const UniqueAttributes& attributes() const { return attributes_; }

    OpTraits traits() const override { return {.data_inputs = 1}; }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("sorted", self.attributes_.sorted);
        visitor.on("index_element_type", self.attributes_.index_type);
        visitor.on("count_element_type", self.attributes_.count_type);
    }
    void infer(InferContext& context) const override;

private:
    UniqueAttributes attributes_;
};

/// The axis that input 1 names for data of that rank, or nothing without one. Its value must be
/// known; throws through `context` if it is out of range.
std::optional<std::size_t> unique_axis(const InferContext& context, std::size_t rank);

/// Boxes [batches, boxes, 4], scores [batches, classes, boxes].
struct BoxSizes {
    std::int64_t batches = 0;
    std::int64_t classes = 0;
    std::int64_t boxes = 0;
};

struct BoxRule {
    bool has_centers = false;  ///< centre and extents, else two opposite corners
    std::int64_t most = 0;     ///< of a batch and class
    float iou = 0;             ///< boxes that overlap by more of their union are left out
    float score = 0;           ///< boxes with a score above it are looked at
};

struct SelectedBox {
    std::int64_t batch = 0;
    std::int64_t box_class = 0;
    std::int64_t box = 0;
    float score = 0;
};

/// Visits the chosen boxes: batch by batch, class by class, the best one first; among equal scores
/// the first box is better. `order`: memory for an entry a box.
void select_boxes(const BoxSizes& sizes, const BoxRule& rule, const float* boxes,
                  const float* scores, std::span<std::int64_t> order,
                  FunctionRef<void(const SelectedBox&)> visit);

/// Two opposite corners y, x, y, x; or centre x, y and extents x, y.
enum class BoxEncoding : std::uint8_t { corner, center };
inline constexpr std::pair<std::string_view, BoxEncoding> kBoxEncodings[] = {
    {"center", BoxEncoding::center},
    {"corner", BoxEncoding::corner},
};

/// Inputs: f32 boxes [N, B, 4] and scores [N, C, B]; then, optional and 0 if absent, the most
/// boxes of a batch and class (an integer), the overlap (0 to 1) and the score that must be
/// exceeded (f32). Outputs: a row [batch, class, box] for each chosen box, as `output_type`; the
/// same in f32 with the score as the last number; how many rows there are, [1].
class NonMaxSuppression final : public Op<NonMaxSuppression> {
public:
    static constexpr OpType kType{"NonMaxSuppression", 9};

    NonMaxSuppression() = default;
    NonMaxSuppression(std::vector<Output> inputs, BoxEncoding encoding, bool sorts_all)
        : Op(std::move(inputs)), encoding_(encoding), sorts_all_(sorts_all) {}

    BoxEncoding encoding() const { return encoding_; }
    /// Whether rows are in the order of scores; else batch by batch and class by class.
    bool sorts_all() const { return sorts_all_; }
    ElementType output_type() const { return output_type_; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on_enum("box_encoding", self.encoding_, kBoxEncodings);
        visitor.on("sort_result_descending", self.sorts_all_);
        visitor.on("output_type", self.output_type_);
    }
    void infer(InferContext& context) const override;

private:
    BoxEncoding encoding_ = BoxEncoding::corner;
    bool sorts_all_ = true;
    ElementType output_type_ = ElementType::i64;
};

/// The rule from the op and the elements of its inputs after the scores, in memory. Throws
/// ModelError naming the op if they are not what it allows.
BoxRule box_rule(const NonMaxSuppression& op, std::span<const void* const> inputs,
                 ElementType count_type);

/// Throws through `context` unless the input's type is open or an integer; `what` names the input:
/// "indices".
void check_indices(const InferContext& context, std::size_t input, std::string_view what);

/// For an op that picks elements along one axis: throws through `context` unless data (input 0) and
/// `input` have the same rank, and the input is nowhere larger than data except along the axis.
/// Both ranks must be known.
void check_beside_axis(const InferContext& context, std::size_t input, std::string_view what,
                       std::size_t axis);

}  // namespace rondo::ops
