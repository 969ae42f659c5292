// Converts RandomUniform, RandomNormal, their Like forms, Bernoulli and Multinomial: all draw by
// the IR's RandomUniform.
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "core/ops/reduction/cum_sum.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/source/random_uniform.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/source/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;
using ops::CompareFunction;
using ops::UnaryFunction;

// A whole seed above 0 as itself, others by their bits: the IR's 0 says that there is none.
ops::RandomSeed seed_of(NodeContext& context) {
    const auto seed = context.attributes().find_float("seed");
    if (!seed) return {};
    if (*seed >= 1 && *seed < 0x1p24F && *seed == std::floor(*seed)) {
        return {static_cast<std::uint64_t>(*seed), 0};
    }
    return {(std::uint64_t{1} << 32) | std::bit_cast<std::uint32_t>(*seed), 0};
}

ElementType floating(ElementType type) {
    if (is_floating(type)) return type;
    throw UnsupportedError("the output's type is " + std::string(to_string(type)) +
                           "; expected a floating type");
}

Output known_shape(NodeContext& context) {
    const auto shape = context.attributes().find_ints("shape");
    if (!shape) throw ModelError("attribute 'shape' is missing");
    return make_ints(context, "shape", *shape);
}

// Numbers in [least, bound) of the formula's type.
Output uniform(NodeContext& context, Composer& by, const Output& shape, double least, double bound,
               const ops::RandomSeed& seed) {
    return context.make<ops::RandomUniform>(by.role(), shape, by.number(least), by.number(bound),
                                            by.type(), seed);
}

std::vector<Output> make_uniform(NodeContext& context, const Output& shape, ElementType type) {
    const float least = context.attributes().find_float("low").value_or(0);
    const float bound = context.attributes().find_float("high").value_or(1);
    Composer by(context, arithmetic_type(type));
    return {by.convert(uniform(context, by, shape, static_cast<double>(least),
                               static_cast<double>(bound), seed_of(context)),
                       type)};
}

// By Box and Muller: sqrt(-2 ln(1 - u)) cos(2 pi v).
std::vector<Output> make_normal(NodeContext& context, const Output& shape, ElementType type) {
    const float mean = context.attributes().find_float("mean").value_or(0);
    const float scale = context.attributes().find_float("scale").value_or(1);
    Composer by(context, arithmetic_type(type));
    const ops::RandomSeed seed = seed_of(context);
    const bool has_seed = seed.global != 0;
    const Output u = uniform(context, by, shape, 0, 1, seed);
    const Output v = uniform(context, by, shape, 0, 1, {seed.global, has_seed ? 1u : 0u});
    const Output log = by.apply(UnaryFunction::log, by.subtract(by.number(1), u));
    const Output length = by.apply(UnaryFunction::sqrt, by.multiply(log, by.number(-2)));
    const Output turn =
        by.apply(UnaryFunction::cos, by.multiply(v, by.number(2 * std::numbers::pi)));
    const Output scaled =
        by.multiply(by.multiply(length, turn), by.number(static_cast<double>(scale)));
    return {by.convert(by.add(scaled, by.number(static_cast<double>(mean))), type)};
}

using Make = std::vector<Output> (*)(NodeContext& context, const Output& shape, ElementType type);

template <Make make>
std::vector<Output> shaped(NodeContext& context) {
    const auto type = find_element_type(context.attributes(), "dtype");
    return make(context, known_shape(context), floating(type.value_or(ElementType::f32)));
}

ElementType type_like(NodeContext& context, const Output& like) {
    const auto type = find_element_type(context.attributes(), "dtype");
    return type ? *type : NodeContext::known_type(like, "input");
}

template <Make make>
std::vector<Output> like(NodeContext& context) {
    const Output like = context.input(0);
    const ElementType type = floating(type_like(context, like));
    return make(context, make_shape_of(context, "shape", like), type);
}

}  // namespace

// 1 where a number in [0, 1) is below the probability.
std::vector<Output> convert_bernoulli(NodeContext& context) {
    const Output x = context.input(0);
    const ElementType type = type_like(context, x);
    Composer by(context, arithmetic_type(NodeContext::known_type(x, "input")));
    const Output u =
        uniform(context, by, make_shape_of(context, "shape", x), 0, 1, seed_of(context));
    return {by.convert(by.compare(CompareFunction::less, u, by.wide(x)), type)};
}

// x: logarithms of probabilities [batch, classes], up to a factor of each row. A number in [0, sum)
// names the class in whose part of the running sums it lies: all others end at or before it.
std::vector<Output> convert_multinomial(NodeContext& context) {
    const Output x = context.input(0);
    NodeContext::check_shape(x, PartialShape::of_rank(2), "input");
    const ElementType type =
        find_element_type(context.attributes(), "dtype").value_or(ElementType::i32);
    if (type != ElementType::i32 && type != ElementType::i64) {
        throw ModelError("attribute 'dtype' names " + std::string(to_string(type)) +
                         "; expected INT32 or INT64");
    }
    const std::int64_t samples = context.attributes().find_int("sample_size").value_or(1);
    if (samples < 1) {
        throw ModelError("attribute 'sample_size' is " + std::to_string(samples) +
                         "; expected 1 or more");
    }
    Composer by(context, ElementType::f64);
    const Output logs = by.wide(x);
    const Output greatest =
        context.make<ops::Reduce>(by.role(), ops::ReduceFunction::max, logs, by.ints({1}), true);
    const Output parts = by.apply(UnaryFunction::exp, by.subtract(logs, greatest));
    const Output sums =
        context.make<ops::CumSum>(by.role(), parts, by.integer(1), ops::CumSum::Options());
    const Output total = by.slice(sums, 1, -1, kSliceEnd);
    const Output batch = make_element(context, by.role(), make_shape_of(context, "shape", x), 0);
    const Output shape = make_concat(context, by.role(), {batch, by.ints({samples})}, 0);
    const Output drawn = by.multiply(uniform(context, by, shape, 0, 1, seed_of(context)), total);
    const Output is_before =
        by.compare(CompareFunction::less_equal, by.unsqueeze(sums, {1}), by.unsqueeze(drawn, {2}));
    return {by.sum_along(by.convert(is_before, type), 2)};
}

std::vector<Output> convert_random_normal(NodeContext& context) {
    return shaped<make_normal>(context);
}

std::vector<Output> convert_random_normal_like(NodeContext& context) {
    return like<make_normal>(context);
}

std::vector<Output> convert_random_uniform(NodeContext& context) {
    return shaped<make_uniform>(context);
}

std::vector<Output> convert_random_uniform_like(NodeContext& context) {
    return like<make_uniform>(context);
}

}  // namespace rondo::onnx
