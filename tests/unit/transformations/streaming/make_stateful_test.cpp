#include "transformations/streaming/passes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/state/variables.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/state_steps.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"
#include "transformations/streaming/find_state_pairs.hpp"

namespace rondo::passes::make_stateful_test {
namespace {

using namespace test;  // NOLINT: tests only

// x + s -> next, and next * 2 -> y.
std::shared_ptr<Graph> running_total(const std::string& x_shape, const std::string& s_shape,
                                     ElementType type = ElementType::f32) {
    GraphBuilder b;
    const Output x = b.input("x", x_shape, type);
    const Output s = b.input("s", s_shape, type);
    const Output next = add(b, x, s);
    b.output("next", next);
    b.output("y", add(b, next, next));
    return b.graph();
}

TEST(MakeStateful, APairBecomesAVariable) {
    const auto graph = running_total("[2,3]", "[2,3]");
    EXPECT_TRUE(make_stateful(*graph, {{"s", "next"}}));
    const auto variables = ops::variables_of(*graph);
    ASSERT_EQ(variables.size(), 1U);
    EXPECT_EQ(variables[0].id, "snext");
    EXPECT_EQ(variables[0].read->name(), "s");
    EXPECT_EQ(variables[0].assign->name(), "next/result");
    EXPECT_FALSE(variables[0].read->has_init());
    ASSERT_EQ(graph->parameters().size(), 1U);
    EXPECT_EQ(graph->parameters()[0]->name(), "x");
    EXPECT_EQ(Model(graph).outputs().size(), 1U);
    EXPECT_EQ(Model(graph).outputs()[0].any_name(), "y");
    EXPECT_FALSE(make_stateful(*graph, {}));
    expect_error<ModelError>(
        [&] {
            make_stateful(*graph, {{"s", "next"}});
        },
        "the model has no input 's'; there are: 'x'");
}

TEST(MakeStateful, AStepIsTheNextStateByHand) {
    Rng rng = test_rng();
    for (const ElementType type : {ElementType::f32, ElementType::f64, ElementType::i64,
                                   ElementType::i32, ElementType::f16}) {
        const auto by_hand = running_total("[?,3]", "[?,3]", type);
        const auto kept = by_hand->clone();
        make_stateful(*kept, {{"s", "next"}});
        std::vector<NamedTensors> steps;
        for (int i = 0; i < 4; ++i)
            steps.push_back({{"x", random_tensor(type, {5, 3}, rng, 0, 9)}});
        for (const char* device : {"CPU", "REFERENCE"}) {
            expect_same_steps(steps_of(Model(kept), device, steps),
                              steps_by_hand(Model(by_hand), device, {{"s", "next"}},
                                            {{"s", Tensor(type, {5, 3})}}, steps));
        }
    }
}

// A boolean that stays true once it was.
TEST(MakeStateful, KeepsFlags) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]", ElementType::boolean);
    const Output seen = b.input("seen", "[?]", ElementType::boolean);
    const Output next = b.make<ops::Concat>("", std::vector<Output>{seen, x}, 0);
    b.output("seen_out", next);
    b.output("y", b.unsqueeze(next, {0}));
    const auto graph = b.graph();
    make_stateful(*graph, {{"seen", "seen_out"}});
    const auto steps = steps_of(
        Model(graph), "CPU",
        {{{"x", tensor_of<bool, int>({2}, {1, 0})}}, {{"x", tensor_of<bool, int>({1}, {1})}}});
    expect_same(steps[1].at("y"), tensor_of<bool, int>({1, 3}, {1, 0, 1}));
}

TEST(MakeStateful, AnOutputOfTheSameTensorStays) {
    GraphBuilder b;
    const Output next = add(b, b.input("x", "[3]"), b.input("s", "[3]"));
    b.output("next", next);
    b.output("y", next);
    const auto graph = b.graph();
    make_stateful(*graph, {{"s", "next"}});
    ASSERT_EQ(Model(graph).outputs().size(), 1U);
    EXPECT_EQ(Model(graph).outputs()[0].names, std::vector<std::string>{"y"});
}

// The input itself is an output, and another one is its next value: y is the value before.
TEST(MakeStateful, AnInputMayBeAnOutput) {
    GraphBuilder b;
    const Output s = b.input("s", "[1]");
    b.output("next", add(b, b.input("x", "[1]"), s));
    b.output("y", s);
    const auto graph = b.graph();
    make_stateful(*graph, {{"s", "next"}});
    const auto one = tensor_of<float>({1}, {1});
    const auto steps = steps_of(Model(graph), "CPU", {{{"x", one}}, {{"x", one}}, {{"x", one}}});
    EXPECT_EQ(element_at(steps[2].begin()->second, 0), 2);
}

