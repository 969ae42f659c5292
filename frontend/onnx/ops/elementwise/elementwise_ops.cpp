// Operators that become an elementwise op or a few: functions of any number of tensors,
// comparisons, functions of bits, Where, Clip, Pow, Cast; and those that pass their input.
#include "core/ops/elementwise/elementwise_ops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/ops/compositions.hpp"
#include "core/support/visit_type.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

std::vector<Output> convert_unary(NodeContext& by, UnaryFunction function) {
    skip_consumed_inputs(by);
    return {by.apply(function, by.input(0))};
}

namespace {

template <typename T, typename Function>
std::shared_ptr<T> with_broadcast(NodeContext& by, Function function) {
    const Operands operands = operands_of(by);
    const auto node = std::make_shared<T>(function, operands.a, operands.b);
    node->set_auto_broadcast(operands.rule);
    return node;
}

}  // namespace

std::vector<Output> convert_binary(NodeContext& by, BinaryFunction function) {
    const auto node = with_broadcast<ops::Binary>(by, function);
    // ONNX's Div rounds integers towards zero.
    if (function == BinaryFunction::divide) node->set_python_division(false);
    return {by.finish(node)};
}

std::vector<Output> convert_compare(NodeContext& by, CompareFunction function) {
    return {by.finish(with_broadcast<ops::Compare>(by, function))};
}

std::vector<Output> convert_logical(NodeContext& by, ops::LogicalFunction function) {
    return {by.finish(with_broadcast<ops::Logical>(by, function))};
}

std::vector<Output> convert_mod(NodeContext& by) {
    const bool truncates = by.attribute("fmod", false);
    return convert_binary(by, truncates ? BinaryFunction::mod : BinaryFunction::floor_mod);
}

std::vector<Output> convert_reciprocal(NodeContext& by) {
    skip_consumed_inputs(by);
    const Output x = by.input(0);
    return {by.divide(by.number(NodeContext::known_type(x, "X"), 1), x)};
}

// Only NaN differs from itself.
std::vector<Output> convert_is_nan(NodeContext& by) {
    const Output x = by.input(0);
    NodeContext::floating_type(x);
    return {by.compare(CompareFunction::not_equal, x, x)};
}

std::vector<Output> convert_is_inf(NodeContext& by) {
    const bool negative = by.attribute("detect_negative", true);
    const bool positive = by.attribute("detect_positive", true);
    const Output x = by.input(0);
    NodeContext::floating_type(x);
    const bool is_below = negative && !positive;
    const Output infinity = by.number(is_below ? -ops::kInfinity : ops::kInfinity, x);
    if (!negative && !positive) return {by.greater(x, infinity)};  // false everywhere
    return {by.equal(is_below || !negative ? x : by.apply(UnaryFunction::abs, x), infinity)};
}

std::vector<Output> convert_bitwise(NodeContext& by, BinaryFunction function) {
    return {by.apply(function, by.input(0), by.input(1))};
}

std::vector<Output> convert_bit_shift(NodeContext& by) {
    constexpr std::pair<std::string_view, BinaryFunction> kDirections[] = {
        {"LEFT", BinaryFunction::bitwise_left_shift},
        {"RIGHT", BinaryFunction::bitwise_right_shift}};
    by.required_string("direction");
    return convert_bitwise(by, by.choice("direction", "", kDirections));
}

std::vector<Output> convert_where(NodeContext& by) {
    return {by.select(by.input(0), by.input(1), by.input(2))};
}

// No node: the tensor gets one more name.
std::vector<Output> convert_identity(NodeContext& by) { return {by.any_input(0)}; }

namespace {

constexpr std::int64_t kBroadcastSince = 8;

// From left to right; one input passes as it is.
Output chain(NodeContext& by, BinaryFunction function) {
    skip_consumed_inputs(by);
    const auto inputs = by.all_inputs(1);
    Output result = inputs.front();
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        const auto node = std::make_shared<ops::Binary>(function, result, inputs[i]);
        if (by.opset() < kBroadcastSince) node->set_auto_broadcast(ops::AutoBroadcast::none);
        result = by.finish(node);
    }
    return result;
}

}  // namespace

std::vector<Output> convert_n_ary(NodeContext& by, BinaryFunction function) {
    return {chain(by, function)};
}

std::vector<Output> convert_mean(NodeContext& by) {
    const Output sum = chain(by, BinaryFunction::add);
    const ElementType type = NodeContext::known_type(sum, "data_0");
    return {by.divide(sum, by.number(type, static_cast<double>(by.input_count())))};
}

// x + bias + skip.
std::vector<Output> convert_bias_add(NodeContext& by) {
    return {by.add(by.add(by.input(0), by.input(1)), by.input(2))};
}

namespace {

// The smaller of max and the larger of min and the data; bounds that are empty are absent.
std::vector<Output> bounded(NodeContext& by, const Output& data, const Output& min,
                            const Output& max) {
    const Output above = min ? by.maximum(data, min) : data;
    return {max ? by.minimum(above, max) : above};
}

// A single number, so that the result has the shape of the data.
Output bound_of(NodeContext& by, std::size_t input, const std::string& name) {
    const Output bound = by.optional_input(input);
    if (!bound) return bound;
    const PartialShape& shape = bound.shape();
    const PartialShape& data = by.input(0).shape();
    if (!shape.has_rank()) return by.scalar(bound);
    if (shape.rank() == 0) return bound;
    if (shape.rank() > 1 || !shape[0].contains(1)) {
        throw ModelError(name + " has shape " + to_string(shape) + "; expected a single element");
    }
    const bool keeps_shape = shape[0].is_static() && data.has_rank() && data.rank() > 0;
    return keeps_shape ? bound : by.scalar(bound);
}

}  // namespace

