// The unary family: one row a function.
#include "core/ops/elementwise/unary.hpp"

#include <algorithm>
#include <cmath>

#include "core/ops/reference/common/booleans.hpp"
#include "core/ops/reference/common/doubles.hpp"
#include "core/ops/reference/common/words.hpp"
#include "core/ops/reference/elementwise/evaluators.hpp"
#include "core/support/check.hpp"

namespace rondo::reference {
namespace {

using ops::UnaryFunction;
using Word = std::uint64_t;

// `of_floats` may be null for functions of booleans, `of_words` for functions of floating types.
struct UnaryRow {
    UnaryFunction function;
    double (*of_floats)(double x);
    Word (*of_words)(Word x, bool is_signed) = nullptr;
};

bool is_negative(Word x, bool is_signed) { return is_signed && static_cast<std::int64_t>(x) < 0; }

Word same_word(Word x, bool) { return x; }
Word abs_word(Word x, bool is_signed) { return is_negative(x, is_signed) ? Word{0} - x : x; }
Word not_word(Word x, bool) { return x == 0 ? 1 : 0; }
Word negative_word(Word x, bool) { return Word{0} - x; }
Word relu_word(Word x, bool is_signed) { return is_negative(x, is_signed) ? 0 : x; }
Word sign_word(Word x, bool is_signed) {
    if (is_negative(x, is_signed)) return ~Word{0};
    return x == 0 ? 0 : 1;
}

// min(max(x + 3, 0), 6) / 6; NaN stays NaN.
double hsigmoid(double x) { return std::isnan(x) ? x : std::clamp(x + 3, 0.0, 6.0) / 6; }

// ln(1 + e^x) without overflow.
double softplus(double x) { return std::fmax(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

double relu(double x) { return x > 0 || std::isnan(x) ? x : 0.0; }
double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
// Infinity times 0 and infinity over infinity would be NaN.
double hswish(double x) { return x <= -3 ? -0.0 : x * hsigmoid(x); }
double mish(double x) { return std::isinf(x) && x < 0 ? -0.0 : x * std::tanh(softplus(x)); }
double softsign(double x) { return std::isinf(x) ? sign(x) : x / (1 + std::fabs(x)); }

constexpr UnaryRow kRows[] = {
    {UnaryFunction::abs, [](double x) { return std::fabs(x); }, abs_word},
    {UnaryFunction::acos, [](double x) { return std::acos(x); }},
    {UnaryFunction::acosh, [](double x) { return std::acosh(x); }},
    {UnaryFunction::asin, [](double x) { return std::asin(x); }},
    {UnaryFunction::asinh, [](double x) { return std::asinh(x); }},
    {UnaryFunction::atan, [](double x) { return std::atan(x); }},
    {UnaryFunction::atanh, [](double x) { return std::atanh(x); }},
    {UnaryFunction::ceiling, [](double x) { return std::ceil(x); }, same_word},
    {UnaryFunction::cos, [](double x) { return std::cos(x); }},
    {UnaryFunction::cosh, [](double x) { return std::cosh(x); }},
    {UnaryFunction::erf, [](double x) { return std::erf(x); }},
    {UnaryFunction::exp, [](double x) { return std::exp(x); }},
    {UnaryFunction::floor, [](double x) { return std::floor(x); }, same_word},
    {UnaryFunction::hsigmoid, hsigmoid},
    {UnaryFunction::hswish, hswish},
    {UnaryFunction::log, [](double x) { return std::log(x); }},
    {UnaryFunction::logical_not, nullptr, not_word},
    {UnaryFunction::mish, mish},
    {UnaryFunction::negative, [](double x) { return -x; }, negative_word},
    {UnaryFunction::relu, relu, relu_word},
    {UnaryFunction::round, [](double x) { return std::nearbyint(x); }, same_word},
    {UnaryFunction::sigmoid, sigmoid},
    {UnaryFunction::sign, sign, sign_word},
    {UnaryFunction::sin, [](double x) { return std::sin(x); }},
    {UnaryFunction::sinh, [](double x) { return std::sinh(x); }},
    {UnaryFunction::softplus, softplus},
    {UnaryFunction::softsign, softsign},
    {UnaryFunction::sqrt, [](double x) { return std::sqrt(x); }},
    {UnaryFunction::tan, [](double x) { return std::tan(x); }},
    {UnaryFunction::tanh, [](double x) { return std::tanh(x); }},
};
static_assert(ops::in_order_of_functions(kRows) && std::size(kRows) == std::size(ops::kUnaryOps));

const UnaryRow& row_of(const Node& node) {
    return kRows[static_cast<int>(static_cast<const ops::Unary&>(node).function())];
}

}  // namespace

void unary(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const UnaryRow& row = row_of(node);
    const ElementType type = inputs[0].element_type();
    if (is_floating(type)) {
        auto values = to_doubles(inputs[0]);
        std::transform(values.begin(), values.end(), values.begin(), row.of_floats);
        from_doubles(values, outputs[0]);
        return;
    }
    internal_check(row.of_words != nullptr, "a function of floating types is asked for integers");
    auto words = to_words_or_bits(inputs[0]);
    for (auto& word : words) word = row.of_words(word, is_signed(type));
    type == ElementType::boolean ? to_booleans(words, outputs[0]) : from_words(words, outputs[0]);
}

}  // namespace rondo::reference
