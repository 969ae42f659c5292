// Converts BitCast.
#include "core/ops/movement/bit_cast.hpp"

#include "core/ops/elementwise/convert.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

// A boolean's byte is 0 or 1, and every other byte than 0 is true: what Convert of bytes says.
std::vector<Output> convert_bit_cast(NodeContext& context) {
    const Output data = context.input(0);
    const ElementType from = NodeContext::known_type(data, "input");
    const auto to = find_element_type(context.attributes(), "to");
    if (!to) throw ModelError("attribute 'to' is missing");
    const bool has_flags = from == ElementType::boolean || *to == ElementType::boolean;
    if (has_flags && size_of(from) == size_of(*to)) {
        return {context.make<ops::Convert>("", data, *to)};
    }
    if (from == *to) return {data};
    return {context.make<ops::BitCast>("", data, *to)};
}

}  // namespace rondo::onnx
