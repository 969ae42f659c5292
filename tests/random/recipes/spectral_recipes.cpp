// Random spectra, frames and windows; numbers that are drawn from one point; what differs.
#include <algorithm>

#include "tests/random/recipes/elementwise_chain.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

std::optional<Value> pick_with_known_last(ModelMaker& maker, std::size_t least, std::size_t most) {
    return maker.pick([&](const Value& value) {
        return value.rank() >= least && value.rank() <= most && value.last().is_known() &&
               value.last().factor > 0;
    });
}

// A last axis of one part: real numbers.
Value with_parts(ModelMaker& maker, const Value& x) {
    Extents shape = x.shape;
    shape.push_back(known(1));
    const auto axis = static_cast<std::int64_t>(x.rank());
    return maker.add("Unsqueeze", {x, maker.ints({axis})}, shape);
}

// Around 0, a transform's sums leave rounding noise. Its sign means nothing, but a comparison would
// make it the result: other recipes don't find such sums.
void hide(ModelMaker& maker, Value sums) {
    sums.hidden = true;
    maker.describe(sums);
}

// Away from 0, where the noise does no harm.
Value shifted(ModelMaker& maker, const Value& sums) {
    hide(maker, sums);
    return maker.add("Add", {sums, maker.filled({}, 0.43F)}, sums.shape);
}

// Sums of many terms, made small.
void add_small(ModelMaker& maker, const Value& sums) {
    hide(maker, sums);
    maker.bounded(shifted(maker, maker.add("Mul", {sums, maker.filled({}, 0.1F)}, sums.shape)));
}

// Along an axis, which is an attribute before opset 20.
Value transform(ModelMaker& maker, std::vector<Value> inputs, const Extents& shape,
                std::int64_t axis, const char* flag, bool value) {
    constexpr std::int64_t kAxisInputSince = 20;
    const bool is_input = maker.opset() >= kAxisInputSince;
    if (is_input) {
        inputs.resize(2);
        inputs.push_back(maker.int_scalar(axis));
    }
    return maker.add("DFT", inputs, shape, ElementType::f32, [&](NodeBuilder& node) {
        if (!is_input) node.with("axis", axis);
        node.with(flag, value ? 1 : 0);
    });
}

bool spectrum(ModelMaker& maker) {
    const auto x = pick_with_known_last(maker, 1, 3);
    if (!x) return false;
    const bool half = maker.chance(0.5);
    std::vector<Value> inputs{with_parts(maker, *x)};
    Extents shape = inputs[0].shape;
    std::int64_t length = x->last().factor;
    if (maker.chance(0.5)) {
        length = maker.number(1, 40);
        inputs.push_back(maker.int_scalar(length));
    }
    shape[x->rank() - 1] = known(half ? length / 2 + 1 : length);
    shape.back() = known(2);
    const auto axis = static_cast<std::int64_t>(x->rank()) - 1;
    add_small(maker, transform(maker, inputs, shape, axis, "onesided", half));
    return true;
}

// There and back again.
bool inverse_spectrum(ModelMaker& maker) {
    const auto x = pick_with_known_last(maker, 1, 3);
    if (!x) return false;
    const Value real = with_parts(maker, *x);
    Extents shape = real.shape;
    shape.back() = known(2);
    const auto axis = static_cast<std::int64_t>(x->rank()) - 1;
    const Value there = transform(maker, {real}, shape, axis, "inverse", false);
    hide(maker, there);
    const Value back = transform(maker, {there}, shape, axis, "inverse", true);
    maker.bounded(elementwise_chain(maker, shifted(maker, back), 3));
    return true;
}

