// Ops that move elements without changing them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/movement/pad_range.hpp"
#include "rondo/shape.hpp"

namespace rondo::ops {

/// Inputs: data; pattern, an integer vector: the new extents, of which one may be -1 (what is left)
/// and, with `special_zero`, any may be 0 (the extent of data at the same place).
/// Output: the elements of data in the same order.
class Reshape final : public Op<Reshape> {
public:
    static constexpr OpType kType{"Reshape", 1};

    Reshape() = default;
    Reshape(const Output& data, const Output& pattern, bool special_zero = false)
        : Op({data, pattern}), special_zero_(special_zero) {}

    bool special_zero() const { return special_zero_; }

    OpTraits traits() const override { return OpTraits::view_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("special_zero", self.special_zero_);
    }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;
    std::vector<ExtentSource> extent_sources(std::size_t output, std::size_t axis) const override;
    /// How many neighbouring axes of data make each axis of the output (1 or more). Empty if the op
    /// splits or inserts axes, or if that isn't known.
    std::optional<std::vector<std::size_t>> merged_axis_counts() const;

private:
    bool special_zero_ = false;
};

/// Input: data of any type except boolean, whose byte may hold more than 0 and 1. Output: its bytes
/// as elements of `output_type`, another such type of the same size.
class BitCast final : public Op<BitCast> {
public:
    static constexpr OpType kType{"BitCast", 0};

    BitCast() = default;
    BitCast(const Output& data, ElementType output_type) : Op({data}), output_type_(output_type) {}

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("output_type", self.output_type_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    ElementType output_type_ = ElementType::f32;
};

/// Inputs: data; axes, integers (optional). Without axes, or with none in it, every axis of extent
/// 1 goes. Output: the elements of data in the same order. An axis of another extent is an error
/// (OpenVINO keeps it silently); naming one twice is not. Opset 15's allow_axis_skip, which keeps
/// such axes, may only be true if the named axes are known to have extent 1.
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

/// Inputs: data; axes, integers: the places of the new axes in the output, each once.
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

/// Inputs: data; order, an integer vector: a permutation of the axes, or empty to reverse them.
/// Output: data with axis i taken from axis order[i].
class Transpose final : public Op<Transpose> {
public:
    static constexpr OpType kType{"Transpose", 1};

    Transpose() = default;
    Transpose(const Output& data, const Output& order) : Op({data, order}) {}

    OpTraits traits() const override { return OpTraits::movement_op(); }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

/// `order` with an empty one written out; throws through `context` unless it is a permutation.
std::vector<std::size_t> transpose_order(const InferContext& context,
                                         const std::vector<std::int64_t>& order, std::size_t rank);

/// Inputs: one tensor or more, equal in type and in all extents but that of `axis` (a negative one
/// counts from the end). Output: the tensors one after another along the axis.
class Concat final : public Op<Concat> {
public:
    static constexpr OpType kType{"Concat", 1};

    Concat() = default;
    Concat(std::vector<Output> inputs, std::int64_t axis) : Op(std::move(inputs)), axis_(axis) {}

    std::int64_t axis() const { return axis_; }

    OpTraits traits() const override {
        return {.moves_elements = true, .inputs_with_axes = OpTraits::kAllInputs};
    }
    const std::int64_t* axis_attribute() const override { return &axis_; }
    static void visit_attributes(auto& self, auto& visitor) { visitor.on("axis", self.axis_); }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t axis_ = 0;
};

/// Inputs: data; axis, one integer (a negative one counts from the end).
/// Outputs: `num_splits` parts of equal shape; the extent of the axis must divide evenly.
class Split final : public Op<Split> {
public:
    static constexpr OpType kType{"Split", 1};

    Split() = default;
    Split(const Output& data, const Output& axis, std::int64_t num_splits)
        : Op({data, axis}), num_splits_(num_splits) {}

    std::int64_t num_splits() const { return num_splits_; }

