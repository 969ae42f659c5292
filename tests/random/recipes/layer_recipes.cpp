// Random recurrent layers with everything that ONNX gives them, stacks of layers, layers that share
// their weights, and pairs of which one reads backwards.
#include <cmath>
#include <limits>

#include "tests/random/recipes/body_parts.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;

struct Kind {
    const char* op;
    std::int64_t gates;
    std::int64_t functions;

    bool is_lstm() const { return gates == 4; }
    bool is_gru() const { return gates == 3; }
};

constexpr Kind kKinds[] = {{"LSTM", 4, 3}, {"GRU", 3, 2}, {"RNN", 1, 1}};

// What two layers may share.
struct Layer {
    Kind kind;
    std::int64_t hidden = 1;
    std::int64_t directions = 1;
    bool batch_first = false;
    Value w{}, r{}, b{}, p{};
};

std::size_t size(std::int64_t number) { return static_cast<std::size_t>(number); }

Value maybe(ModelMaker& maker, double probability, const Shape& shape) {
    return maker.chance(probability) ? maker.weights(shape) : Value{};
}

// [D, G * H, K]. Some wide layers keep one of eight blocks of 8 rows of a gate and 4 columns.
Tensor layer_weights(ModelMaker& maker, const Shape& shape, double bound, std::size_t hidden) {
    Tensor weights = random_tensor(ElementType::f32, shape, maker.rng(), -bound, bound);
    constexpr std::size_t kWide = 16, kUnits = 8, kDepth = 4, kOneOf = 8;
    const std::size_t columns = shape[2];
    if (hidden < kWide || hidden / kDepth % 2 == 0) return weights;
    auto* values = weights.data<float>();
    for (std::size_t i = 0; i < element_count(shape); ++i) {
        const std::size_t row = i / columns % hidden / kUnits, column = i % columns / kDepth;
        if ((row * 5 + column * 3) % kOneOf != 0) values[i] = 0;
    }
    return weights;
}

Layer random_layer(ModelMaker& maker, const Kind& kind, std::int64_t width) {
    Layer layer{kind, maker.number(1, maker.layer_sizes().hidden), maker.chance(0.4) ? 2 : 1,
                maker.chance(0.15)};
    const std::size_t d = size(layer.directions), h = size(layer.hidden);
    const std::size_t rows = size(kind.gates) * h;
    // Wide layers would be chaotic with as large ones.
    const auto bound = [](std::int64_t k) {
        return k <= 16 ? 0.5 : 1 / std::sqrt(static_cast<double>(k));
    };
    layer.w = maker.constant(layer_weights(maker, {d, rows, size(width)}, bound(width), h));
    layer.r = maker.constant(layer_weights(maker, {d, rows, h}, bound(layer.hidden), h));
    layer.b = maybe(maker, 0.8, {d, 2 * rows});
    if (kind.is_lstm()) layer.p = maybe(maker, 0.25, {d, 3 * h});
    return layer;
}

// A known extent, or one that is found in each run, as a vector of one.
Value extent_vector(ModelMaker& maker, const Value& x, std::size_t axis) {
    if (x.shape[axis].is_known()) return maker.ints({x.shape[axis].factor});
    return maker.add("Unsqueeze", {extent_scalar(maker, x, axis), maker.ints({0})}, {known(1)},
                     ElementType::i64);
}

Value repeated(ModelMaker& maker, const Value& x, const std::vector<Value>& shape,
               const Extents& extents) {
    const Value joined =
        maker.add("Concat", shape, {known(static_cast<std::int64_t>(extents.size()))},
                  ElementType::i64, [](NodeBuilder& node) { node.with("axis", 0); });
    return maker.add("Expand", {x, joined}, extents);
}

// For each row another length from 0 to T, the extent of `axis`: (3 * row + some number) mod (T +
// 1).
Value lengths(ModelMaker& maker, const Value& x, std::size_t time, std::size_t batch) {
    const auto add = [&](const char* op, const Value& a, const Value& b) {
        const Extents& shape = a.rank() > b.rank() ? a.shape : b.shape;
        return maker.add(op, {a, b}, shape, ElementType::i64);
    };
    const Value rows = maker.add(
        "Range", {maker.int_scalar(0), extent_scalar(maker, x, batch), maker.int_scalar(1)},
        {x.shape[batch]}, ElementType::i64);
    const Value count = add("Add", extent_scalar(maker, x, time), maker.int_scalar(1));
    const Value scaled = add("Mul", rows, maker.int_scalar(3));
    const Value moved = add("Add", scaled, maker.int_scalar(maker.number(0, 7)));
    return maker.add("Cast", {add("Mod", moved, count)}, {x.shape[batch]}, ElementType::i32,
                     [](NodeBuilder& node) { node.with("to", 6); });
}

