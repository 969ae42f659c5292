#include "tests/random/recipes/elementwise_chain.hpp"

#include <array>

namespace rondo::test {
namespace {

Value function(ModelMaker& maker, const Value& x) {
    static constexpr std::array kOps = {"Relu", "Tanh", "Sigmoid", "Softplus", "LeakyRelu", "Neg"};
    return maker.add(
        kOps[static_cast<std::size_t>(maker.number(0, static_cast<std::int64_t>(kOps.size()) - 1))],
        {x}, x.shape);
}

// A value of the same shape, or weights that are repeated.
Value operand(ModelMaker& maker, const Value& x) {
    const auto kind = maker.number(0, 3);
    const bool has_row = x.rank() > 0 && x.last().is_known();
    const bool has_column = x.rank() > 1 && x.shape[x.rank() - 2].is_known();
    if (kind == 1 && has_row) return maker.weights({static_cast<std::size_t>(x.last().factor)});
    if (kind == 2 && has_column) {
        return maker.weights({static_cast<std::size_t>(x.shape[x.rank() - 2].factor), 1});
    }
    if (kind == 3) return maker.weights({});
    return *maker.pick_like(x);
}

Value arithmetic(ModelMaker& maker, const Value& x) {
    static constexpr std::array kOps = {"Add", "Add", "Sub", "Max", "Mul"};
    const Value other = operand(maker, x);
    // Products of two values would grow without a bound.
    const bool is_weights = other.name.starts_with("c");
    const auto last = static_cast<std::int64_t>(kOps.size()) - (is_weights ? 1 : 2);
    const bool swapped = maker.chance(0.3);
    return maker.add(kOps[static_cast<std::size_t>(maker.number(0, last))],
                     {swapped ? other : x, swapped ? x : other}, x.shape);
}

// Continuous where the condition changes.
Value select(ModelMaker& maker, const Value& x) {
    const Value above =
        maker.add("Greater", {x, maker.filled({}, 0)}, x.shape, ElementType::boolean);
    return maker.add("Where", {above, x, maker.add("Mul", {x, maker.weights({})}, x.shape)},
                     x.shape);
}

}  // namespace

Value elementwise_chain(ModelMaker& maker, Value x, std::int64_t most) {
    for (std::int64_t i = maker.number(0, most); i > 0; --i) {
        const auto kind = maker.number(0, 6);
        x = kind < 2 ? function(maker, x) : kind < 6 ? arithmetic(maker, x) : select(maker, x);
        if (maker.chance(0.3)) x = maker.bounded(x);
    }
    return x;
}

}  // namespace rondo::test
