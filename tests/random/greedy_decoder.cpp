#include "tests/random/greedy_decoder.hpp"

#include "tests/random/body_nodes.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {

std::vector<Value> greedy_decoder(ModelMaker& maker, std::int64_t width, const Value& trips,
                                  const Value& frames) {
    const auto wide = static_cast<std::size_t>(width);
    const std::size_t tokens = static_cast<std::size_t>(maker.number(3, 6));
    const Value embedding = maker.weights({tokens, wide}, 1);
    const Value w = maker.weights({1, 3 * wide, wide}), r = maker.weights({1, 3 * wide, wide});
    const Value joint = maker.weights({wide, tokens}, 1);
    RandomBody body(maker);
    Nodes nodes(body.maker());
    ModelMaker& own = body.maker();
    const auto parameter = [&](ElementType type) {
        Value value{"", type, {}};
        value.hidden = true;
        return own.add_parameter(value);
    };
    const Value number = own.add_parameter({"", ElementType::i64, {}, true});
    const Value goes_on = own.add_parameter({"", ElementType::boolean, {}});
    const Value state = parameter(ElementType::f32), list = parameter(ElementType::i64);
    const Value frame = nodes.along("Gather", {frames, number}, 0);
    const Value sum = nodes.op("Add", {frame, nodes.op("Reshape", {state, own.ints({1, -1})})});
    const Value logits = nodes.op("MatMul", {nodes.op("Tanh", {sum}), joint});
    const Value token = nodes.op(
        "ArgMax", {logits}, [](NodeBuilder& node) { node.with("axis", -1).with("keepdims", 1); },
        ElementType::i64);
    const Value flag = nodes.op(
        "Reshape",
        {nodes.op("Not", {nodes.op("Equal", {token, own.int_scalar(0)}, {}, ElementType::boolean)},
                  {}, ElementType::boolean),
         own.ints({1})},
        {}, ElementType::boolean);
    const auto taken = branch(own, [&](Nodes& inner) {
        return inner.along("Concat", {list, token}, 1, ElementType::i64);
    });
    const auto left = branch(
        own, [&](Nodes& inner) { return inner.op("Identity", {list}, {}, ElementType::i64); });
    Value next_list = nodes.op(
        "If", {flag},
        [&](NodeBuilder& node) { node.with("then_branch", taken).with("else_branch", left); },
        ElementType::i64);
    const Value last =
        nodes.op("Reshape",
                 {nodes.along("Gather", {next_list, own.int_scalar(-1)}, 1, ElementType::i64),
                  own.ints({1, 1})},
                 {}, ElementType::i64);
    const Value x = nodes.op("Gather", {embedding, last});
    const auto gru =
        own.add_all("GRU", {x, w, r, Value{}, Value{}, state}, {{}, {}}, ElementType::f32,
                    [&](NodeBuilder& node) { node.with("hidden_size", width); });
    Value next_state = gru[1];
    next_state.hidden = next_list.hidden = true;
    body.add_result(goes_on);
    body.add_result(next_state);
    body.add_result(next_list);
    maker.set_last_name(own.last_name());
    auto made = maker.add_all("Loop",
                              {trips, maker.flag(true), maker.weights({1, 1, wide}),
                               maker.constant(tensor_of<std::int64_t>({1, 1}, {0}))},
                              {{}, {}}, ElementType::f32,
                              [&](NodeBuilder& node) { node.with("body", body.graph()); });
    made[1].type = ElementType::i64;
    return made;
}

}  // namespace rondo::test
