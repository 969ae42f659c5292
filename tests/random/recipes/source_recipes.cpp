// Random values that are known from shapes alone, however they are written.
#include "tests/random/model_maker.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

Value shape_of(ModelMaker& maker, const Value& x) {
    return maker.add("Shape", {x}, {known(static_cast<std::int64_t>(x.rank()))}, ElementType::i64);
}

// Extent `axis` of x as a vector of one.
Value extent_of(ModelMaker& maker, const Value& x, std::size_t axis) {
    const auto index = static_cast<std::int64_t>(axis);
    const Value shape = shape_of(maker, x);
    if (maker.chance(0.5)) {
        const Value scalar =
            maker.add("Gather", {shape, maker.int_scalar(index)}, {}, ElementType::i64);
        return maker.add("Unsqueeze", {scalar, maker.ints({0})}, {known(1)}, ElementType::i64);
    }
    return maker.add("Slice", {shape, maker.ints({index}), maker.ints({index + 1})}, {known(1)},
                     ElementType::i64);
}

// The vector [extent of x, width].
Value row_shape(ModelMaker& maker, const Value& x, std::size_t axis, std::int64_t width) {
    return maker.add("Concat", {extent_of(maker, x, axis), maker.ints({width})}, {known(2)},
                     ElementType::i64, [](NodeBuilder& node) { node.with("axis", 0); });
}

// A number repeated over [extent, width], by ConstantOfShape or Expand.
Value made_of_shape(ModelMaker& maker, const Value& x, std::size_t axis, std::int64_t width) {
    const Value shape = row_shape(maker, x, axis, width);
    const Extents extents{x.shape[axis], known(width)};
    if (maker.chance(0.3)) {
        return maker.add("Expand", {maker.weights({1, 1}), shape}, extents);
    }
    const float value = maker.chance(0.5) ? 0.0F : 0.25F;
    return maker.add("ConstantOfShape", {shape}, extents, ElementType::f32, [&](NodeBuilder& node) {
        if (value != 0) node.with("value", tensor_of<float>({1}, {value}));
    });
}

bool zeros(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(2, 4);
    if (!x) return false;
    made_of_shape(maker, *x, 0, maker.number(2, 6));
    return true;
}

// What every written-out cell with a zero state begins with.
bool product_of_zeros(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(2, 4);
    if (!x) return false;
    const std::int64_t width = maker.number(2, 6);
    const std::int64_t columns = maker.number(2, 8);
    const Value zeros = made_of_shape(maker, *x, 0, width);
    const auto w = static_cast<std::size_t>(width);
    const auto c = static_cast<std::size_t>(columns);
    const Extents shape{zeros.shape[0], known(columns)};
    if (maker.chance(0.5)) {
        maker.bounded(maker.add("Gemm", {zeros, maker.weights({c, w}), maker.weights({c})}, shape,
                                ElementType::f32,
                                [](NodeBuilder& node) { node.with("transB", 1); }));
    } else {
        const Value product = maker.add("MatMul", {zeros, maker.weights({w, c})}, shape);
        maker.bounded(maker.add("Add", {product, maker.weights({c})}, shape));
    }
    return true;
}

// [N, T, I] as [N * T, I], by arithmetic on extents.
bool fold_by_arithmetic(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(3, 3);
    if (!x) return false;
    const Value rows = maker.add("Mul", {extent_of(maker, *x, 0), extent_of(maker, *x, 1)},
                                 {known(1)}, ElementType::i64);
    const Value shape =
        maker.add("Concat", {rows, extent_of(maker, *x, 2)}, {known(2)}, ElementType::i64,
                  [](NodeBuilder& node) { node.with("axis", 0); });
    const bool zero_means_zero = !maker.has_elements(*x) || maker.chance(0.2);
    maker.add("Reshape", {*x, shape}, {x->shape[0] * x->shape[1], x->shape[2]}, ElementType::f32,
              [&](NodeBuilder& node) {
                  if (zero_means_zero) node.with("allowzero", 1);
              });
    return true;
}

// The extent itself as a number.
bool extent_as_number(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 4);
    if (!x) return false;
    const Value extent = extent_of(maker, *x, 0);
    const Value number = maker.add("Cast", {extent}, {known(1)}, ElementType::f32,
                                   [](NodeBuilder& node) { node.with("to", 1); });
    const Value scaled = maker.add("Mul", {number, maker.filled({}, 0.125F)}, {known(1)});
    maker.add("Add", {maker.bounded(*x), scaled}, x->shape);
    return true;
}

// 0, 1, ... along an axis, added to it: positions, as attention has them.
bool positions(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 4);
    if (!x) return false;
    const Value extent =
        maker.add("Squeeze", {extent_of(maker, *x, x->rank() - 1)}, {}, ElementType::i64);
    const Value range = maker.add("Range", {maker.int_scalar(0), extent, maker.int_scalar(1)},
                                  {x->last()}, ElementType::i64);
    const Value number = maker.add("Cast", {range}, {x->last()}, ElementType::f32,
                                   [](NodeBuilder& node) { node.with("to", 1); });
    const Value scaled = maker.add("Mul", {number, maker.filled({}, 0.0625F)}, {x->last()});
    maker.add("Add", {maker.bounded(*x), maker.bounded(scaled)}, x->shape);
    return true;
}

// As many numbers as the input "k" says: a length that depends on data.
bool range_by_data(ModelMaker& maker) {
    const auto count =
        maker.pick([](const Value& value) { return value.holds_k; }, ElementType::i64);
    if (!count) return false;
    const Value stop = maker.add("Squeeze", {*count}, {}, ElementType::i64);
    const Value range = maker.add("Range", {maker.int_scalar(0), stop, maker.int_scalar(1)}, {kK},
                                  ElementType::i64);
    const Value number = maker.add("Cast", {range}, {kK}, ElementType::f32,
                                   [](NodeBuilder& node) { node.with("to", 1); });
    maker.bounded(number);
    return true;
}

}  // namespace

std::vector<Recipe> source_recipes() {
    return {positions,        range_by_data,      zeros,           product_of_zeros,
            product_of_zeros, fold_by_arithmetic, extent_as_number};
}

}  // namespace rondo::test