// [D, N, H], or [N, D, H]: zeros or numbers that are the same for each row.
Value initial_state(ModelMaker& maker, const Value& x, const Layer& layer, std::size_t batch) {
    const Value d = maker.ints({layer.directions}), h = maker.ints({layer.hidden});
    const Value n = extent_vector(maker, x, batch);
    const std::vector<Value> shape =
        layer.batch_first ? std::vector<Value>{n, d, h} : std::vector<Value>{d, n, h};
    Extents extents{known(layer.directions), x.shape[batch], known(layer.hidden)};
    if (layer.batch_first) std::swap(extents[0], extents[1]);
    const bool is_zero = maker.chance(0.4);
    const Shape one = layer.batch_first ? Shape{1, size(layer.directions), size(layer.hidden)}
                                        : Shape{size(layer.directions), 1, size(layer.hidden)};
    return repeated(maker, is_zero ? maker.filled({}, 0) : maker.weights(one), shape, extents);
}

// Functions whose results are bounded, as the states are then.
void add_activations(ModelMaker& maker, const Layer& layer, NodeBuilder& node) {
    static const char* const kNames[] = {"Sigmoid", "Tanh", "HardSigmoid", "Softsign",
                                         "ScaledTanh"};
    std::vector<std::string> names;
    std::vector<float> alpha, beta;
    for (std::int64_t i = layer.kind.functions * layer.directions; i > 0; --i) {
        names.emplace_back(kNames[maker.number(0, 4)]);
        if (names.back() != "HardSigmoid" && names.back() != "ScaledTanh") continue;
        alpha.push_back(static_cast<float>(maker.number(1, 4)) * 0.25F);
        beta.push_back(static_cast<float>(maker.number(1, 3)) * 0.25F);
    }
    node.with("activations", names);
    if (alpha.empty()) return;
    node.with("activation_alpha", alpha).with("activation_beta", beta);
}

void add_attributes(ModelMaker& maker, const Layer& layer, NodeBuilder& node) {
    node.with("hidden_size", layer.hidden);
    if (layer.directions == 2) node.with("direction", "bidirectional");
    if (layer.directions == 1 && maker.chance(0.3)) node.with("direction", "reverse");
    if (layer.batch_first) node.with("layout", 1);
    if (maker.chance(0.2)) node.with("clip", static_cast<float>(maker.number(1, 8)) * 0.25F);
    if (maker.chance(0.2)) add_activations(maker, layer, node);
    if (layer.kind.is_gru()) node.with("linear_before_reset", maker.number(0, 1));
    if (layer.kind.is_lstm() && maker.chance(0.15)) node.with("input_forget", 1);
}

std::vector<Value> layer_inputs(ModelMaker& maker, const Layer& layer, const Value& x) {
    const std::size_t time = layer.batch_first ? 1 : 0, batch = 1 - time;
    std::vector<Value> inputs{x, layer.w, layer.r, layer.b, {}, {}};
    if (maker.chance(0.3)) inputs[4] = lengths(maker, x, time, batch);
    if (maker.chance(0.45)) inputs[5] = initial_state(maker, x, layer, batch);
    if (layer.kind.is_lstm()) {
        const bool given = inputs[5].name.empty() ? maker.chance(0.1) : maker.chance(0.9);
        inputs.push_back(given ? initial_state(maker, x, layer, batch) : Value{});
        inputs.push_back(layer.p);
    }
    while (inputs.back().name.empty()) inputs.pop_back();
    return inputs;
}

// The layer's Y as [T, N, D * H] or [N, T, D * H], the way exporters read it.
Value joined_directions(ModelMaker& maker, const Layer& layer, Value y) {
    if (!layer.batch_first) {
        std::swap(y.shape[1], y.shape[2]);
        y = maker.add("Transpose", {y}, y.shape, ElementType::f32, [](NodeBuilder& node) {
            node.with("perm", Ints{0, 2, 1, 3});
        });
    }
    const std::int64_t width = layer.directions * layer.hidden;
    return maker.add("Reshape", {y, maker.ints({0, 0, width})},
                     {y.shape[0], y.shape[1], known(width)});
}

// x: [T, N, I], or [N, T, I] where the batch is first.
Value run_layer(ModelMaker& maker, const Layer& layer, const Value& x) {
    const Extent& batch = x.shape[layer.batch_first ? 0 : 1];
    const Extent d = known(layer.directions), h = known(layer.hidden);
    const Extents y =
        layer.batch_first ? Extents{batch, x.shape[1], d, h} : Extents{x.shape[0], d, batch, h};
    const Extents state = layer.batch_first ? Extents{batch, d, h} : Extents{d, batch, h};
    std::vector<Extents> shapes{y, state};
    if (layer.kind.is_lstm()) shapes.push_back(state);
    const auto inputs = layer_inputs(maker, layer, x);
    auto outputs = maker.add_all(layer.kind.op, inputs, shapes, ElementType::f32,
                                 [&](NodeBuilder& node) { add_attributes(maker, layer, node); });
    if (layer.kind.is_lstm() && maker.chance(0.5)) maker.bounded(outputs[2]);
    return joined_directions(maker, layer, outputs[0]);
}

std::optional<Value> pick_layer_input(ModelMaker& maker) {
    return maker.pick([&](const Value& v) {
        return v.rank() == 3 && v.last().is_known() && v.last().factor > 0 &&
               v.last().factor <= maker.layer_sizes().input;
    });
}

