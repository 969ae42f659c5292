// Random recurrent layers, stacks of them, and cells that are written out.
#include "tests/random/model_maker.hpp"

namespace rondo::test {
namespace {

struct Kind {
    const char* op;
    std::int64_t gates;
};

// The layer's Y as [T, N, D * H], the way exporters read it.
Value joined_directions(ModelMaker& maker, const Value& y) {
    const Extents turned{y.shape[0], y.shape[2], y.shape[1], y.shape[3]};
    const Value transposed =
        maker.add("Transpose", {y}, turned, ElementType::f32, [](NodeBuilder& node) {
            node.with("perm", std::vector<std::int64_t>{0, 2, 1, 3});
        });
    const std::int64_t width = y.shape[1].factor * y.shape[3].factor;
    return maker.add("Reshape", {transposed, maker.ints({0, 0, width})},
                     {turned[0], turned[1], known(width)});
}

// A state [D, N, H] of zeros made from the shape of X [T, N, I].
Value zero_state(ModelMaker& maker, const Value& x, std::int64_t directions, std::int64_t hidden) {
    const Value shape = maker.add("Shape", {x}, {known(3)}, ElementType::i64);
    const Value batch = maker.add("Gather", {shape, maker.ints({1})}, {known(1)}, ElementType::i64);
    const Value full =
        maker.add("Concat", {maker.ints({directions}), batch, maker.ints({hidden})}, {known(3)},
                  ElementType::i64, [](NodeBuilder& node) { node.with("axis", 0); });
    return maker.add("ConstantOfShape", {full}, {known(directions), x.shape[1], known(hidden)});
}

bool layer(ModelMaker& maker) {
    static const Kind kKinds[] = {{"LSTM", 4}, {"GRU", 3}, {"RNN", 1}};
    auto x = maker.pick([](const Value& v) {
        return v.rank() == 3 && v.last().is_known() && v.last().factor > 0 && v.last().factor <= 16;
    });
    if (!x) return false;
    const Kind& kind = kKinds[maker.number(0, 2)];
    const std::int64_t hidden = maker.number(1, 9);
    const auto h = static_cast<std::size_t>(hidden);
    const std::int64_t directions = maker.chance(0.4) ? 2 : 1;
    const auto d = static_cast<std::size_t>(directions);
    const auto g = static_cast<std::size_t>(kind.gates);
    Value input = maker.bounded(*x);
    for (std::int64_t stack = maker.number(1, 2); stack > 0; --stack) {
        const auto i = static_cast<std::size_t>(input.last().factor);
        std::vector<Value> inputs{input, maker.weights({d, g * h, i}),
                                  maker.weights({d, g * h, h})};
        if (maker.chance(0.8)) inputs.push_back(maker.weights({d, 2 * g * h}));
        if (maker.chance(0.4)) {
            if (inputs.size() == 3) inputs.push_back({});
            inputs.push_back({});  // no lengths
            inputs.push_back(zero_state(maker, input, directions, hidden));
            if (kind.gates == 4) inputs.push_back(zero_state(maker, input, directions, hidden));
        }
        const Extents y{input.shape[0], known(directions), input.shape[1], known(hidden)};
        const Extents state{known(directions), input.shape[1], known(hidden)};
        const auto outputs =
            maker.add_all(kind.op, inputs, {y, state}, ElementType::f32, [&](NodeBuilder& node) {
                node.with("hidden_size", hidden);
                if (directions == 2) node.with("direction", "bidirectional");
                if (directions == 1 && maker.chance(0.3)) node.with("direction", "reverse");
                if (kind.gates == 3) node.with("linear_before_reset", maker.chance(0.5) ? 1 : 0);
            });
        input = joined_directions(maker, outputs[0]);
    }
    return true;
}

// One written-out LSTM step from a zero or a given state, as exporters of loops write it.
bool written_out_cell(ModelMaker& maker) {
    const auto x = maker.pick(
        [](const Value& v) { return v.rank() == 2 && v.last().is_known() && v.last().factor > 0; });
    if (!x) return false;
    const std::int64_t hidden = maker.number(1, 6);
    const auto h = static_cast<std::size_t>(hidden);
    const auto i = static_cast<std::size_t>(x->last().factor);
    const Value shape = maker.add("Shape", {*x}, {known(2)}, ElementType::i64);
    const Value batch = maker.add("Gather", {shape, maker.ints({0})}, {known(1)}, ElementType::i64);
    const Value full = maker.add("Concat", {batch, maker.ints({hidden})}, {known(2)},
                                 ElementType::i64, [](NodeBuilder& node) { node.with("axis", 0); });
    const Extents state{x->shape[0], known(hidden)};
    Value h_state = maker.add("ConstantOfShape", {full}, state);
    Value c_state = h_state;
    const Extents gates{x->shape[0], known(4 * hidden)};
    const Value w = maker.weights({4 * h, i});
    const Value r = maker.weights({4 * h, h});
    const Value b = maker.weights({4 * h});
    const auto transposed = [](NodeBuilder& node) { node.with("transB", 1); };
    for (std::int64_t step = maker.number(1, 2); step > 0; --step) {
        const Value from_x =
            maker.add("Gemm", {maker.bounded(*x), w, b}, gates, ElementType::f32, transposed);
        const Value from_h =
            maker.add("Gemm", {h_state, r, b}, gates, ElementType::f32, transposed);
        const Value sum = maker.add("Add", {from_x, from_h}, gates);
        const auto parts =
            maker.add_all("Split", {sum, maker.ints({hidden, hidden, hidden, hidden})},
                          {state, state, state, state}, ElementType::f32,
                          [](NodeBuilder& node) { node.with("axis", 1); });
        const Value kept =
            maker.add("Mul", {maker.add("Sigmoid", {parts[1]}, state), c_state}, state);
        const Value added = maker.add(
            "Mul", {maker.add("Sigmoid", {parts[0]}, state), maker.add("Tanh", {parts[2]}, state)},
            state);
        c_state = maker.add("Add", {kept, added}, state);
        h_state = maker.add(
            "Mul", {maker.add("Sigmoid", {parts[3]}, state), maker.add("Tanh", {c_state}, state)},
            state);
    }
    return true;
}

}  // namespace

std::vector<Recipe> recurrent_recipes() { return {layer, layer, written_out_cell}; }

}  // namespace rondo::test
