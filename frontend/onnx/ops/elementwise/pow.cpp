// Converts Pow, whose inputs may differ in type.
#include "core/ops/elementwise/binary.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {
namespace {

// The one type to compute in where both differ. Integers are widened, since a wrapped exponent
// would be another number; modulo 2^64 the result's low bits are right for any narrower base.
ElementType common_type(ElementType base, ElementType exponent) {
    if (is_floating(base)) return base;
    return is_floating(exponent) ? exponent : ElementType::i64;
}

Output converted(NodeContext& context, const char* role, const Output& value, ElementType type) {
    return value.element_type() == type ? value : context.make<ops::Convert>(role, value, type);
}

// Since opset 12 the exponent's type may differ; the result has the base's.
std::vector<Output> convert_pow(NodeContext& context) {
    const Output base = context.input(0);
    const Output exponent = context.input(1);
    if (base.element_type() == exponent.element_type()) {
        return {context.make<ops::Binary>("", ops::BinaryFunction::power, base, exponent)};
    }
    const ElementType type = NodeContext::known_type(base, "X");
    const ElementType common = common_type(type, NodeContext::known_type(exponent, "Y"));
    const Output x = converted(context, "X", base, common);
    const Output y = converted(context, "Y", exponent, common);
    if (common == type) return {context.make<ops::Binary>("", ops::BinaryFunction::power, x, y)};
    return {context.make<ops::Convert>(
        "", context.make<ops::Binary>("power", ops::BinaryFunction::power, x, y), type)};
}

constexpr OpEntry kEntries[] = {
    {"", "Pow", 7, convert_pow},
};

}  // namespace

std::span<const OpEntry> pow_converters() { return kEntries; }

}  // namespace rondo::onnx