bool stack(ModelMaker& maker) {
    const auto x = pick_layer_input(maker);
    if (!x) return false;
    const Kind& kind = kKinds[maker.number(0, 2)];
    Value input = maker.bounded(*x);
    for (std::int64_t layers = maker.number(1, 2); layers > 0; --layers) {
        input = run_layer(maker, random_layer(maker, kind, input.last().factor), input);
    }
    return true;
}

// Two layers read one set of W, R and B.
bool shared_weights(ModelMaker& maker) {
    const auto x = pick_layer_input(maker);
    if (!x) return false;
    const Layer layer = random_layer(maker, kKinds[maker.number(0, 2)], x->last().factor);
    const Value other = *maker.pick_like(*x);
    const Value first = run_layer(maker, layer, maker.bounded(*x));
    const Value second = run_layer(maker, layer, maker.bounded(other));
    if (maker.chance(0.5)) maker.add("Sub", {first, second}, first.shape);
    return true;
}

Value reversed(ModelMaker& maker, const Value& x) {
    const Value from = maker.ints({-1}), step = maker.ints({-1}), time = maker.ints({0});
    const Value to = maker.ints({std::numeric_limits<std::int64_t>::min()});
    return maker.add("Slice", {x, from, to, time, step}, x.shape);
}

Value without_direction(ModelMaker& maker, const Value& x, std::size_t axis) {
    Extents shape = x.shape;
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    return maker.add("Squeeze", {x, maker.ints({static_cast<std::int64_t>(axis)})}, shape);
}

// What the merge modes of Keras's Bidirectional make of both directions, and exporters of others.
void merge_directions(ModelMaker& maker, const Value& a, const Value& b) {
    switch (maker.number(0, 4)) {
        case 0: {
            Extents shape = a.shape;
            shape.back() = shape.back() * known(2);
            maker.add("Concat", {a, b}, shape, ElementType::f32,
                      [](NodeBuilder& node) { node.with("axis", -1); });
            return;
        }
        case 1: maker.add("Mul", {a, b}, a.shape); return;
        case 2: maker.add("Mean", {a, b}, a.shape); return;
        case 3:
            maker.add("Mul", {maker.add("Add", {a, b}, a.shape), maker.filled({}, 0.5F)}, a.shape);
            return;
        default: maker.add("Add", {b, a}, a.shape);
    }
}

// A layer's Y [T, N, H] and Y_h [N, H].
struct Direction {
    Value steps, state;
};

Direction run_direction(ModelMaker& maker, const Layer& layer, const Value& x,
                        const std::function<void(NodeBuilder&)>& attributes) {
    const Extent& batch = x.shape[1];
    const Extent h = known(layer.hidden);
    const std::vector<Extents> shapes{{x.shape[0], known(1), batch, h}, {known(1), batch, h}};
    const auto outputs = maker.add_all(layer.kind.op, {x, layer.w, layer.r, layer.b}, shapes,
                                       ElementType::f32, attributes);
    return {without_direction(maker, outputs[0], 1), without_direction(maker, outputs[1], 0)};
}

// A layer on x and another on x reversed, or one that reads backwards itself; what they give is
// joined in one of many ways: all steps, last states or the steps that come last.
bool both_directions(ModelMaker& maker) {
    const auto x = pick_layer_input(maker);
    if (!x) return false;
    const Kind& kind = kKinds[maker.number(0, 2)];
    const Value input = maker.bounded(*x);
    const bool is_sliced = maker.chance(0.7);
    const std::int64_t before_reset = maker.number(0, 1);
    Layer layer{kind, maker.number(1, 6)};
    const std::size_t h = size(layer.hidden), rows = size(kind.gates) * h;
    const auto run = [&](const Value& read, bool backwards) {
        layer.w = maker.weights({1, rows, size(x->last().factor)});
        layer.r = maker.weights({1, rows, h});
        layer.b = maker.weights({1, 2 * rows});
        return run_direction(maker, layer, read, [&](NodeBuilder& node) {
            node.with("hidden_size", layer.hidden);
            if (backwards) node.with("direction", "reverse");
            if (kind.is_gru()) node.with("linear_before_reset", before_reset);
        });
    };
    const Direction forward = run(input, false);
    Direction backward = run(is_sliced ? reversed(maker, input) : input, !is_sliced);
    const std::int64_t reads = maker.number(0, 3);
    if (reads < 2) merge_directions(maker, forward.state, backward.state);
    if (reads == 2 && maker.is_filled(x->shape[0])) {
        const auto last = [&](const Value& steps, std::int64_t at) {
            return maker.add("Gather", {steps, maker.int_scalar(at)}, forward.state.shape);
        };
        merge_directions(maker, last(forward.steps, -1), last(backward.steps, is_sliced ? -1 : 0));
    }
    if (reads == 0) return true;
    if (is_sliced) backward.steps = reversed(maker, backward.steps);
    merge_directions(maker, forward.steps, backward.steps);
    return true;
}

}  // namespace

std::vector<Recipe> layer_recipes() { return {stack, stack, shared_weights, both_directions}; }

}  // namespace rondo::test
