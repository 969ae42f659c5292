#include "core/ops/elementwise/broadcasting.hpp"

#include <string>

#include "core/graph/infer_context.hpp"

namespace rondo::ops {

PartialShape Broadcasting::common_shape(const InferContext& context, const PartialShape& a,
                                        const PartialShape& b) const {
    if (auto_broadcast_ == AutoBroadcast::pdpd) {
        context.refuse("auto_broadcast is 'pdpd'; expected 'numpy' or 'none'");
    }
    if (auto_broadcast_ == AutoBroadcast::numpy) return broadcast_shapes(context, a, b);
    const auto common = a.intersect(b);
    if (!common) {
        context.fail("the inputs have shapes " + to_string(a) + " and " + to_string(b) +
                     "; expected equal ones, as auto_broadcast is 'none'");
    }
    return *common;
}

}  // namespace rondo::ops
