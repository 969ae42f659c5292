// Functions of one tensor: a row an operator.
#include "core/ops/elementwise/unary.hpp"

#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {
namespace {

using ops::UnaryFunction;

template <UnaryFunction function>
std::vector<Output> unary(NodeContext& context) {
    skip_consumed_inputs(context);
    return {context.make<ops::Unary>("", function, context.input(0))};
}

// keep-sorted
constexpr OpEntry kEntries[] = {
    {"", "Abs", 1, unary<UnaryFunction::abs>},
    {"", "Acos", 7, unary<UnaryFunction::acos>},
    {"", "Acosh", 9, unary<UnaryFunction::acosh>},
    {"", "Asin", 7, unary<UnaryFunction::asin>},
    {"", "Asinh", 9, unary<UnaryFunction::asinh>},
    {"", "Atan", 7, unary<UnaryFunction::atan>},
    {"", "Atanh", 9, unary<UnaryFunction::atanh>},
    {"", "Ceil", 1, unary<UnaryFunction::ceiling>},
    {"", "Cos", 7, unary<UnaryFunction::cos>},
    {"", "Cosh", 9, unary<UnaryFunction::cosh>},
    {"", "Erf", 9, unary<UnaryFunction::erf>},
    {"", "Exp", 1, unary<UnaryFunction::exp>},
    {"", "Floor", 1, unary<UnaryFunction::floor>},
    {"", "HardSwish", 14, unary<UnaryFunction::hswish>},
    {"", "Log", 1, unary<UnaryFunction::log>},
    {"", "Mish", 18, unary<UnaryFunction::mish>},
    {"", "Neg", 1, unary<UnaryFunction::negative>},
    {"", "Not", 1, unary<UnaryFunction::logical_not>},
    {"", "Relu", 1, unary<UnaryFunction::relu>},
    {"", "Round", 11, unary<UnaryFunction::round>},
    {"", "Sigmoid", 1, unary<UnaryFunction::sigmoid>},
    {"", "Sign", 9, unary<UnaryFunction::sign>},
    {"", "Sin", 7, unary<UnaryFunction::sin>},
    {"", "Sinh", 9, unary<UnaryFunction::sinh>},
    {"", "Softplus", 1, unary<UnaryFunction::softplus>},
    {"", "Softsign", 1, unary<UnaryFunction::softsign>},
    {"", "Sqrt", 1, unary<UnaryFunction::sqrt>},
    {"", "Tan", 7, unary<UnaryFunction::tan>},
    {"", "Tanh", 1, unary<UnaryFunction::tanh>},
};

}  // namespace

std::span<const OpEntry> unary_converters() { return kEntries; }

}  // namespace rondo::onnx
