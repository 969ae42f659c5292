// Puts elements before and after those of a tensor along each axis, or takes some away.
#include "core/ops/movement/movement_ops.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "core/support/limits.hpp"
#include "core/support/strings.hpp"

namespace rondo::ops {
namespace {

constexpr std::size_t kBegin = 1;
constexpr std::size_t kEnd = 2;
constexpr std::size_t kValue = 3;
constexpr const char* kPadInputs[] = {"data", "pads_begin", "pads_end"};
constexpr auto kMaxPad = static_cast<std::int64_t>(kMaxElements);

struct Pads {
    std::vector<std::int64_t> begin;
    std::vector<std::int64_t> end;
};

void check_length(const InferContext& context, std::optional<std::size_t> length, std::size_t input,
                  std::size_t rank) {
    if (!length || *length == rank) return;
    context.fail(std::string(kPadInputs[input]) + " has " + counted(*length, "element") +
                 ", but data has shape " + to_string(context.shape(0)) + "; expected " +
                 std::to_string(rank) + ", one an axis");
}

std::optional<std::vector<std::int64_t>> checked_pads(const InferContext& context,
                                                      std::size_t input, std::size_t rank) {
    auto pads = context.ints(input);
    if (!pads) return std::nullopt;
    check_length(context, pads->size(), input, rank);
    for (const std::int64_t pad : *pads) {
        context.check(pad >= -kMaxPad && pad <= kMaxPad, std::string(kPadInputs[input]) +
                                                             " holds " + std::to_string(pad) +
                                                             ", which is too large");
    }
    return pads;
}

std::optional<Pads> known_pads(const InferContext& context, std::size_t rank) {
    auto begin = checked_pads(context, kBegin, rank);
    auto end = checked_pads(context, kEnd, rank);
    if (!begin || !end) return std::nullopt;
    return Pads{std::move(*begin), std::move(*end)};
}

Dimension padded_extent(const InferContext& context, const Dimension& extent, std::int64_t pads) {
    if (pads >= 0) return add_extents(context, extent, pads);
    const auto rest = subtract_extent(extent, -pads);
    if (!rest) {
        context.fail("pads take " + std::to_string(-pads) + " elements away from an axis of " +
                     to_string(extent));
    }
    return *rest;
}

// An axis without elements has none to repeat.
void check_repeated(const InferContext& context, PadMode mode, const Dimension& extent,
                    const Pads& pads, std::size_t axis) {
    if (!extent.is_static()) return;
    const PadRange range(mode, extent.length(), pads.begin[axis], pads.end[axis]);
    context.check(range.count > 0 || range.length == 0,
                  "axis " + std::to_string(axis) +
                      " keeps no element that could be repeated; expected one or more");
}

void check_value(const InferContext& context) {
    if (context.input_count() <= kValue) return;
    context.merge_types({0, kValue});
    context.check_rank(kValue, 0, "pad_value");
}

PartialShape padded_shape(const InferContext& context, PadMode mode) {
    const PartialShape& data = context.shape(0);
    const auto count = vector_length(context, kBegin, kPadInputs[kBegin]);
    const auto end_count = vector_length(context, kEnd, kPadInputs[kEnd]);
    if (!data.has_rank() && !count && !end_count) return {};
    const std::size_t rank = data.has_rank() ? data.rank() : count ? *count : *end_count;
    check_length(context, count, kBegin, rank);
    check_length(context, end_count, kEnd, rank);
    const auto pads = known_pads(context, rank);
    if (!data.has_rank() || !pads) return PartialShape::of_rank(rank);
    std::vector<Dimension> result;
    for (std::size_t i = 0; i < rank; ++i) {
        result.push_back(padded_extent(context, data[i], pads->begin[i] + pads->end[i]));
        if (mode != PadMode::constant) check_repeated(context, mode, data[i], *pads, i);
    }
    return {std::move(result)};
}

}  // namespace

std::optional<std::vector<PadRange>> pad_ranges(const InferContext& context, PadMode mode) {
    const Shape data = context.shape(0).to_shape();
    const auto pads = known_pads(context, data.size());
    if (!pads) return std::nullopt;
    std::vector<PadRange> ranges;
    for (std::size_t i = 0; i < data.size(); ++i) {
        ranges.emplace_back(mode, static_cast<std::int64_t>(data[i]), pads->begin[i], pads->end[i]);
    }
    return ranges;
}

void Pad::infer(InferContext& context) const {
    context.check_input_count(3, 4);
    if (mode_ == PadMode::constant) check_value(context);
    context.set_output(0, context.type(0), padded_shape(context, mode_));
}

std::optional<IndependentAxis> Pad::independent_axis(std::size_t, std::size_t axis) const {
    const auto begin = constant_ints(input(kBegin));
    const auto end = constant_ints(input(kEnd));
    if (!begin || !end || begin->at(axis) != 0 || end->at(axis) != 0) return std::nullopt;
    return rows_of_data(*this, axis, axis);
}

}  // namespace rondo::ops
