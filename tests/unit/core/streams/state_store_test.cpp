#include "core/streams/state_store.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/unit/core/streams/pool_models.hpp"

namespace rondo::test::state_store_test {
namespace {

// Variables "a" f32[?,2] without and "b" f32[?,1] with an init input.
std::shared_ptr<Graph> two_variables(const char* shape_of_a = "[?,2]") {
    GraphBuilder b;
    const Output x = b.input("x", "[?,1]");
    const Output a = b.read("a", shape_of_a);
    const Output c = b.read("b", "[?,1]", {x});
    b.assign("a", a);
    b.assign("b", c);
    b.output("y", c);
    return b.graph();
}

std::vector<StreamState*> pointers(std::vector<StreamState>& states) {
    std::vector<StreamState*> result;
    for (auto& state : states) result.push_back(&state);
    return result;
}

// An inference of one row leaves its variables, so that their extents are known.
void settle(StateStore& store, std::vector<VariableValue>& variables) {
    EXPECT_FALSE(store.is_settled());
    StreamState state = store.open();
    variables[0].set(row_of(7, 7));
    variables[1].set(tensor_of<float>({1, 1}, {7}));
    const std::vector<StreamState*> one{&state};
    store.store(one, 1, variables);
    EXPECT_TRUE(store.is_settled());
    store.close(state);
}

TEST(StateStore, BringsStatesToABatchAndBack) {
    const auto graph = two_variables();
    StateStore store(*graph, {0, 0});
    auto variables = variable_values(*graph);
    settle(store, variables);
    std::vector<StreamState> states{store.open(), store.open()};
    store.set(states[0], {{"a", row_of(1, 2)}, {"b", tensor_of<float>({1, 1}, {3})}});
    store.set(states[1], {{"b", tensor_of<float>({1, 1}, {6})}});
    store.load(pointers(states), 3, variables);  // the third row repeats the first
    expect_same(variables[0].value(), tensor_of<float>({3, 2}, {1, 2, 0, 0, 1, 2}));
    expect_same(variables[1].value(), tensor_of<float>({3, 1}, {3, 6, 3}));
    variables[0].set(tensor_of<float>({3, 2}, {10, 11, 12, 13, 14, 15}));
    store.store(pointers(states), 3, variables);
    expect_same(store.get(states[0]).at("a"), row_of(10, 11));
    expect_same(store.get(states[1]).at("a"), row_of(12, 13));
    expect_same(store.get(states[1]).at("b"), tensor_of<float>({1, 1}, {6}));
}

TEST(StateStore, VariablesWithAnInitInputStartThere) {
    const auto graph = two_variables();
    StateStore store(*graph, {0, 0});
    auto variables = variable_values(*graph);
    std::vector<StreamState> states{store.open(), store.open()};
    EXPECT_TRUE(store.may_share_batch(states[0], states[1]));
    store.load(pointers(states), 2, variables);
    EXPECT_FALSE(variables[1].value());
    expect_same(variables[0].value(), tensor_of<float>({2, 2}, {0, 0, 0, 0}));
    store.set(states[0], {{"b", tensor_of<float>({1, 1}, {3})}});
    EXPECT_FALSE(store.may_share_batch(states[0], states[1]));
    store.copy(states[0], states[1]);
    EXPECT_TRUE(store.may_share_batch(states[0], states[1]));
    store.reset(states[1]);
    EXPECT_FALSE(store.may_share_batch(states[0], states[1]));
}

// Where an extent besides the rows is open, each stream has tensors of its own.
TEST(StateStore, KeepsStatesOfAnySize) {
    const auto graph = two_variables("[?,?]");
    StateStore store(*graph, {{}, {}});
    auto variables = variable_values(*graph);
    std::vector<StreamState> states{store.open()};
    variables[0].set(tensor_of<float>({1, 3}, {1, 2, 3}));
    variables[1].set(tensor_of<float>({1, 1}, {4}));
    store.store(pointers(states), 1, variables);
    expect_same(store.get(states[0]).at("a"), tensor_of<float>({1, 3}, {1, 2, 3}));
    variables[0].reset();
    store.load(pointers(states), 1, variables);
    expect_same(variables[0].value(), tensor_of<float>({1, 3}, {1, 2, 3}));
    StreamState other = store.open();
    store.copy(states[0], other);
    expect_same(store.get(other).at("b"), tensor_of<float>({1, 1}, {4}));
    store.reset(other);
    EXPECT_EQ(store.get(other).at("a").size(), 0U);
}

TEST(StateStore, ReusesMemoryAndStartsItAgain) {
    const auto graph = two_variables();
    StateStore store(*graph, {0, 0});
    auto variables = variable_values(*graph);
    settle(store, variables);
    EXPECT_EQ(store.slot_bytes(), 8U + 8 + 8);
    StreamState state = store.open();
    EXPECT_EQ(state.slot, nullptr);  // it has no value yet
    store.set(state, {{"a", row_of(1, 2)}});
    const std::vector<StreamState*> one{&state};
    store.load(one, 1, variables);
    expect_same(variables[0].value(), row_of(1, 2));
    const std::byte* slot = state.slot;
    store.close(state);
    EXPECT_EQ(state.slot, nullptr);
    state = store.open();
    expect_same(store.get(state).at("a"), row_of(0, 0));
    store.set(state, {{"b", tensor_of<float>({1, 1}, {3})}});
    store.load(one, 1, variables);
    EXPECT_EQ(state.slot, slot);
    expect_same(store.get(state).at("a"), row_of(0, 0));
    expect_same(store.get(state).at("b"), tensor_of<float>({1, 1}, {3}));
    StreamState other = store.open();
    store.copy(other, state);  // from one without values
    expect_same(store.get(state).at("b"), tensor_of<float>({1, 1}, {0}));
}

// A stream may have several rows of a variable, as where bands are a batch of their own.
TEST(StateStore, FindsHowManyRowsAStreamHas) {
    const auto graph = two_variables();
    StateStore store(*graph, {0, 0});
    auto variables = variable_values(*graph);
    std::vector<StreamState> states{store.open(), store.open()};
    variables[0].set(tensor_of<float>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
    variables[1].set(tensor_of<float>({2, 1}, {9, 10}));
    store.store(pointers(states), 2, variables);
    expect_same(store.get(states[1]).at("a"), tensor_of<float>({2, 2}, {5, 6, 7, 8}));
    variables[0].reset();
    store.load(pointers(states), 3, variables);
    expect_same(variables[0].value(),
                tensor_of<float>({6, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4}));
    variables[0].set(tensor_of<float>({2, 2}, {1, 2, 3, 4}));
    expect_error<UnsupportedError>([&] { store.store(pointers(states), 2, variables); },
                                   "variable 'a' has an extent of 1 along axis 0");
}

TEST(StateStore, RefusesValuesThatDoNotFit) {
    const auto graph = two_variables();
    StateStore store(*graph, {0, 0});
    auto variables = variable_values(*graph);
    settle(store, variables);
    expect_error<ModelError>([&] { store.check({{"c", row_of(1, 2)}}); }, "there are: 'a', 'b'");
    expect_error<ModelError>([&] { store.check({{"b", row_of(1, 2)}}); }, "expected f32[1,1]");
    expect_error<ModelError>(
        [&] {
            store.check({{"a", Tensor(ElementType::i64, {1, 2})}});
        },
        "got i64[1,2]");
}

// Before any inference it isn't known how many rows a stream has; the first one with the value
// says.
TEST(StateStore, AValueThatWasSetFirstIsCheckedLater) {
    const auto graph = two_variables();
    StateStore store(*graph, {0, 0});
    auto variables = variable_values(*graph);
    StreamState good = store.open();
    StreamState bad = store.open();
    store.set(good, {{"a", row_of(1, 2)}});
    store.set(bad, {{"a", tensor_of<float>({2, 2}, {1, 2, 3, 4})}});
    const std::vector<StreamState*> first{&good};
    store.load(first, 1, variables);
    expect_same(variables[0].value(), row_of(1, 2));
    variables[1].set(tensor_of<float>({1, 1}, {5}));
    store.store(first, 1, variables);
    const std::vector<StreamState*> second{&bad};
    expect_error<ModelError>([&] { store.load(second, 1, variables); },
                             "variable 'a' was set to a tensor of shape [2,2]");
    store.reset(bad);
    store.load(second, 1, variables);
    expect_same(variables[0].value(), row_of(0, 0));
}

// It may have passed its check while the first inference ran, which gave the stream a slot.
TEST(StateStore, AValueThatDoesNotFitTheSlotIsRefusedLater) {
    const auto graph = two_variables();
    StateStore store(*graph, {0, 0});
    auto variables = variable_values(*graph);
    settle(store, variables);
    std::vector<StreamState> states{store.open(), store.open()};
    variables[0].set(tensor_of<float>({2, 2}, {1, 2, 3, 4}));
    variables[1].set(tensor_of<float>({2, 1}, {5, 6}));
    store.store(pointers(states), 2, variables);
    store.set(states[0], {{"a", tensor_of<float>({2, 2}, {8, 8, 8, 8})}});
    expect_same(store.get(states[1]).at("a"), row_of(3, 4));
    expect_error<ModelError>([&] { store.load(pointers(states), 2, variables); },
                             "variable 'a' was set to a tensor of shape [2,2]");
    store.set(states[0], {{"a", row_of(7, 9)}});
    store.load(pointers(states), 2, variables);
    expect_same(variables[0].value(), tensor_of<float>({2, 2}, {7, 9, 3, 4}));
}

}  // namespace
}  // namespace rondo::test::state_store_test