bool frames(ModelMaker& maker) {
    const auto x = pick_with_known_last(maker, 2, 2);
    if (!x) return false;
    const std::int64_t length = x->last().factor, size = maker.number(1, length);
    const std::int64_t step = maker.number(1, 4);
    const bool half = maker.chance(0.7);
    const Extents shape{x->shape[0], known((length - size) / step + 1),
                        known(half ? size / 2 + 1 : size), known(2)};
    const Value window = maker.weights({static_cast<std::size_t>(size)});
    add_small(maker, maker.add("STFT", {with_parts(maker, *x), maker.int_scalar(step), window},
                               shape, ElementType::f32,
                               [&](NodeBuilder& node) { node.with("onesided", half ? 1 : 0); }));
    return true;
}

bool windowed(ModelMaker& maker) {
    const auto x = pick_with_known_last(maker, 1, 4);
    if (!x || x->last().factor < 2) return false;
    const char* const ops[] = {"HannWindow", "HammingWindow", "BlackmanWindow"};
    const Value window = maker.add(
        ops[maker.number(0, 2)], {maker.int_scalar(x->last().factor)}, {x->last()},
        ElementType::f32, [&](NodeBuilder& node) { node.with("periodic", maker.number(0, 1)); });
    maker.add("Mul", {*x, window}, x->shape);
    return true;
}

// Every number lies at the one point of its range. onnxruntime has no form of opset 22.
bool random_numbers(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 4);
    if (!x || maker.opset() >= 22) return false;
    const bool is_normal = maker.chance(0.5);
    const Value drawn = maker.add(is_normal ? "RandomNormalLike" : "RandomUniformLike", {*x},
                                  x->shape, ElementType::f32, [&](NodeBuilder& node) {
                                      if (is_normal) {
                                          node.with("mean", 0.5F).with("scale", 1e-20F);
                                      } else {
                                          node.with("low", 0.25F).with("high", 0.25F);
                                      }
                                  });
    maker.add("Mul", {*x, drawn}, x->shape);
    return true;
}

// How many elements differ shows in no extent: the greatest of them is the greatest of all. Rounded
// first: two devices may round a function's results to one number or to neighbours.
bool greatest_unique(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 &&
               std::all_of(value.shape.begin(), value.shape.end(), [](const Extent& extent) {
                   return extent.is_known() && extent.factor > 0;
               });
    });
    if (!x) return false;
    const std::int64_t count = maker.number(2, 5);
    const Value scaled = maker.add("Mul", {*x, maker.filled({}, 11.3F)}, x->shape);
    const Value rounded = maker.add("Round", {scaled}, x->shape);
    Value unique = maker.add("Unique", {rounded}, {known(count)}, ElementType::f32,
                             [&](NodeBuilder& node) { node.with("sorted", maker.number(0, 1)); });
    maker.add("ReduceMax", {unique}, {known(1)}, ElementType::f32,
              [](NodeBuilder& node) { node.with("keepdims", 1); });
    unique.hidden = true;
    maker.describe(unique);
    return true;
}

// Row by row, each for the same class.
bool cross_entropy(ModelMaker& maker) {
    const auto x = pick_with_known_last(maker, 2, 2);
    if (!x) return false;
    const Value shape = maker.add("Shape", {*x}, {known(2)}, ElementType::i64);
    const Value rows =
        maker.add("Slice", {shape, maker.ints({0}), maker.ints({1})}, {known(1)}, ElementType::i64);
    const std::int64_t label = maker.number(0, x->last().factor - 1);
    const Value labels = maker.add(
        "ConstantOfShape", {rows}, {x->shape[0]}, ElementType::i64,
        [&](NodeBuilder& node) { node.with("value", tensor_of<std::int64_t>({1}, {label})); });
    maker.bounded(maker.add("SoftmaxCrossEntropyLoss", {*x, labels}, {x->shape[0]},
                            ElementType::f32,
                            [](NodeBuilder& node) { node.with("reduction", "none"); }));
    return true;
}

}  // namespace

std::vector<Recipe> spectral_recipes() {
    return {spectrum,       inverse_spectrum, frames,       windowed,
            random_numbers, greatest_unique,  cross_entropy};
}

}  // namespace rondo::test
