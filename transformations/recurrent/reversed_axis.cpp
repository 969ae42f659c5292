#include "transformations/recurrent/reversed_axis.hpp"

#include <cstdint>
#include <limits>

#include "core/ops/movement/slice.hpp"
#include "transformations/pass/constants.hpp"

namespace rondo::passes {
namespace {

// Exporters write the least 32-bit integer, or the one after it, for what lies before the first
// element.
constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int32_t>::min() + 1;

bool turns_round(const ops::SliceRequest& request, const Dimension& extent) {
    if (!request.start || !request.stop || request.step != -1) return false;
    if (!extent.is_static()) return *request.start == -1 && *request.stop <= kBeforeAll;
    const auto range = ops::resolve(request, extent.length());
    return range.length == extent.length() && range.length > 1;
}

}  // namespace

std::optional<std::size_t> reversed_axis(const Node& node) {
    const auto* slice = as_op<ops::Slice>(node);
    if (slice == nullptr || !slice->input(0).shape().has_rank()) return {};
    const PartialShape& shape = slice->input(0).shape();
    const auto requests = ops::slice_requests(context_of(*slice));
    if (!requests || requests->size() > shape.rank()) return {};
    std::optional<std::size_t> found;
    for (std::size_t axis = 0; axis < requests->size(); ++axis) {
        if (ops::takes_all((*requests)[axis])) continue;
        if (found || !turns_round((*requests)[axis], shape[axis])) return {};
        found = axis;
    }
    return found;
}

}  // namespace rondo::passes
