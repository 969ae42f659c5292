// Random products and the elementwise nodes that follow them in real models.
#include <algorithm>

#include "tests/random/recipes/elementwise_chain.hpp"

namespace rondo::test {
namespace {

bool has_known_width(const Value& value) {
    return value.rank() >= 2 && value.last().is_known() && value.last().factor > 0;
}

// x * W, with a bias on either side of the sum, and a function after it.
bool linear(ModelMaker& maker) {
    const auto x = maker.pick(has_known_width);
    if (!x) return false;
    const auto columns = static_cast<std::size_t>(maker.number(1, 9));
    Extents shape = x->shape;
    shape.back() = known(static_cast<std::int64_t>(columns));
    const Value product = maker.add("MatMul", {*x, maker.weights({x->width(), columns})}, shape);
    if (maker.chance(0.3)) return maker.bounded(elementwise_chain(maker, product, 4)), true;
    const Value bias = maker.chance(0.8) ? maker.weights({columns}) : maker.weights({});
    const Value sum = maker.chance(0.5) ? maker.add("Add", {product, bias}, shape)
                                        : maker.add("Add", {bias, product}, shape);
    maker.bounded(elementwise_chain(maker, sum, 4));
    return true;
}

bool gemm(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& v) { return v.rank() == 2 && has_known_width(v); });
    if (!x) return false;
    const auto columns = static_cast<std::size_t>(maker.number(1, 9));
    const bool transposed = maker.chance(0.5);
    const Shape weights = transposed ? Shape{columns, x->width()} : Shape{x->width(), columns};
    std::vector<Value> inputs{*x, maker.weights(weights)};
    if (maker.chance(0.8)) inputs.push_back(maker.weights({columns}));
    const float alpha = maker.chance(0.7) ? 1.0F : 0.5F;
    const float beta = maker.chance(0.7) ? 1.0F : 2.0F;
    const Extents shape{x->shape[0], known(static_cast<std::int64_t>(columns))};
    const Value product =
        maker.add("Gemm", inputs, shape, ElementType::f32, [&](NodeBuilder& node) {
            node.with("transB", transposed ? 1 : 0).with("alpha", alpha).with("beta", beta);
        });
    maker.bounded(elementwise_chain(maker, product, 3));
    return true;
}

// x * x^T, of two values that both come from the inputs.
bool product_of_two(ModelMaker& maker) {
    const auto x = maker.pick(
        [](const Value& v) { return (v.rank() == 2 || v.rank() == 3) && has_known_width(v); });
    if (!x) return false;
    const Value y = *maker.pick_like(*x);
    const std::vector<std::int64_t> order =
        x->rank() == 2 ? std::vector<std::int64_t>{1, 0} : std::vector<std::int64_t>{0, 2, 1};
    Extents turned = y.shape;
    std::swap(turned[y.rank() - 1], turned[y.rank() - 2]);
    const Value transposed = maker.add("Transpose", {y}, turned, ElementType::f32,
                                       [&](NodeBuilder& node) { node.with("perm", order); });
    Extents shape = x->shape;
    shape.back() = turned.back();
    maker.bounded(elementwise_chain(maker, maker.add("MatMul", {*x, transposed}, shape), 3));
    return true;
}

// One product of matrices, however it is written.
bool einsum(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& v) { return v.rank() <= 4 && has_known_width(v); });
    if (!x) return false;
    const auto columns = maker.number(1, 6);
    const auto c = static_cast<std::size_t>(columns);
    const auto with = [](const char* equation) {
        return [=](NodeBuilder& node) { node.with("equation", equation); };
    };
    Extents shape = x->shape;
    shape.back() = known(columns);
    const auto kind = maker.number(0, 3);
    if (kind == 0) {
        maker.bounded(maker.add("Einsum", {*x, maker.weights({c, x->width()})}, shape,
                                ElementType::f32, with("...i,ji->...j")));
    } else if (kind == 1) {
        std::rotate(shape.begin(), shape.end() - 1, shape.end());
        maker.bounded(maker.add("Einsum", {maker.weights({x->width(), c}), *x}, shape,
                                ElementType::f32, with("ij,...i->j...")));
    } else if (kind == 2) {
        shape.pop_back();
        maker.bounded(maker.add("Einsum", {*x, *maker.pick_like(*x)}, shape, ElementType::f32,
                                with("...i,...i")));
    } else {
        shape.push_back(known(columns));
        shape[x->rank() - 1] = x->last();
        maker.add("Einsum", {*x, maker.weights({c})}, shape, ElementType::f32, with("...,k->...k"));
    }
    return true;
}

// A convolution over the last axis that keeps its length. A window larger than the padded data is
// an error, so that the axis is never empty.
bool convolution(ModelMaker& maker) {
    const auto x = maker.pick_channels();
    if (!x) return false;
    const auto channels = static_cast<std::size_t>(x->shape[1].factor);
    const auto filters = static_cast<std::size_t>(maker.number(1, 5));
    const std::int64_t reach = maker.number(0, 2);
    std::vector<Value> inputs{
        *x, maker.weights({filters, channels, static_cast<std::size_t>(2 * reach + 1)})};
    if (maker.chance(0.7)) inputs.push_back(maker.weights({filters}));
    const std::vector<std::int64_t> pads = maker.chance(0.5)
                                               ? std::vector<std::int64_t>{reach, reach}
                                               : std::vector<std::int64_t>{2 * reach, 0};
    Extents shape = x->shape;
    shape[1] = known(static_cast<std::int64_t>(filters));
    const Value sums = maker.add("Conv", inputs, shape, ElementType::f32,
                                 [&](NodeBuilder& node) { node.with("pads", pads); });
    maker.bounded(elementwise_chain(maker, sums, 4));
    return true;
}

}  // namespace

std::vector<Recipe> product_recipes() {
    return {linear, linear, gemm, product_of_two, einsum, convolution};
}

}  // namespace rondo::test
