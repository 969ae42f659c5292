// Converts Einsum.
#include "core/ops/einsum.hpp"

#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/product/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

std::vector<Output> convert_einsum(NodeContext& context) {
    const auto equation = context.attributes().find_string("equation");
    if (!equation) throw ModelError("attribute 'equation' is missing");
    Composer by(context);
    return {by.result(ops::einsum(by, *equation, context.all_inputs(1)))};
}

}  // namespace rondo::onnx
