// Clip: the smaller of max and the larger of min and the data.
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

// Bounds that are empty are absent. The last op made has the node's name.
std::vector<Output> bounded(NodeContext& context, const Output& data, const Output& min,
                            const Output& max) {
    Output result = data;
    if (min) {
        result = context.make<ops::Binary>(max ? "min" : "", BinaryFunction::maximum, result, min);
    }
    if (max) result = context.make<ops::Binary>("", BinaryFunction::minimum, result, max);
    return {result};
}

// A single number, so that the result has the shape of the data.
Output bound_of(NodeContext& context, std::size_t input, const std::string& name) {
    const Output bound = context.optional_input(input);
    if (!bound) return bound;
    const PartialShape& shape = bound.shape();
    const PartialShape& data = context.input(0).shape();
    if (!shape.has_rank()) return make_reshape(context, name + "_scalar", bound, {});
    if (shape.rank() == 0) return bound;
    if (shape.rank() > 1 || !shape[0].contains(1)) {
        throw ModelError(name + " has shape " + to_string(shape) + "; expected a single element");
    }
    const bool keeps_shape = shape[0].is_static() && data.has_rank() && data.rank() > 0;
    return keeps_shape ? bound : make_reshape(context, name + "_scalar", bound, {});
}

}  // namespace

std::vector<Output> convert_clip_1(NodeContext& context) {
    skip_consumed_inputs(context);
    const Output data = context.input(0);
    const auto bound = [&](const char* name) -> Output {
        const auto value = context.attributes().find_float(name);
        if (!value) return {};
        const ElementType type = NodeContext::known_type(data, "input");
        return make_filled(context, std::string(name) + "_value", type, {},
                           static_cast<double>(*value));
    };
    const Output min = bound("min");
    return bounded(context, data, min, bound("max"));
}

std::vector<Output> convert_clip_11(NodeContext& context) {
    const Output data = context.input(0);
    const Output min = bound_of(context, 1, "min");
    return bounded(context, data, min, bound_of(context, 2, "max"));
}

}  // namespace rondo::onnx
