#include "core/ops/product/matmul.hpp"

#include "core/ops/product/matrix_shapes.hpp"

namespace rondo::ops {

void MatMul::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    const ElementType type = context.merge_types({0, 1});
    if (type == ElementType::boolean) context.refuse("the inputs are boolean; expected numbers");
    context.set_output(0, type, product_shape(context, {transpose_a_, transpose_b_}));
}

std::optional<IndependentAxis> MatMul::independent_axis(std::size_t, std::size_t axis) const {
    return product_rows(input(0).shape().rank(), input(1).shape().rank(), axis,
                        {transpose_a_, transpose_b_});
}

}  // namespace rondo::ops