TEST(MakeStateful, AStateThatIsPassedOnStays) {
    GraphBuilder b;
    const Output s = b.input("s", "[2]");
    b.output("same", s);
    b.output("y", add(b, b.input("x", "[2]"), s));
    const auto graph = b.graph();
    make_stateful(*graph, {{"s", "same"}});
    const Tensor x = tensor_of<float>({2}, {1, 2});
    const auto steps = steps_of(Model(graph), "CPU", {{{"x", x}}, {{"x", x}}});
    expect_same(steps[1].at("y"), x);
}

TEST(MakeStateful, IdsDiffer) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    b.output("bc", add(b, x, b.input("a", "[2]")));
    b.output("c", add(b, x, b.input("ab", "[2]")));
    b.output("y", x);
    const auto graph = b.graph();
    make_stateful(*graph, {{"a", "bc"}, {"ab", "c"}});
    const auto variables = ops::variables_of(*graph);
    EXPECT_EQ(variables[0].id, "abc");
    EXPECT_EQ(variables[1].id, "abc_1");
}

// The batch of X decides how many rows the states of an LSTM-like graph have.
TEST(MakeStateful, OpenRowsAreThoseOfTheLayersX) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,4]");
    const auto gru = make_gru(b, "gru", x, 4, 3);
    gru->set_input(gru->h_port(), b.transpose(b.input("h", "[1,?,3]"), {1, 0, 2}));
    gru->validate();
    b.output("hn", b.transpose(gru->output(1), {1, 0, 2}));
    b.output("y", gru->output(0));
    const auto by_hand = b.graph();
    const auto kept = by_hand->clone();
    make_stateful(*kept, {{"h", "hn"}});
    EXPECT_EQ(find<ops::ReadValue>(*kept, "h").input(0).node().type_name(), "Broadcast");
    Rng rng = test_rng();
    std::vector<NamedTensors> steps;
    for (const std::size_t chunk : {3U, 1U, 5U}) {
        steps.push_back({{"x", random_tensor(ElementType::f32, {chunk, 2, 4}, rng)}});
    }
    expect_same_steps(steps_of(Model(kept), "CPU", steps),
                      steps_by_hand(Model(by_hand), "CPU", {{"h", "hn"}},
                                    {{"h", Tensor(ElementType::f32, {1, 2, 3})}}, steps));
}

// Rows that are appended start with none; the output's known extents are the variable's.
TEST(MakeStateful, ACacheStartsEmptyAndAWindowFull) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,?,2]");
    const Output cache = b.input("cache", "[1,?,2]");
    const Output all = b.make<ops::Concat>("", std::vector<Output>{cache, x}, 1);
    b.output("cache_out", all);
    b.output("y", add(b, all, all));
    const auto graph = b.graph();
    make_stateful(*graph, {{"cache", "cache_out"}});
    EXPECT_FALSE(find<ops::ReadValue>(*graph, "cache").has_init());
    const Tensor two = tensor_of<float>({1, 2, 2}, {1, 2, 3, 4});
    const auto steps = steps_of(Model(graph), "CPU", {{{"x", two}}, {{"x", two}}});
    EXPECT_EQ(steps[0].at("y").shape(), (Shape{1, 2, 2}));
    EXPECT_EQ(steps[1].at("y").shape(), (Shape{1, 4, 2}));

    const auto fixed = running_total("[4,3]", "[?,3]");
    make_stateful(*fixed, {{"s", "next"}});
    EXPECT_EQ(to_string(ops::variables_of(*fixed)[0].shape()), "[4,3]");
}

TEST(MakeStateful, RefusesWhatIsNoState) {
    const auto graph = running_total("[2,3]", "[2,3]");
    const auto text = Model(graph).to_text();
    const auto refuse = [&](const std::vector<std::pair<std::string, std::string>>& pairs,
                            const char* why) {
        expect_error<ModelError>([&] { make_stateful(*graph, pairs); }, why);
        EXPECT_EQ(Model(graph).to_text(), text);
    };
    refuse({{"z", "next"}}, "the model has no input 'z'; there are: 'x', 's'");
    refuse({{"s", "z"}}, "the model has no output 'z'; there are: 'next', 'y'");
    refuse({{"s", "next"}, {"s", "y"}}, "input 's' stands in two pairs");
    refuse({{"s", "next"}, {"x", "next"}}, "output 'next' stands in two pairs");

    GraphBuilder b;
    const Output x = b.input("x", "[2,3]");
    b.input("unread", "[2,3]");
    b.input("long", "[9]");
    b.output("flags", b.make<ops::Convert>("", x, ElementType::boolean));
    b.output("y", add(b, x, x));
    const auto other = b.graph();
    expect_error<ModelError>(
        [&] {
            make_stateful(*other, {{"x", "flags"}});
        },
        "input 'x' f32[2,3] and output 'flags' boolean[2,3] can't be one "
        "state: their types differ");
    expect_error<ModelError>(
        [&] {
            make_stateful(*other, {{"unread", "y"}});
        },
        "no node reads the input");
    expect_error<ModelError>(
        [&] {
            make_stateful(*other, {{"long", "y"}});
        },
        "their shapes differ");
}

