// Random operators of matrices and planes: triangles, identities, determinants, flat rows, pools
// over everything, convolutions with moved windows.
#include <array>

#include "tests/random/model_maker.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;

constexpr std::int64_t kDeformConvSince = 19;

bool flatten(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 4);
    if (!x) return false;
    const auto rank = static_cast<std::int64_t>(x->rank());
    const std::int64_t axis = maker.number(0, rank);
    Extent rows = known(1), columns = known(1);
    for (std::int64_t i = 0; i < rank; ++i) {
        Extent& part = i < axis ? rows : columns;
        part = part * x->shape[static_cast<std::size_t>(i)];
    }
    maker.add("Flatten", {*x}, {rows, columns}, ElementType::f32, [&](NodeBuilder& node) {
        node.with("axis", axis < rank && maker.chance(0.3) ? axis - rank : axis);
    });
    return true;
}

bool triangle(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(2, 4);
    if (!x) return false;
    std::vector<Value> inputs{*x};
    if (maker.chance(0.5)) inputs.push_back(maker.int_scalar(maker.number(-2, 2)));
    const bool is_microsoft = maker.chance(0.2);
    maker.add("Trilu", inputs, x->shape, ElementType::f32, [&](NodeBuilder& node) {
        if (is_microsoft) node.domain("com.microsoft");
        node.with("upper", maker.number(0, 1));
    });
    return true;
}

bool identity_like(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(2, 2);
    if (!x) return false;
    const Value ones = maker.add("EyeLike", {*x}, x->shape, ElementType::f32,
                                 [&](NodeBuilder& node) { node.with("k", maker.number(-1, 1)); });
    maker.add("Sub", {*x, ones}, x->shape);
    return true;
}

bool determinant(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 2 && value.rank() <= 3 && value.last().is_known() &&
               value.last().factor > 0;
    });
    if (!x) return false;
    const std::int64_t side = maker.number(1, 3);
    Extents shape = x->shape;
    shape.back() = known(side * side);
    const Value weights = maker.weights(
        {static_cast<std::size_t>(x->last().factor), static_cast<std::size_t>(side * side)});
    const Value rows = maker.bounded(maker.add("MatMul", {*x, weights}, shape));
    Ints pattern(x->rank() - 1, 0);
    pattern.insert(pattern.end(), {side, side});
    Extents square(shape.begin(), shape.end() - 1);
    const Extents outer = square;
    square.insert(square.end(), {known(side), known(side)});
    const Value matrices = maker.add("Reshape", {rows, maker.ints(pattern)}, square);
    maker.add("Det", {matrices}, outer);
    return true;
}

bool pool_of_all(ModelMaker& maker) {
    static constexpr std::array kOps = {"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"};
    const auto x = maker.pick(
        [&](const Value& value) { return value.rank() == 3 && maker.has_elements(value); });
    if (!x) return false;
    const auto kind = static_cast<std::size_t>(maker.number(0, 2));
    // Away from 0, where the root's slope has no bound.
    const Value data =
        kind < 2 ? *x : maker.add("Add", {maker.bounded(*x), maker.filled({}, 1.5F)}, x->shape);
    maker.bounded(maker.add(kOps[kind], {data}, {x->shape[0], x->shape[1], known(1)}));
    return true;
}

// Over the axes from the second on, along the last of which weights vary.
bool mean_and_variance(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) {
        return value.rank() == 3 && value.last().is_known() && value.last().factor > 1 &&
               maker.has_elements(value);
    });
    if (!x) return false;
    const Value varied = maker.add(
        "Add", {maker.bounded(*x), maker.weights({static_cast<std::size_t>(x->last().factor)}, 3)},
        x->shape);
    maker.bounded(maker.add("MeanVarianceNormalization", {varied}, x->shape, ElementType::f32,
                            [](NodeBuilder& node) {
                                node.with("axes", Ints{1, 2});
                            }));
    return true;
}

// A window of one row whose elements are where another convolution says.
bool moved_windows(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) {
        return value.rank() == 3 && value.shape[1].is_known() && maker.has_elements(value);
    });
    if (!x || maker.opset() < kDeformConvSince) return false;
    const auto channels = static_cast<std::size_t>(x->shape[1].factor);
    const auto filters = static_cast<std::size_t>(maker.number(1, 4));
    const Extents shape{x->shape[0], x->shape[1], known(1), x->shape[2]};
    const Value image = maker.add("Unsqueeze", {*x, maker.ints({2})}, shape);
    const Value offsets = maker.add("Conv", {image, maker.weights({4, channels, 1, 1})},
                                    {shape[0], known(4), known(1), shape[3]});
    const auto attributes = [&](NodeBuilder& node) {
        node.with("kernel_shape", Ints{1, 2}).with("pads", Ints{0, 0, 0, 1});
    };
    maker.bounded(maker.add(
        "DeformConv", {image, maker.weights({filters, channels, 1, 2}), maker.bounded(offsets)},
        {shape[0], known(static_cast<std::int64_t>(filters)), known(1), shape[3]}, ElementType::f32,
        attributes));
    return true;
}

}  // namespace

std::vector<Recipe> matrix_recipes() {
    return {flatten,     triangle,          identity_like, determinant,
            pool_of_all, mean_and_variance, moved_windows};
}

}  // namespace rondo::test
