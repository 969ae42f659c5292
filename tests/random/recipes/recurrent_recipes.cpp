// Random recurrent cells that are written out.
#include "tests/random/model_maker.hpp"

namespace rondo::test {
namespace {

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

std::vector<Recipe> recurrent_recipes() { return {written_out_cell}; }

}  // namespace rondo::test
