// Random chains of nodes in every type: numbers are cast to it, computed with, moved and compared,
// and cast back. All of it is exact.
#include <array>

#include "tests/random/model_maker.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;

constexpr std::int64_t kBitwiseSince = 18;
constexpr ElementType kIntegers[] = {ElementType::i8,  ElementType::i16, ElementType::i32,
                                     ElementType::i64, ElementType::u8,  ElementType::u16,
                                     ElementType::u32, ElementType::u64};
constexpr ElementType kFloats[] = {ElementType::f16, ElementType::bf16, ElementType::f64};

bool is_unsigned(ElementType type) {
    return type == ElementType::u8 || type == ElementType::u16 || type == ElementType::u32 ||
           type == ElementType::u64;
}

template <typename List>
auto one_of(ModelMaker& maker, const List& list) {
    const auto last = static_cast<std::int64_t>(std::size(list)) - 1;
    return list[static_cast<std::size_t>(maker.number(0, last))];
}

Value cast(ModelMaker& maker, const Value& x, ElementType type) {
    return maker.add("Cast", {x}, x.shape, type,
                     [&](NodeBuilder& node) { node.with("to", to_onnx(type)); });
}

Value number(ModelMaker& maker, ElementType type, double value) {
    return maker.constant(converted(scalar_of<double>(value), type));
}

std::optional<Value> pick_exact(ModelMaker& maker) {
    return maker.pick(
        [](const Value& value) { return value.exact && value.rank() >= 1 && value.rank() <= 4; });
}

// Numbers within the type, rounded towards 0, or what an earlier chain of the type has left.
Value start(ModelMaker& maker, const Value& x, ElementType type) {
    const auto earlier = maker.pick_like(x, type);
    if (earlier && earlier->exact && maker.chance(0.3)) return *earlier;
    Value floats = maker.add("Clip", {x, maker.filled({}, -3), maker.filled({}, 3)}, x.shape);
    if (is_integral(type)) {
        floats = maker.add("Mul", {floats, maker.filled({}, 37.5F)}, x.shape);
        if (is_unsigned(type)) floats = maker.add("Abs", {floats}, x.shape);
    }
    return cast(maker, floats, type);
}

// Floats are multiplied by numbers alone, so that they don't become infinite.
Value typed_arithmetic(ModelMaker& maker, const Value& x) {
    static constexpr std::array kOps = {"Mul", "Add", "Sub", "Max", "Min"};
    const auto kind = static_cast<std::size_t>(maker.number(0, 4));
    const bool by_number = maker.chance(0.5) || (kind == 0 && is_floating(x.type));
    const double value = static_cast<double>(maker.number(is_unsigned(x.type) ? 0 : -3, 3));
    const Value other = by_number ? number(maker, x.type, value) : *maker.pick_like(x, x.type);
    return maker.add(kOps[kind], {x, other.exact ? other : x}, x.shape, x.type);
}

Value quotient(ModelMaker& maker, const Value& x) {
    const Value divisor = number(maker, x.type, static_cast<double>(maker.number(2, 7)));
    if (is_floating(x.type) || maker.chance(0.5)) {
        return maker.add("Div", {x, divisor}, x.shape, x.type);
    }
    return maker.add("Mod", {x, divisor}, x.shape, x.type);
}

Value sign_change(ModelMaker& maker, const Value& x) {
    static constexpr std::array kOps = {"Neg", "Abs", "Sign"};
    const char* op = is_unsigned(x.type) ? "Abs" : one_of(maker, kOps);
    return maker.add(op, {x}, x.shape, x.type);
}

// As it is where the type has no bits to work on.
Value bits(ModelMaker& maker, const Value& x) {
    static constexpr std::array kOps = {"BitwiseAnd", "BitwiseOr", "BitwiseXor"};
    if (!is_integral(x.type)) return x;
    const Value other = number(maker, x.type, static_cast<double>(maker.number(0, 100)));
    if (is_unsigned(x.type) && maker.chance(0.4)) {
        return maker.add("BitShift", {x, number(maker, x.type, maker.chance(0.5) ? 1 : 3)}, x.shape,
                         x.type, [&](NodeBuilder& node) {
                             node.with("direction", maker.chance(0.5) ? "LEFT" : "RIGHT");
                         });
    }
    if (maker.opset() < kBitwiseSince) return x;
    if (maker.chance(0.3)) return maker.add("BitwiseNot", {x}, x.shape, x.type);
    return maker.add(one_of(maker, kOps), {x, other}, x.shape, x.type);
}

Value compared(ModelMaker& maker, const Value& x) {
    static constexpr std::array kOps = {"Equal", "Less", "Greater", "LessOrEqual",
                                        "GreaterOrEqual"};
    const Value other = number(maker, x.type, static_cast<double>(maker.number(0, 3)));
    return maker.add(one_of(maker, kOps), {x, other}, x.shape, ElementType::boolean);
}

