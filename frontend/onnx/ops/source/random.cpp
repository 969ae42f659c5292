// Converts RandomUniform, RandomNormal, their Like forms, Bernoulli and Multinomial: all draw by
// the IR's RandomUniform.
#include <bit>
#include <cmath>
#include <numbers>

#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// A whole seed above 0 as itself, others by their bits: the IR's 0 says that there is none.
ops::RandomSeed seed_of(NodeContext& by) {
    const auto seed = by.attributes().find_float("seed");
    if (!seed) return {};
    if (*seed >= 1 && *seed < 0x1p24F && *seed == std::floor(*seed)) {
        return {static_cast<std::uint64_t>(*seed), 0};
    }
    return {(std::uint64_t{1} << 32) | std::bit_cast<std::uint32_t>(*seed), 0};
}

// Numbers in [least, bound).
Output uniform(NodeContext& by, const Output& shape, ElementType type, double least, double bound,
               const ops::RandomSeed& seed) {
    return by.make<ops::RandomUniform>(shape, by.number(type, least), by.number(type, bound), type,
                                       seed);
}

Output make_uniform(NodeContext& by, const Output& shape, ElementType type) {
    const float least = by.attribute("low", 0.0F), bound = by.attribute("high", 1.0F);
    return uniform(by, shape, type, least, bound, seed_of(by));
}

// By Box and Muller: sqrt(-2 ln(1 - u)) cos(2 pi v).
Output make_normal(NodeContext& by, const Output& shape, ElementType type) {
    const float mean = by.attribute("mean", 0.0F), scale = by.attribute("scale", 1.0F);
    const ops::RandomSeed seed = seed_of(by);
    const bool has_seed = seed.global != 0;
    const Output u = uniform(by, shape, type, 0, 1, seed);
    const Output v = uniform(by, shape, type, 0, 1, {seed.global, has_seed ? 1u : 0u});
    const Output log = by.apply(UnaryFunction::log, by.subtract(by.number(type, 1), u));
    const Output length = by.apply(UnaryFunction::sqrt, by.multiply(log, by.number(type, -2)));
    const Output turn =
        by.apply(UnaryFunction::cos, by.multiply(v, by.number(type, 2 * std::numbers::pi)));
    const Output scaled = by.multiply(by.multiply(length, turn), by.number(type, scale));
    return by.add(scaled, by.number(type, mean));
}

std::vector<Output> drawn(NodeContext& by, bool is_normal, const Output& shape, ElementType type) {
    if (!is_floating(type)) {
        throw UnsupportedError("the output's type is " + std::string(to_string(type)) +
                               "; expected a floating type");
    }
    const auto make = is_normal ? make_normal : make_uniform;
    return {by.convert(make(by, shape, arithmetic_type(type)), type)};
}

ElementType type_like(NodeContext& by, const Output& like) {
    const auto type = find_element_type(by.attributes(), "dtype");
    return type ? *type : NodeContext::known_type(like, "input");
}

}  // namespace

// 1 if a number in [0, 1) is below the probability.
std::vector<Output> convert_bernoulli(NodeContext& by) {
    const Output x = by.input(0);
    const ElementType type = type_like(by, x);
    const ElementType wide = arithmetic_type(NodeContext::known_type(x, "input"));
    const Output u = uniform(by, by.shape_of(x), wide, 0, 1, seed_of(by));
    return {by.convert(by.less(u, by.convert(x, wide)), type)};
}

// x: logarithms of probabilities [batch, classes], up to a factor of each row. A number in [0, sum)
// names the class in whose part of the running sums it lies: all others end at or before it.
std::vector<Output> convert_multinomial(NodeContext& by) {
    constexpr auto f64 = ElementType::f64;
    const Output x = by.input(0);
    NodeContext::check_shape(x, PartialShape::of_rank(2), "input");
    const ElementType type = find_element_type(by.attributes(), "dtype").value_or(ElementType::i32);
    if (type != ElementType::i32 && type != ElementType::i64) {
        throw ModelError("attribute 'dtype' names " + std::string(to_string(type)) +
                         "; expected INT32 or INT64");
    }
    const std::int64_t samples = by.attribute_from("sample_size", 1, 1);
    const Output logs = by.convert(x, f64);
    const Output greatest = by.reduce(ReduceFunction::max, logs, {1});
    const Output parts = by.apply(UnaryFunction::exp, by.subtract(logs, greatest));
    const Output sums = by.make<ops::CumSum>(parts, by.integer(1), ops::CumSum::Options());
    const Output total = by.slice(sums, 1, -1, kSliceEnd);
    const Output shape = by.concat({by.run_extent(x, 0), by.ints({samples})}, 0);
    const Output places = by.multiply(uniform(by, shape, f64, 0, 1, seed_of(by)), total);
    const Output is_before = by.less_equal(by.unsqueeze(sums, {1}), by.unsqueeze(places, {2}));
    return {by.sum_along(by.convert(is_before, type), 2)};
}

std::vector<Output> convert_random(NodeContext& by, bool is_normal) {
    const auto type = find_element_type(by.attributes(), "dtype");
    const Output shape = by.ints(by.required_ints("shape"));
    return drawn(by, is_normal, shape, type.value_or(ElementType::f32));
}

std::vector<Output> convert_random_like(NodeContext& by, bool is_normal) {
    const Output like = by.input(0);
    const ElementType type = type_like(by, like);
    return drawn(by, is_normal, by.shape_of(like), type);
}

}  // namespace rondo::onnx
