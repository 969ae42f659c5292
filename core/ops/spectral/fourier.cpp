// The Fourier family: discrete Fourier transforms along some axes. Each op is a row of kFourierOps.
#include "core/ops/spectral/spectral_ops.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/families.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "core/support/strings.hpp"

namespace rondo::ops {
namespace {

constexpr std::size_t kMostInputs = 3;

std::int64_t doubled(std::int64_t extent) { return saturating_multiply(extent, 2); }

// The number of real numbers, 2 (n - 1), whose half spectrum has n complex ones.
Dimension real_length(const InferContext& context, const Dimension& extent) {
    context.check(extent.max() > 0, "an axis without elements has no inverse transform");
    const std::int64_t least = std::max<std::int64_t>(extent.min(), 1);
    if (extent.max() == Dimension::kInfinity) return {doubled(least - 1), extent.max()};
    return {doubled(least - 1), doubled(extent.max() - 1)};
}

// The number of complex numbers, n/2 + 1, in the half spectrum of n real ones.
Dimension half_length(const Dimension& length) {
    const bool is_bounded = length.max() != Dimension::kInfinity;
    return {length.min() / 2 + 1, is_bounded ? length.max() / 2 + 1 : length.max()};
}

// The sizes that are asked for, -1 for each axis if there is no such input; nothing while they
// or the axes aren't known.
std::optional<std::vector<std::int64_t>> signal_sizes(
    const InferContext& context, const std::optional<std::vector<std::int64_t>>& axes) {
    const std::size_t count = axes ? axes->size() : 0;
    if (context.input_count() < kMostInputs) return std::vector<std::int64_t>(count, -1);
    auto sizes = context.ints(2);
    if (!sizes || !axes) return std::nullopt;
    context.check(sizes->size() == count, "signal_size has " + counted(sizes->size(), "element") +
                                              "; expected " + std::to_string(count) +
                                              ", one an axis");
    for (const std::int64_t size : *sizes) {
        context.check(size == -1 || size > 0,
                      "signal_size has " + std::to_string(size) + "; expected -1, or 1 or more");
    }
    return sizes;
}

}  // namespace

std::optional<std::vector<FourierAxis>> fourier_axes(const InferContext& context,
                                                     FourierFunction function,
                                                     const std::vector<Dimension>& extents) {
    const auto named = context.ints(1);
    const auto sizes = signal_sizes(context, named);
    if (!named) return std::nullopt;
    context.check(!named->empty(), "axes is empty; expected one axis or more");
    std::vector<FourierAxis> axes;
    for (const std::size_t axis : distinct_axes(context, *named, extents.size())) {
        const bool is_last = axes.size() + 1 == named->size();
        FourierAxis found{axis, extents[axis], {}};
        if (!sizes) {
            found.length = Dimension();
        } else if ((*sizes)[axes.size()] > 0) {
            found.length = (*sizes)[axes.size()];
        } else if (is_last && function == FourierFunction::irdft) {
            found.length = real_length(context, extents[axis]);
        }
        const bool halves = is_last && function == FourierFunction::rdft;
        context.check(!halves || found.length.max() > 0,
                      "an axis without elements has no transform");
        found.output = halves ? half_length(found.length) : found.length;
        axes.push_back(found);
    }
    return axes;
}

void Fourier::infer(InferContext& context) const {
    context.check_input_count(kMostInputs - 1, kMostInputs);
    check_type(context, TypeRule::floating, context.type(0), "the data is");
    vector_length(context, 1, "axes");
    if (context.input_count() == kMostInputs) vector_length(context, 2, "signal_size");
    const PartialShape& data = context.shape(0);
    if (!data.has_rank()) {
        context.set_output(0, context.type(0), PartialShape());
        return;
    }
    std::vector<Dimension> extents = data.dimensions();
    context.check(!extents.empty(), "the data is a scalar; expected an axis or more");
    if (takes_complex(function())) {
        context.check(extents.size() >= 2 && extents.back().contains(2),
                      "the data has shape " + to_string(data) +
                          "; expected a last axis of 2, real and imaginary parts, behind others");
        extents.pop_back();
    }
    // Even if no size changes: the axes must be known when the kernel is prepared.
    const auto axes = fourier_axes(context, function(), extents);
    if (!axes) extents.assign(extents.size(), Dimension());
    for (const FourierAxis& axis : axes.value_or(std::vector<FourierAxis>())) {
        extents[axis.axis] = axis.output;
    }
    if (gives_complex(function())) extents.emplace_back(2);
    context.set_output(0, context.type(0), PartialShape(std::move(extents)));
}

std::optional<IndependentAxis> Fourier::independent_axis(std::size_t, std::size_t axis) const {
    const std::size_t rank = input(0).shape().rank() - (takes_complex(function()) ? 1 : 0);
    const auto axes = constant_ints(input(1));
    const auto own = axes ? named_among(*axes, rank) : std::nullopt;
    if (!own || axis >= rank || (*own)[axis]) return std::nullopt;
    return rows_of_data(*this, axis, axis);
}

}  // namespace rondo::ops