std::vector<Output> convert_clip_1(NodeContext& by) {
    skip_consumed_inputs(by);
    const Output data = by.input(0);
    const auto bound = [&](const char* name) -> Output {
        const auto value = by.attributes().find_float(name);
        if (!value) return {};
        return by.number(NodeContext::known_type(data, "input"), *value);
    };
    const Output min = bound("min");
    return bounded(by, data, min, bound("max"));
}

std::vector<Output> convert_clip_11(NodeContext& by) {
    const Output min = bound_of(by, 1, "min");
    return bounded(by, by.input(0), min, bound_of(by, 2, "max"));
}

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

// The type to compute a power in if both types differ: a narrower one would make another number
// of an integer base or of the exponent. Modulo 2^64 the low bits of a power are right for any
// narrower integer.
ElementType common_type(const Output& base, const Output& exponent) {
    const bool floating = is_floating(base.element_type());
    if (!floating && !is_floating(exponent.element_type())) {
        return exponent.element_type() == ElementType::u64 ? ElementType::u64 : ElementType::i64;
    }
    return floating && fits(exponent, base.element_type()) ? base.element_type() : ElementType::f64;
}

}  // namespace

// Since opset 12 the exponent's type may differ; the result has the base's.
std::vector<Output> convert_pow_7(NodeContext& by) {
    const Output base = by.input(0), exponent = by.input(1);
    if (base.element_type() == exponent.element_type()) {
        return {by.apply(BinaryFunction::power, base, exponent)};
    }
    const ElementType type = NodeContext::known_type(base, "X");
    NodeContext::known_type(exponent, "Y");
    const ElementType common = common_type(base, exponent);
    const Output power =
        by.apply(BinaryFunction::power, by.convert(base, common), by.convert(exponent, common));
    return {by.convert(power, type)};
}

namespace {

constexpr std::int64_t kSaturateSince = 19;
constexpr std::int64_t kRoundModeSince = 24;

// How numbers become 8-bit floats; of no effect on other types.
NarrowRounding read_rounding(NodeContext& by) {
    using Scale = NarrowRounding::Scale;
    constexpr std::pair<std::string_view, Scale> kModes[] = {
        {"up", Scale::up}, {"down", Scale::down}, {"nearest", Scale::nearest}};
    NarrowRounding rounding;
    if (by.opset() >= kSaturateSince) rounding.saturates = by.attribute("saturate", true);
    if (by.opset() >= kRoundModeSince) rounding.scale = by.choice("round_mode", "up", kModes);
    return rounding;
}

std::vector<Output> cast_to(NodeContext& by, ElementType type) {
    const NarrowRounding rounding = read_rounding(by);
    return {
        by.make<ops::Convert>(by.input(0), type, is_narrow(type) ? rounding : NarrowRounding())};
}

}  // namespace

// Before opset 6 the type is named, not numbered.
std::vector<Output> convert_cast_1(NodeContext& by) {
    return {by.make<ops::Convert>(by.input(0), element_type_from_name(by.required_string("to")))};
}

std::vector<Output> convert_cast_6(NodeContext& by) {
    const auto to = find_element_type(by.attributes(), "to");
    if (!to) throw ModelError("attribute 'to' is missing");
    return cast_to(by, *to);
}

// The second input is there for its type alone.
std::vector<Output> convert_cast_like(NodeContext& by) {
    return cast_to(by, NodeContext::known_type(by.input(1), "target_type"));
}

// Training is what the node says unless is_test is set.
std::vector<Output> convert_dropout_1(NodeContext& by) {
    skip_consumed_inputs(by);
    if (!by.attribute("is_test", false)) {
        throw UnsupportedError("attribute 'is_test' is 0; only inference is supported");
    }
    return convert_dropout_7(by);
}

// Nothing is dropped in inference: the data passes. Before opset 12 the mask's values are
// undefined, so no node may read it.
std::vector<Output> convert_dropout_7(NodeContext& by) {
    by.attributes().find_float("ratio");
    return {by.input(0), Output()};
}

// Since opset 12 the mask is all true in inference.
std::vector<Output> convert_dropout_12(NodeContext& by) {
    by.attributes().find_int("seed");
    by.optional_input(1);  // the ratio
    if (const Output training_mode = by.optional_input(2)) {
        const Tensor known = known_value(training_mode);
        const bool off = known && known.element_type() == ElementType::boolean &&
                         known.size() == 1 && !*known.data<bool>();
        if (!off) {
            throw UnsupportedError("training_mode is " +
                                   std::string(known ? "true" : "not constant") +
                                   "; only inference is supported");
        }
    }
    const Output data = by.input(0);
    if (!by.has_output(1)) return {data};
    return {data, by.broadcast(by.number(ElementType::boolean, 1), by.shape_of(data))};
}

}  // namespace rondo::onnx
