#include "core/ops/indexing/scatter_reduction.hpp"

#include "core/ops/common/type_rule.hpp"

namespace rondo::ops {

void check_reduction(const InferContext& context, ScatterReduction reduction, ElementType type) {
    const bool is_arithmetic =
        reduction == ScatterReduction::sub || reduction == ScatterReduction::mean;
    if (is_arithmetic) check_type(context, TypeRule::number, type, "data is");
}

}  // namespace rondo::ops
