#include "core/ops/movement/bit_cast.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {

void BitCast::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    const ElementType type = context.type(0);
    if (type == ElementType::boolean || output_type_ == ElementType::boolean) {
        context.refuse("the data or output_type is boolean; expected numbers");
    }
    if (type != ElementType::dynamic && size_of(type) != size_of(output_type_)) {
        context.fail("the data is " + std::string(to_string(type)) + ", output_type is " +
                     std::string(to_string(output_type_)) + "; expected a type of the same size");
    }
    context.set_output(0, output_type_, context.shape(0));
}

std::optional<IndependentAxis> BitCast::independent_axis(std::size_t, std::size_t axis) const {
    return rows_of_data(*this, axis, axis);
}

}  // namespace rondo::ops
