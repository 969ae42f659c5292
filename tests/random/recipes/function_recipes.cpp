// Random functions that other recipes lack: those of a bounded domain, those that jump, of exact
// values alone, and operators of any number of tensors.
#include <array>

#include "tests/random/model_maker.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

constexpr std::int64_t kGeluSince = 20;
constexpr std::int64_t kSwishSince = 24;
constexpr std::int64_t kSwiGluSince = 28;
constexpr std::int64_t kCumProdSince = 26;

template <std::size_t count>
const char* one_of(ModelMaker& maker, const std::array<const char*, count>& names) {
    return names[static_cast<std::size_t>(maker.number(0, static_cast<std::int64_t>(count) - 1))];
}

Value scaled(ModelMaker& maker, const Value& x, float factor) {
    return maker.add("Mul", {x, maker.filled({}, factor)}, x.shape);
}

bool smooth(ModelMaker& maker) {
    static constexpr std::array kOps = {"Selu", "Celu", "Asinh", "Gelu", "Swish"};
    const auto x = maker.pick_of_rank(0, 4);
    if (!x) return false;
    const std::int64_t most = maker.opset() < kGeluSince ? 2 : maker.opset() < kSwishSince ? 3 : 4;
    const char* op = kOps[static_cast<std::size_t>(maker.number(0, most))];
    maker.add(op, {*x}, x->shape, ElementType::f32, [&](NodeBuilder& node) {
        if (op == std::string("Gelu") && maker.chance(0.5)) node.with("approximate", "tanh");
    });
    return true;
}

bool gated(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(0, 4);
    if (!x || maker.opset() < kSwiGluSince) return false;
    maker.bounded(maker.add("SwiGLU", {*x, *maker.pick_like(*x)}, x->shape));
    return true;
}

// It takes numbers from -0.9 to 0.9, where the slope is bounded.
bool of_small_numbers(ModelMaker& maker) {
    static constexpr std::array kOps = {"Asin", "Acos", "Atanh", "Sinh", "Cosh", "Tan"};
    const auto x = maker.pick_of_rank(0, 4);
    if (!x) return false;
    maker.add(one_of(maker, kOps), {scaled(maker, maker.bounded(*x), 0.9F)}, x->shape);
    return true;
}

// It takes numbers from 1.5 on.
bool of_large_numbers(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(0, 4);
    if (!x) return false;
    const Value positive = maker.add("Sigmoid", {*x}, x->shape);
    maker.add("Acosh", {maker.add("Add", {positive, maker.filled({}, 1.5F)}, x->shape)}, x->shape);
    return true;
}

bool leaky(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 && value.last().is_known() && value.last().factor > 0;
    });
    if (!x) return false;
    const Shape shape{static_cast<std::size_t>(x->last().factor)};
    maker.add("PRelu", {*x, maker.weights(maker.chance(0.5) ? shape : Shape{1})}, x->shape);
    return true;
}

std::optional<Value> pick_small_rank(ModelMaker& maker, std::size_t least = 0) {
    return maker.pick([&](const Value& value) {
        return value.exact && value.rank() >= least && value.rank() <= 4;
    });
}

bool jump(ModelMaker& maker) {
    static constexpr std::array kOps = {"Floor",           "Ceil",  "Round", "Sign",
                                        "ThresholdedRelu", "Shrink"};
    const auto x = pick_small_rank(maker);
    if (!x) return false;
    maker.add(one_of(maker, kOps), {scaled(maker, *x, 2.5F)}, x->shape);
    return true;
}

// Where 1 / x and the like are infinite or no numbers, as booleans.
bool special(ModelMaker& maker) {
    const auto x = pick_small_rank(maker);
    if (!x) return false;
    const bool is_nan = maker.chance(0.5);
    const Value parts = maker.add("Floor", {*x}, x->shape);
    const Value above = is_nan ? parts : maker.filled({}, 1);
    Value quotient = maker.add("Div", {above, parts}, x->shape);
    quotient.hidden = true;
    maker.describe(quotient);
    const Value found =
        maker.add(is_nan ? "IsNaN" : "IsInf", {quotient}, x->shape, ElementType::boolean);
    const Value numbers = maker.add("Cast", {found}, x->shape, ElementType::f32,
                                    [](NodeBuilder& node) { node.with("to", 1); });
    maker.add("Add", {numbers, maker.bounded(*x)}, x->shape);
    return true;
}

bool greatest(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) {
        return value.exact && value.rank() >= 1 && value.last().is_known() &&
               value.last().factor > 0;
    });
    if (!x) return false;
    maker.add("Hardmax", {*x}, x->shape, ElementType::f32,
              [](NodeBuilder& node) { node.with("axis", -1); });
    return true;
}

bool of_many(ModelMaker& maker) {
    static constexpr std::array kOps = {"Sum", "Mean", "Max", "Min"};
    const auto x = maker.pick_of_rank(0, 4);
    if (!x) return false;
    std::vector<Value> inputs{*x};
    for (std::int64_t i = maker.number(0, 3); i > 0; --i) {
        inputs.push_back(maker.chance(0.7) ? *maker.pick_like(*x) : maker.weights({}));
    }
    maker.bounded(maker.add(one_of(maker, kOps), inputs, x->shape));
    return true;
}

bool cumulative_product(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 4);
    if (!x || maker.opset() < kCumProdSince) return false;
    maker.add("CumProd", {maker.bounded(*x), maker.int_scalar(-1)}, x->shape, ElementType::f32,
              [&](NodeBuilder& node) {
                  node.with("exclusive", maker.number(0, 1)).with("reverse", maker.number(0, 1));
              });
    return true;
}

// The same bits as another type, and back.
bool same_bits(ModelMaker& maker) {
    const auto x = pick_small_rank(maker);
    if (!x || maker.opset() < kCumProdSince) return false;
    const auto to = [](ElementType type) {
        return [type](NodeBuilder& node) { node.with("to", to_onnx(type)); };
    };
    const Value bits = maker.add("BitCast", {*x}, x->shape, ElementType::i32, to(ElementType::i32));
    maker.add("BitCast", {bits}, x->shape, ElementType::f32, to(ElementType::f32));
    return true;
}

// Nodes that change nothing.
bool no_change(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(0, 4);
    if (!x) return false;
    if (maker.chance(0.5)) {
        maker.add("Dropout", {*x}, x->shape);
    } else {
        maker.add("CastLike", {*x, maker.filled({}, 1)}, x->shape);
    }
    return true;
}

bool constant_node(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(0, 4);
    if (!x) return false;
    const Value value = maker.add("Constant", {}, {}, ElementType::f32, [&](NodeBuilder& node) {
        if (maker.chance(0.5)) {
            node.with("value_float", 0.375F);
        } else {
            node.with("value", scalar_of<float>(0.625F));
        }
    });
    maker.add("Mul", {*x, value}, x->shape);
    return true;
}

}  // namespace

std::vector<Recipe> function_recipes() {
    return {smooth,    gated,     of_small_numbers, of_large_numbers, leaky,
            jump,      special,   greatest,         of_many,          cumulative_product,
            same_bits, no_change, constant_node};
}

}  // namespace rondo::test
