// Converts Pow, whose inputs may differ in type.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/support/visit_type.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {
namespace {

template <typename T>
double number_of(T element) {
    if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(element);
    return static_cast<double>(static_cast<float>(element));
}

template <typename T>
bool holds(double number) {
    return number_of(T(static_cast<float>(number))) == number || std::isnan(number);
}

// Whether the elements are known and keep their values in the floating type.
bool fits(const Output& value, ElementType type) {
    const Tensor known = known_value(value);
    if (!known || type == ElementType::f64) return type == ElementType::f64;
    if (is_narrow(known.element_type())) return false;
    return visit_type(known.element_type(), [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        const auto* elements = known.data<T>();
        return std::all_of(elements, elements + known.size(), [&](const T& element) {
            const double number = number_of(element);
            if (type == ElementType::f16) return holds<float16>(number);
            return type == ElementType::bf16 ? holds<bfloat16>(number) : holds<float>(number);
        });
    });
}

// The type to compute in where both differ: a narrower one would make another number of an integer
// base or of the exponent. Modulo 2^64 the low bits of a power are right for any narrower integer.
ElementType common_type(const Output& base, const Output& exponent) {
    const bool floating = is_floating(base.element_type());
    if (!floating && !is_floating(exponent.element_type())) {
        return exponent.element_type() == ElementType::u64 ? ElementType::u64 : ElementType::i64;
    }
    return floating && fits(exponent, base.element_type()) ? base.element_type() : ElementType::f64;
}

Output converted(NodeContext& context, const char* role, const Output& value, ElementType type) {
    return value.element_type() == type ? value : context.make<ops::Convert>(role, value, type);
}

}  // namespace

// Both have one type; the exponent's axes stand where `axis` says.
std::vector<Output> convert_pow_1(NodeContext& context) {
    const Operands operands = operands_of(context);
    const auto node =
        std::make_shared<ops::Binary>(ops::BinaryFunction::power, operands.a, operands.b);
    node->set_auto_broadcast(operands.rule);
    return {context.finish(node, "")};
}

// Since opset 12 the exponent's type may differ; the result has the base's.
std::vector<Output> convert_pow_7(NodeContext& context) {
    const Output base = context.input(0);
    const Output exponent = context.input(1);
    if (base.element_type() == exponent.element_type()) {
        return {context.make<ops::Binary>("", ops::BinaryFunction::power, base, exponent)};
    }
    const ElementType type = NodeContext::known_type(base, "X");
    NodeContext::known_type(exponent, "Y");
    const ElementType common = common_type(base, exponent);
    const Output x = converted(context, "X", base, common);
    const Output y = converted(context, "Y", exponent, common);
    if (common == type) return {context.make<ops::Binary>("", ops::BinaryFunction::power, x, y)};
    return {context.make<ops::Convert>(
        "", context.make<ops::Binary>("power", ops::BinaryFunction::power, x, y), type)};
}

}  // namespace rondo::onnx
