// What the ops have in common whose inputs name places of elements.
#include "core/ops/indexing/indexing_ops.hpp"

#include <string>

#include "core/graph/infer_context.hpp"

namespace rondo::ops {

void check_indices(const InferContext& context, std::size_t input, std::string_view what) {
    const ElementType type = context.type(input);
    context.check(
        is_integral(type) || type == ElementType::dynamic,
        std::string(what) + " have type " + std::string(to_string(type)) + "; expected integers");
}

void check_beside_axis(const InferContext& context, std::size_t input, std::string_view what,
                       std::size_t axis) {
    const PartialShape& data = context.shape(0);
    const PartialShape& shape = context.shape(input);
    bool fits = data.rank() == shape.rank();
    for (std::size_t i = 0; fits && i < data.rank(); ++i) {
        fits = i == axis || shape[i].min() <= data[i].max();
    }
    context.check(fits, std::string(what) + " have shape " + to_string(shape) +
                            ", but data has shape " + to_string(data) +
                            "; expected the same rank, and no larger extent except along axis " +
                            std::to_string(axis));
}

}  // namespace rondo::ops