    OpTraits traits() const override { return OpTraits::cutting_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("num_splits", self.num_splits_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t num_splits_ = 0;
};

/// Inputs: data; axis, one integer (a negative one counts from the end); lengths, an integer
/// vector, of which one may be -1 (what is left). The number of lengths must be known.
/// Outputs: a part for each length; together they fill the axis.
class VariadicSplit final : public Op<VariadicSplit> {
public:
    static constexpr OpType kType{"VariadicSplit", 1};

    VariadicSplit() = default;
    VariadicSplit(const Output& data, const Output& axis, const Output& lengths)
        : Op({data, axis, lengths}) {}

    OpTraits traits() const override { return OpTraits::cutting_op(); }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

/// An op's request for one axis; nothing means that a number isn't known yet. Numbers below 0
/// count from the end; any number is allowed except a step of 0.
struct SliceRequest {
    std::optional<std::int64_t> start = 0;
    std::optional<std::int64_t> stop = Dimension::kInfinity;
    std::optional<std::int64_t> step = 1;
    std::size_t element = 0;  ///< of the op's vectors, for an axis that they name
};

/// `length` elements from `start` on, each `step` after the previous one; all inside the extent.
struct SliceRange {
    std::int64_t start = 0;
    std::int64_t step = 1;
    std::int64_t length = 0;
};

/// The elements of 0 .. extent-1 that a request with known numbers selects, clamped as in Python,
/// except a start before the first: it is the first, even if the step goes down.
/// With fewer than two elements the step is 1, so that start + i * step never overflows.
SliceRange resolve(const SliceRequest& request, std::int64_t extent);

/// The bounds of the length over all extents of the interval.
Dimension sliced_extent(const SliceRequest& request, const Dimension& extent);

/// Whether it is certain to select all elements of an axis, in their order. Exporters write the
/// greatest 32-bit integer for the end of an axis.
bool takes_all(const SliceRequest& request);
/// Whether it is certain to select all elements of an axis from the last one to the first.
bool reverses_all(const SliceRequest& request);

/// Inputs: data; start, stop, step, integer vectors of equal length; axes, one for each of them
/// (optional: the first axes in order). Output: data[start:stop:step] along those axes, clamped as
/// in Python; steps may be negative.
class Slice final : public Op<Slice> {
public:
    static constexpr OpType kType{"Slice", 8};

    Slice() = default;
    Slice(const Output& data, const Output& start, const Output& stop, const Output& step)
        : Op({data, start, stop, step}) {}
    Slice(const Output& data, const Output& start, const Output& stop, const Output& step,
          const Output& axes)
        : Op({data, start, stop, step, axes}) {}

    OpTraits traits() const override {
        return {.moves_elements = true, .data_inputs = 1, .axes_input = 4};
    }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;
    std::vector<ExtentSource> extent_sources(std::size_t output, std::size_t axis) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

/// What a Slice asks of each axis of data, whose rank must be known; nothing if the axes aren't
/// known. Throws through `context` for inputs that don't fit each other or a step of 0.
std::optional<std::vector<SliceRequest>> slice_requests(const InferContext& context);

/// A flag for each element of begin; missing ones are 0, those past its end are not looked at.
struct StridedSliceMasks {
    std::vector<std::int64_t> begin{};        ///< 1: from the first element on (or the last)
    std::vector<std::int64_t> end{};          ///< 1: to the last element (or the first)
    std::vector<std::int64_t> new_axis{};     ///< 1: insert an axis of extent 1
    std::vector<std::int64_t> shrink_axis{};  ///< 1: take element begin and remove the axis
    std::vector<std::int64_t> ellipsis{};     ///< 1: as many whole axes as are left (once only)
};

/// Inputs: data; begin, end, integer vectors of equal length; strides, likewise (optional: all 1).
/// Each element cuts an axis of data in turn, or does what a mask says; ellipsis goes before
/// new_axis, and that before shrink_axis. A removed axis gives element begin, or 0 if begin is
/// masked, whatever the sign of its stride. Axes past the last element stay whole.
class StridedSlice final : public Op<StridedSlice> {
public:
    static constexpr OpType kType{"StridedSlice", 1};

    StridedSlice() = default;
    StridedSlice(std::vector<Output> inputs, StridedSliceMasks masks)
        : Op(std::move(inputs)), masks_(std::move(masks)) {}
    StridedSlice(const Output& data, const Output& begin, const Output& end, const Output& strides,
                 StridedSliceMasks masks)
        : StridedSlice({data, begin, end, strides}, std::move(masks)) {}

    const StridedSliceMasks& masks() const { return masks_; }

    OpTraits traits() const override { return OpTraits::movement_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("begin_mask", self.masks_.begin);
        visitor.on("end_mask", self.masks_.end);
        visitor.on("new_axis_mask", self.masks_.new_axis);
        visitor.on("shrink_axis_mask", self.masks_.shrink_axis);
        visitor.on("ellipsis_mask", self.masks_.ellipsis);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    StridedSliceMasks masks_;
};

/// What becomes of one axis: cut, removed after taking one element, or new in the output.
struct StridedSlicePart {
    enum class Kind : std::uint8_t { cut, shrink, new_axis };
    Kind kind = Kind::cut;
    SliceRequest request;  ///< for a removed axis the element is start; not known if empty
};

/// The parts in the output's order; those that aren't new take the axes of data, whose rank must be
/// known, in turn. Nothing while the number of elements isn't known. Throws through `context` for
/// inputs that don't fit data or each other, a stride of 0 or a removed element out of range.
std::optional<std::vector<StridedSlicePart>> strided_slice_parts(const InferContext& context,
                                                                 const StridedSliceMasks& masks);

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

/// Inputs: data; shift and axes, integer vectors (files may have scalars). Output: data whose
/// elements are moved by `shift` places along each of the axes (negative ones count from the end),
/// where those that leave at one end come in at the other one. A single shift is that of all axes;
/// the shifts of an axis that is named several times add up.
class Roll final : public Op<Roll> {
public:
    static constexpr OpType kType{"Roll", 7};

    Roll() = default;
    Roll(const Output& data, const Output& shift, const Output& axes) : Op({data, shift, axes}) {}

    OpTraits traits() const override {
        return {.moves_elements = true, .keeps_shape = true, .data_inputs = 1, .axes_input = 2};
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

/// Adds the shift of one axis to those of all axes of data, each from 0 to its extent - 1. Throws
/// through `context` if the axis is out of range.
void add_shift(const InferContext& context, std::int64_t axis, std::int64_t shift,
               const Shape& data, std::span<std::int64_t> shifts);

/// Inputs: data; repeats, an integer vector of numbers from 0 on. The last of them belong to the
/// last axes of data; the shorter side counts as if it had ones in front. Output: data, repeated
/// along each axis as often as its number says.
class Tile final : public Op<Tile> {
public:
    static constexpr OpType kType{"Tile", 1};

    Tile() = default;
    Tile(const Output& data, const Output& repeats) : Op({data, repeats}) {}

    OpTraits traits() const override { return OpTraits::movement_op(); }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

/// numpy: data's axes meet the target's last ones; each fits or is 1, and the output has the
/// target's shape. bidirectional: the target's extents may be 1 if data's aren't.
/// explicit_axes ("explicit"): axes_mapping says for each axis of data, in growing order, which of
/// the target's it is.
enum class BroadcastMode : std::uint8_t { numpy, explicit_axes, bidirectional };
/// If a mode has two names, the last one is written.
inline constexpr std::pair<std::string_view, BroadcastMode> kBroadcastModes[] = {
    {"none", BroadcastMode::explicit_axes},
    {"explicit", BroadcastMode::explicit_axes},
    {"numpy", BroadcastMode::numpy},
    {"bidirectional", BroadcastMode::bidirectional},
};

/// Inputs: data; target, an integer vector: the new shape; axes_mapping, likewise (explicit only;
/// the other modes don't look at it).
class Broadcast final : public Op<Broadcast> {
public:
    static constexpr OpType kType{"Broadcast", 3};
    /// The older form with the modes numpy and explicit, also called none: reading one makes this
    /// op, which means the same.
    static constexpr OpType kOpset1{"Broadcast", 1};

    Broadcast() = default;
    Broadcast(const Output& data, const Output& target, BroadcastMode mode = BroadcastMode::numpy)
        : Op({data, target}), mode_(mode) {}
    Broadcast(const Output& data, const Output& target, const Output& axes_mapping)
        : Op({data, target, axes_mapping}), mode_(BroadcastMode::explicit_axes) {}

    BroadcastMode mode() const { return mode_; }

    OpTraits traits() const override { return OpTraits::movement_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on_enum("mode", self.mode_, kBroadcastModes);
    }
    void infer(InferContext& context) const override;
    std::vector<ExtentSource> extent_sources(std::size_t output, std::size_t axis) const override;

private:
    BroadcastMode mode_ = BroadcastMode::numpy;
};

/// For each axis of data, whose rank must be known, the axis of an output of rank `rank` that it
/// becomes; nothing while axes_mapping isn't known. Throws through `context` if they don't fit.
std::optional<std::vector<std::size_t>> broadcast_axes(const InferContext& context,
                                                       BroadcastMode mode, std::size_t rank);

/// Inputs: data [B.., D.., A, E..]; indices [B.., J..], integers; axis, one integer: the place of A
/// (a negative one counts from the end). The first `batch_dims` axes B.. are common to both.
/// Output [B.., D.., J.., E..]: for each index the slice of data there. Indices below 0 count from
/// the end; evaluating one out of range is an error.
class Gather final : public Op<Gather> {
public:
    static constexpr OpType kType{"Gather", 8};
    /// Older forms, which say less: reading one makes this op. Opset 1 has no batch_dims, and
    /// neither takes indices below 0.
    static constexpr OpType kOpset1{"Gather", 1};
    static constexpr OpType kOpset7{"Gather", 7};

    Gather() = default;
    Gather(const Output& data, const Output& indices, const Output& axis,
           std::int64_t batch_dims = 0)
        : Op({data, indices, axis}), batch_dims_(batch_dims) {}

    std::int64_t batch_dims() const { return batch_dims_; }

    OpTraits traits() const override { return OpTraits::movement_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("batch_dims", self.batch_dims_);
    }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t batch_dims_ = 0;
};

/// Inputs: data; lengths [N], integers: one for each place of data's batch axis. Output: data whose
/// elements 0 .. length-1 along the sequence axis are in the reverse order; the others stay.
/// Negative axes count from the end. Evaluating a length below 0 or above the extent is an error.
class ReverseSequence final : public Op<ReverseSequence> {
public:
    static constexpr OpType kType{"ReverseSequence", 1};

    ReverseSequence() = default;
    ReverseSequence(const Output& data, const Output& lengths, std::int64_t batch_axis,
                    std::int64_t seq_axis)
        : Op({data, lengths}), batch_axis_(batch_axis), seq_axis_(seq_axis) {}

    std::int64_t batch_axis() const { return batch_axis_; }
    std::int64_t seq_axis() const { return seq_axis_; }

    OpTraits traits() const override {
        return {.moves_elements = true, .keeps_shape = true, .data_inputs = 1};
    }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("batch_axis", self.batch_axis_);
        visitor.on("seq_axis", self.seq_axis_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t batch_axis_ = 0;
    std::int64_t seq_axis_ = 1;
};

/// How a channel says its place in a block, from the slowest to the fastest: blocks_first
/// [b1, .., bK, channel], depth_first [channel, b1, .., bK].
enum class BlockMode : std::uint8_t { blocks_first, depth_first };

inline constexpr std::pair<std::string_view, BlockMode> kBlockModes[] = {
    {"blocks_first", BlockMode::blocks_first},
    {"depth_first", BlockMode::depth_first},
};

/// Elements move between channels and blocks of K spatial axes, each of which has `block_size`
/// places in a block: depth [N, b^K * C, S1, .., SK] and space [N, C, S1 * b, .., SK * b].
class BlockMove : public Node {
public:
    BlockMove() = default;
    BlockMove(const Output& data, std::int64_t block_size, BlockMode mode)
        : Node({data}), block_size_(block_size), mode_(mode) {}

    std::int64_t block_size() const { return block_size_; }
    BlockMode mode() const { return mode_; }

    OpTraits traits() const override { return OpTraits::movement_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("block_size", self.block_size_);
        visitor.on_enum("mode", self.mode_, kBlockModes);
    }
    /// The rows of the batch.
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

protected:
    /// b^K for data of that rank. Throws through `context` for a block size or a rank that the op
    /// doesn't have.
    std::int64_t block_elements(const InferContext& context, std::size_t rank) const;

private:
    std::int64_t block_size_ = 1;
    BlockMode mode_ = BlockMode::blocks_first;
};

/// The elements as an array [N, C, S1, b1, .., SK, bK], in elements between neighbours.
struct BlockAxes {
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> space;  ///< strides on the side of space
    std::vector<std::int64_t> depth;  ///< and of depth
};

/// `space`: the shape on that side, whose spatial extents are multiples of `block_size`.
BlockAxes block_axes(const Shape& space, std::int64_t block_size, BlockMode mode);

/// Input: data [N, b^K * C, S1, .., SK], K from 1 on. Output [N, C, S1 * b, .., SK * b].
class DepthToSpace final : public Op<DepthToSpace, BlockMove> {
public:
    static constexpr OpType kType{"DepthToSpace", 1};
    using Op::Op;

    void infer(InferContext& context) const override;
};

/// Input: data [N, C, S1 * b, .., SK * b], K from 1 on. Output [N, b^K * C, S1, .., SK].
class SpaceToDepth final : public Op<SpaceToDepth, BlockMove> {
public:
    static constexpr OpType kType{"SpaceToDepth", 1};
    using Op::Op;

    void infer(InferContext& context) const override;
};

}  // namespace rondo::ops
