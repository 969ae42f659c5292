#include "core/ops/control/tensor_iterator.hpp"
#include "core/support/strings.hpp"

#include <algorithm>

namespace rondo::ops {

void TensorIterator::check_own(const InferContext& context) const {
    const auto& inputs = body_ports().inputs;
    const bool sliced = std::any_of(inputs.begin(), inputs.end(),
                                    [](const BodyInput& port) { return port.slice.has_value(); });
    context.check(sliced, "no input is cut into parts, so nothing says how often the body runs");
}

TripCount TensorIterator::trip_count(const InferContext& context) const {
    TripCount count;
    for (const BodyInput& port : body_ports().inputs) {
        if (!port.slice) continue;
        const PartialShape& shape = context.shape(port.input);
        const std::int64_t axis = port.slice->axis;
        if (!shape.has_rank()) continue;
        const std::string what = "input " + std::to_string(port.input);
        const bool known = axis >= 0 && axis < static_cast<std::int64_t>(shape.rank()) &&
                           shape[static_cast<std::size_t>(axis)].is_static();
        if (!known) continue;
        const std::size_t parts = plan_parts(context, *port.slice, shape, what).parts;
        context.check(!count.exact || *count.exact == parts,
                      what + " has " + counted(parts, "part") + "; expected " +
                          std::to_string(count.exact.value_or(0)) + " as the inputs before it");
        count = {parts, parts > 0};
    }
    return count;
}

}  // namespace rondo::ops
