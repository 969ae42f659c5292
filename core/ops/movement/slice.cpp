// Takes a part of a tensor along some of its axes.
#include "core/ops/movement/movement_ops.hpp"

#include "core/graph/infer_context.hpp"
#include "core/graph/inference.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

constexpr std::size_t kStart = 1;
constexpr std::size_t kStop = 2;
constexpr std::size_t kStep = 3;
constexpr std::size_t kAxes = 4;
constexpr const char* kSliceInputs[] = {"data", "start", "stop", "step", "axes"};

std::optional<std::vector<std::size_t>> sliced_axes(const InferContext& context) {
    const std::size_t rank = context.shape(0).rank();
    const auto count = common_length(context, kStart, kSliceInputs);
    if (!count) return std::nullopt;
    if (*count > rank) {
        context.fail("got " + std::to_string(*count) + " slices for data of shape " +
                     to_string(context.shape(0)));
    }
    if (context.input_count() > kAxes) {
        const auto axes = context.ints(kAxes);
        if (!axes) return std::nullopt;
        return distinct_axes(context, *axes, rank);
    }
    std::vector<std::size_t> axes(*count);
    for (std::size_t i = 0; i < *count; ++i) axes[i] = i;
    return axes;
}

std::optional<std::int64_t> element(const std::optional<std::vector<std::int64_t>>& values,
                                    std::size_t index) {
    if (!values) return std::nullopt;
    return values->at(index);
}

}  // namespace

std::optional<std::vector<SliceRequest>> slice_requests(const InferContext& context) {
    const auto axes = sliced_axes(context);
    if (!axes) return std::nullopt;
    const auto start = context.ints(kStart);
    const auto stop = context.ints(kStop);
    const auto step = context.ints(kStep);
    std::vector<SliceRequest> requests(context.shape(0).rank());
    for (std::size_t i = 0; i < axes->size(); ++i) {
        SliceRequest& request = requests[(*axes)[i]];
        request = {element(start, i), element(stop, i), element(step, i), i};
        if (request.step == 0) {
            context.fail("the step of axis " + std::to_string((*axes)[i]) + " is 0");
        }
    }
    return requests;
}

std::vector<Dimension> Slice::known_extents(std::size_t, int steps) const {
    const auto extents = rondo::known_extents(input(0), steps);
    SliceRequest request;
    std::optional<std::int64_t>* const numbers[] = {&request.start, &request.stop, &request.step};
    for (std::size_t i = 0; i < 3; ++i) {
        const Tensor number = rondo::known_value(input(kStart + i));
        if (!number || number.size() != 1) return {};
        *numbers[i] = to_int64_vector(number).front();
    }
    if (extents.empty() || *request.step == 0) return {};
    const SliceRange range = resolve(request, static_cast<std::int64_t>(extents.size()));
    std::vector<Dimension> taken;
    for (std::int64_t i = 0; i < range.length; ++i) {
        taken.push_back(extents[static_cast<std::size_t>(range.start + i * range.step)]);
    }
    return taken;
}

void Slice::infer(InferContext& context) const {
    context.check_input_count(4, 5);
    PartialShape result = context.shape(0);
    if (result.has_rank()) {
        const auto requests = slice_requests(context);
        for (std::size_t i = 0; i < result.rank(); ++i) {
            // It isn't known which axes are sliced: each may be.
            result[i] =
                requests ? sliced_extent((*requests)[i], result[i]) : Dimension(0, result[i].max());
        }
    }
    context.set_output(0, context.type(0), std::move(result));
}

std::optional<IndependentAxis> Slice::independent_axis(std::size_t, std::size_t axis) const {
    const auto requests = slice_requests(context_of(*this));
    if (requests && takes_all((*requests)[axis])) return rows_of_data(*this, axis, axis);
    if (input_count() > kAxes) return rows_beside_named_axis(*this, axis, kAxes);
    const PartialShape& start = input(kStart).shape();
    if (!start.is_static() || axis < element_count(start.to_shape())) return std::nullopt;
    return rows_of_data(*this, axis, axis);
}

}  // namespace rondo::ops
