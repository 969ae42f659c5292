// A recurrent layer between Transposes as a graph, with random weights and inputs.
#pragma once

#include <string>
#include <vector>

#include "tests/unit/plugins/cpu/stacked_graph.hpp"

namespace rondo::test {

using Order = std::vector<std::int64_t>;

struct OrderedCase {
    StackedCase layer;
    ops::CellType kind = ops::CellType::lstm;
    Order x = {1, 0, 2};     ///< of the Transpose before the layer; empty: none
    Order y = {2, 1, 0, 3};  ///< of that after it
    bool first = false;      ///< whether H0 and C0 come as [D,N,H]
    bool last = false;       ///< whether Ho and Co go as [D,N,H]
    bool apart = false;      ///< products with 1 between them and the layer
};

inline Output times_one(StackMaker& maker, const Output& value) {
    GraphBuilder& b = maker.builder();
    const Output one = b.constant(converted(tensor_of<float>({1}, {1}), maker.test().type));
    return b.make<ops::Binary>("", ops::BinaryFunction::multiply, value, one);
}

inline Output state_before(StackMaker& maker, const OrderedCase& test, const std::string& name) {
    const StackedCase& layer = test.layer;
    const std::size_t directions = layer.direction == ops::Direction::bidirectional ? 2 : 1;
    if (!test.first) return maker.input(name, {layer.batch, directions, layer.hidden}, 1);
    Output state = maker.input(name, {directions, layer.batch, layer.hidden}, 2);
    state = maker.builder().transpose(state, {1, 0, 2}, name + "_before");
    return test.apart ? times_one(maker, state) : state;
}

inline Output state_behind(StackMaker& maker, const OrderedCase& test, Output state,
                           const std::string& name) {
    if (!test.last) return state;
    if (test.apart) state = times_one(maker, state);
    return maker.builder().transpose(state, {1, 0, 2}, name + "_behind");
}

/// x -> Transpose -> layer -> Transpose -> y, and the final states.
inline StackedGraph make_ordered(const OrderedCase& test) {
    StackMaker maker(test.layer);
    GraphBuilder& b = maker.builder();
    const StackedCase& layer = test.layer;
    const std::size_t extents[] = {layer.batch, layer.time, layer.input};
    Shape outside(extents, extents + 3);
    for (std::size_t i = 0; i < test.x.size(); ++i) {
        outside[static_cast<std::size_t>(test.x[i])] = extents[i];
    }
    Output x = maker.input("x", outside, 2);
    if (!test.x.empty()) x = b.transpose(x, test.x, "before");
    if (test.apart) x = times_one(maker, x);
    Output lengths = maker.full_lengths(x);
    if (layer.with_lengths) lengths = b.ints({7, 0, 3});
    std::vector<Output> states;
    for (int i = 0; i < (test.kind == ops::CellType::lstm ? 2 : 1); ++i) {
        states.push_back(state_before(maker, test, "state" + std::to_string(i)));
    }
    const auto node = maker.layer("layer", test.kind, x, lengths, states);
    Output y = node->output(0);
    if (test.apart) y = times_one(maker, y);
    if (!test.y.empty()) y = b.transpose(y, test.y, "behind");
    b.output("y", y);
    for (std::size_t i = 1; i < node->output_count(); ++i) {
        const std::string name = "state_" + std::to_string(i);
        b.output(name, state_behind(maker, test, node->output(i), name));
    }
    return maker.finish();
}

}  // namespace rondo::test