// Where one, two or three comparisons hold.
Value selected(ModelMaker& maker, const Value& x) {
    static constexpr std::array kOps = {"And", "Or", "Xor"};
    Value holds = compared(maker, x);
    if (maker.chance(0.3)) holds = maker.add("Not", {holds}, x.shape, ElementType::boolean);
    if (maker.chance(0.5)) {
        holds = maker.add(one_of(maker, kOps), {holds, compared(maker, x)}, x.shape,
                          ElementType::boolean);
    }
    const Value other = number(maker, x.type, 1);
    return maker.add("Where", {holds, x, other}, x.shape, x.type);
}

// Turned, one part twice, or in another order.
Value moved(ModelMaker& maker, const Value& x) {
    const auto axis = static_cast<std::int64_t>(x.rank()) - 1;
    const auto on_axis = [&](NodeBuilder& node) { node.with("axis", axis); };
    if (maker.chance(0.3)) {
        Extents shape(x.shape.rbegin(), x.shape.rend());
        return maker.add("Transpose", {x}, shape, x.type);
    }
    if (!x.last().is_known() || x.last().factor == 0 || x.last().factor > 16) return x;
    const std::int64_t extent = x.last().factor;
    Extents shape = x.shape;
    if (maker.chance(0.5)) {
        shape.back() = known(2);
        return maker.add("Gather", {x, maker.ints({maker.number(0, extent - 1), -1})}, shape,
                         x.type, on_axis);
    }
    shape.back() = known(2 * extent);
    return maker.add("Concat", {x, x}, shape, x.type, on_axis);
}

// The axis is never empty.
Value reduced(ModelMaker& maker, const Value& x) {
    if (!x.last().is_known() || x.last().factor == 0 || maker.opset() < kBitwiseSince) return x;
    Extents shape = x.shape;
    shape.back() = known(1);
    return maker.add(maker.chance(0.5) ? "ReduceMax" : "ReduceMin", {x, maker.ints({-1})}, shape,
                     x.type);
}

Value step(ModelMaker& maker, const Value& x) {
    static constexpr std::array kSteps = {
        typed_arithmetic, typed_arithmetic, quotient, sign_change, bits, selected, moved, reduced};
    return one_of(maker, kSteps)(maker, x);
}

Value chain(ModelMaker& maker, ElementType type, const Value& from) {
    Value x = start(maker, from, type);
    for (std::int64_t i = maker.number(1, 4); i > 0; --i) x = step(maker, x);
    return x;
}

// Numbers may be large: no other recipe sees them before they are small.
void add_small(ModelMaker& maker, const Value& x, float factor) {
    const Value numbers = cast(maker, x, ElementType::f32);
    const Value small = maker.add("Mul", {numbers, maker.filled({}, factor)}, x.shape);
    maker.hide(numbers);
    maker.hide(small);
    maker.bounded(small);
}

bool typed_integers(ModelMaker& maker) {
    const auto x = pick_exact(maker);
    if (!x) return false;
    Value result = chain(maker, one_of(maker, kIntegers), *x);
    if (maker.chance(0.3)) {
        result = step(maker, cast(maker, result, one_of(maker, kIntegers)));
    }
    add_small(maker, result, 0.01F);
    return true;
}

bool floats(ModelMaker& maker) {
    const auto x = pick_exact(maker);
    if (!x) return false;
    add_small(maker, chain(maker, one_of(maker, kFloats), *x), 0.25F);
    return true;
}

// What f64 computes and f32 doesn't; its results are close on each device.
bool doubles(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 2 && value.rank() <= 4 && value.last().is_known() &&
               value.last().factor > 0;
    });
    if (!x) return false;
    Value y = cast(maker, *x, ElementType::f64);
    const std::int64_t columns = maker.number(1, 9);
    const Shape shape{static_cast<std::size_t>(x->last().factor),
                      static_cast<std::size_t>(columns)};
    y.shape.back() = known(columns);
    const Value weights =
        maker.constant(random_tensor(ElementType::f64, shape, maker.rng(), -0.5, 0.5));
    y = maker.add("MatMul", {y, weights}, y.shape, ElementType::f64);
    static constexpr std::array kOps = {"Tanh", "Sigmoid", "Relu", "Abs"};
    y = maker.add(one_of(maker, kOps), {y}, y.shape, ElementType::f64);
    maker.bounded(cast(maker, y, ElementType::f32));
    return true;
}

}  // namespace

std::vector<Recipe> typed_recipes() { return {typed_integers, typed_integers, floats, doubles}; }

}  // namespace rondo::test
