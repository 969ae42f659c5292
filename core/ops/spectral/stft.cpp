// The spectrum of a signal in short frames.
#include "core/ops/spectral/spectral_ops.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/families.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

// One integer above 0, or nothing while it isn't known.
std::optional<std::int64_t> positive(const InferContext& context, std::size_t input,
                                     const std::string& what) {
    vector_length(context, input, what);
    const auto value = single_int(context, input, what);
    context.check(!value || *value > 0,
                  what + " is " + std::to_string(value.value_or(0)) + "; expected 1 or more");
    return value;
}

// How many whole frames the signal holds; none if it is shorter than one.
Dimension frames_in(const Dimension& length, std::int64_t size, std::int64_t step) {
    const auto whole = [&](std::int64_t extent) {
        return extent < size ? 0 : (extent - size) / step + 1;
    };
    const bool is_open = length.max() == Dimension::kInfinity;
    return {whole(length.min()), is_open ? length.max() : whole(length.max())};
}

}  // namespace

void Stft::infer(InferContext& context) const {
    context.check_input_count(4, 4);
    const ElementType type = context.merge_types({0, 1});
    check_type(context, TypeRule::floating, type, "the signal is");
    context.check_rank(1, 1, "window");
    const auto size = positive(context, 2, "frame_size");
    const auto step = positive(context, 3, "frame_step");
    const PartialShape& window = context.shape(1);
    context.check(!size || !window.has_rank() || window[0].min() <= *size,
                  "frame_size is " + std::to_string(size.value_or(0)) +
                      ", but the window has shape " + to_string(window) +
                      "; expected at most that many elements");
    const PartialShape& signal = context.shape(0);
    if (!signal.has_rank()) {
        context.set_output(0, type, PartialShape());
        return;
    }
    context.check(signal.rank() == 1 || signal.rank() == 2,
                  "the signal has shape " + to_string(signal) + "; expected [T] or [batch,T]");
    Dimension bins, frames;
    if (size) bins = *size / 2 + 1;
    if (size && step) {
        frames = frames_in(signal.dimensions().back(), *size, *step);
    }
    std::vector<Dimension> extents;
    if (signal.rank() == 2) extents.push_back(signal[0]);
    extents.push_back(frames_first() ? frames : bins);
    extents.push_back(frames_first() ? bins : frames);
    extents.emplace_back(2);
    context.set_output(0, type, PartialShape(std::move(extents)));
}

std::optional<IndependentAxis> Stft::independent_axis(std::size_t, std::size_t axis) const {
    if (input(0).shape().rank() != 2 || axis != 0) return std::nullopt;
    return rows_of_data(*this, 0, 0);
}

}  // namespace rondo::ops
