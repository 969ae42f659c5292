// Moves elements round along axes.
#include "core/ops/movement/movement_ops.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "core/support/strings.hpp"

namespace rondo::ops {
namespace {

constexpr std::size_t kRollShift = 1;
constexpr std::size_t kRollAxes = 2;

void check_counts(const InferContext& context) {
    const auto shifts = vector_length(context, kRollShift, "shift");
    const auto axes = vector_length(context, kRollAxes, "axes");
    if (!shifts || !axes || *shifts == 1 || *shifts == *axes) return;
    context.fail("shift has " + counted(*shifts, "element") + " and axes " +
                 counted(*axes, "element") + "; expected as many, or one shift");
}

}  // namespace

void Roll::infer(InferContext& context) const {
    context.check_input_count(3, 3);
    check_counts(context);
    const PartialShape& data = context.shape(0);
    const auto axes = context.ints(kRollAxes);
    if (data.has_rank() && axes) {
        for (const std::int64_t axis : *axes) normalize_axis(context, axis, data.rank());
    }
    context.set_output(0, context.type(0), data);
}

std::optional<IndependentAxis> Roll::independent_axis(std::size_t, std::size_t axis) const {
    return rows_beside_named_axis(*this, axis, kRollAxes);
}

void add_shift(const InferContext& context, std::int64_t axis, std::int64_t shift,
               const Shape& data, std::span<std::int64_t> shifts) {
    const std::size_t place = normalize_axis(context, axis, data.size());
    const auto extent = static_cast<std::int64_t>(data[place]);
    if (extent == 0) return;
    const std::int64_t rest = shift % extent;
    shifts[place] = (shifts[place] + (rest < 0 ? rest + extent : rest)) % extent;
}

}  // namespace rondo::ops