// No op joins its rows with those of another tensor, and any number of them runs.
TEST(MakeStateful, RefusesAnOpenExtentThatNothingSettles) {
    GraphBuilder b;
    const Output s = b.input("s", "[?]");
    b.output("next", add(b, s, s));
    b.output("y", b.input("x", "[?]"));
    const auto graph = b.graph();
    expect_error<ModelError>(
        [&] {
            make_stateful(*graph, {{"s", "next"}});
        },
        "nothing in the model says how long axis 0 is at the start; reshape "
        "the input first");
}

// ---- random models: sums, layers and windows, each a state of its own

struct RandomStates {
    explicit RandomStates(bool has_open_rows) : open(has_open_rows) {}

    GraphBuilder b;
    bool open;
    Output x = b.input("x", open ? "[?,?,4]" : "[3,?,4]");  // [N,T,4]
    StateNames pairs;
    StateNames sums;  ///< of these: no use or name shows these
    NamedTensors first;

    std::string shape(const char* tail) const { return (open ? "[?," : "[3,") + std::string(tail); }
    Output add_state(const std::string& tail, const Shape& rest) {
        const std::string name = "in" + std::to_string(pairs.size());
        pairs.emplace_back(name, "out" + std::to_string(9 - pairs.size()));
        Shape full{3};
        full.insert(full.end(), rest.begin(), rest.end());
        first[name] = Tensor(ElementType::f32, full);
        return b.input(name, shape(tail.c_str()));
    }
    Output add_layer(const Output& value) {
        const auto gru =
            make_gru(b, "gru" + std::to_string(pairs.size()), b.transpose(value, {1, 0, 2}), 4, 4);
        gru->set_input(gru->h_port(), add_state("1,4]", {1, 4}));
        gru->validate();
        b.output(pairs.back().second, gru->output(1));
        return b.squeeze(gru->output(0), {1});
    }
    Output add_window(const Output& value) {
        const Output joined =
            b.make<ops::Concat>("", std::vector<Output>{add_state("2,4]", {2, 4}), value}, 1);
        const auto part = [&](std::int64_t from, std::int64_t to) {
            return Output(b.make<ops::Slice>("", joined, b.ints({from}), b.ints({to}), b.ints({1}),
                                             b.ints({1})));
        };
        b.output(pairs.back().second, part(-2, 1 << 30));
        return add(b, part(0, -2), value);
    }
    Output add_sum(const Output& value) {
        const Output sum = add_state("1,4]", {1, 4});
        const Output last = b.make<ops::Slice>("", value, b.ints({-1}), b.ints({1 << 30}),
                                               b.ints({1}), b.ints({1}));
        const Output next = add(b, sum, last);
        sums.push_back(pairs.back());
        b.output(pairs.back().second, next);
        return add(b, value, next);
    }
};

TEST(MakeStateful, RandomModelsGiveTheSameBits) {
    Rng rng = test_rng();
    for (int round = 0; round < 20; ++round) {
        RandomStates model(round % 2 == 0);
        Output value = model.x;
        for (std::int64_t left = uniform_int(rng, 1, 4); left > 0; --left) {
            const auto kind = uniform_int(rng, 0, 2);
            value = kind == 0   ? model.add_layer(value)
                    : kind == 1 ? model.add_window(value)
                                : model.add_sum(value);
        }
        model.b.output("y", value);
        const auto by_hand = model.b.graph();
        const auto kept = by_hand->clone();
        make_stateful(*kept, model.pairs);
        auto found = find_state_pairs(*by_hand).pairs;
        found.insert(found.end(), model.sums.begin(), model.sums.end());
        EXPECT_THAT(found, ::testing::UnorderedElementsAreArray(model.pairs));
        std::vector<NamedTensors> steps;
        for (int i = 0; i < 4; ++i) {
            const auto chunk = static_cast<std::size_t>(uniform_int(rng, 1, 5));
            steps.push_back({{"x", random_tensor(ElementType::f32, {3, chunk, 4}, rng)}});
        }
        for (const char* device : {"CPU", "REFERENCE"}) {
            SCOPED_TRACE("round " + std::to_string(round) + " on " + device);
            expect_same_steps(
                steps_of(Model(kept), device, steps),
                steps_by_hand(Model(by_hand), device, model.pairs, model.first, steps));
        }
    }
}

}  // namespace
}  // namespace rondo::passes::make_stateful_test
