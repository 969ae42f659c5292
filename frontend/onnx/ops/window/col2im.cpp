// Converts Col2Im.
#include "core/ops/window/col2im.hpp"

#include <string>

#include "frontend/onnx/ops/window/converters.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

std::vector<Output> convert_col2im(NodeContext& context) {
    const Output data = context.input(0);
    const Output image = context.input(1);
    const Output block = context.input(2);
    NodeContext::check_shape(data, PartialShape::of_rank(3), "input");
    if (!data.shape().has_rank()) throw UnsupportedError("the rank of the input isn't known");
    const PartialShape& sizes = image.shape().is_static() ? image.shape() : block.shape();
    if (!sizes.is_static() || sizes.rank() != 1) {
        throw UnsupportedError("image_shape has shape " + to_string(image.shape()) +
                               " and block_shape " + to_string(block.shape()) +
                               "; expected a known number of axes");
    }
    if (context.attributes().has("auto_pad")) {
        throw ModelError("attribute 'auto_pad' is not known for this operator");
    }
    const auto axes = static_cast<std::size_t>(sizes[0].length());
    return {context.make<ops::Col2Im>("", data, image, block, window_attributes(context, axes))};
}

}  // namespace rondo::onnx
