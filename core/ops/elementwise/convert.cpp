// Changes the element type of a tensor.
#include "core/ops/elementwise/elementwise_ops.hpp"

#include "core/graph/infer_context.hpp"
#include "core/graph/inference.hpp"

namespace rondo::ops {

// Between integers, extents stay what they are: i32 holds all that a tensor can have.
std::vector<Dimension> Convert::known_extents(std::size_t, int steps) const {
    return rondo::known_extents(input(0), steps);
}

void Convert::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    context.check(destination_type_ != ElementType::dynamic,
                  "destination_type is missing or 'dynamic'; expected a type such as f32");
    context.set_output(0, destination_type_, context.shape(0));
}

}  // namespace rondo::ops
