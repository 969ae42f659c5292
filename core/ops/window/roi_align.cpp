// Samples regions of a feature map in bins of equal size.
#include "core/ops/window/samplers.hpp"

#include <cmath>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/families.hpp"

namespace rondo::ops {
namespace {

constexpr std::int64_t kMaxBins = std::int64_t{1} << 30;

void check_attribute(const InferContext& context, const char* name, std::int64_t value,
                     std::int64_t least, std::int64_t most) {
    context.check(value >= least && value <= most,
                  std::string(name) + " is " + std::to_string(value) + "; expected " +
                      std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace

void RoiAlign::infer(InferContext& context) const {
    context.check_input_count(3, 3);
    check_attribute(context, "pooled_h", attributes_.pooled_h, 1, kMaxBins);
    check_attribute(context, "pooled_w", attributes_.pooled_w, 1, kMaxBins);
    check_attribute(context, "sampling_ratio", attributes_.sampling_ratio, 0, kMaxRoiSamples);
    context.check(std::isfinite(attributes_.spatial_scale),
                  "spatial_scale is " + std::to_string(attributes_.spatial_scale) +
                      "; expected a finite number");
    const ElementType type = context.merge_types({0, 1});
    check_type(context, TypeRule::floating, type, "the data is");
    check_type(context, TypeRule::integer, context.type(2), "the batch indices are");
    context.check_rank(0, 4, "data");
    context.check_rank(1, 2, "regions");
    context.check_rank(2, 1, "batch indices");
    Dimension regions, channels;
    if (context.shape(0).has_rank()) channels = context.shape(0)[1];
    if (context.shape(1).has_rank()) {
        regions = context.shape(1)[0];
        context.check(
            context.shape(1)[1].contains(4),
            "regions have shape " + to_string(context.shape(1)) + "; expected four numbers each");
    }
    if (context.shape(2).has_rank()) {
        regions = context.merge(regions, context.shape(2)[0], "the number of regions");
    }
    context.set_output(0, type,
                       PartialShape{regions, channels, attributes_.pooled_h, attributes_.pooled_w});
}

}  // namespace rondo::ops
