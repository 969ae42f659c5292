#include "core/ir/ir.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "core/graph/constants.hpp"
#include "core/graph/infer_context.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/window/samplers.hpp"
#include "tests/support/bodies.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::empty_inputs_test {
namespace {

using test::flag;
using test::GraphBuilder;

using Make = std::function<Output(GraphBuilder& builder, const Output& x)>;

// x -> what is made -> y.
std::shared_ptr<Graph> made_graph(std::string_view shape, const Make& make) {
    GraphBuilder builder;
    builder.output("y", make(builder, builder.input("x", shape)));
    return builder.graph();
}

Output transposed(GraphBuilder& builder, const Output& x) { return builder.transpose(x, {}, "t"); }

Output sliced(GraphBuilder& builder, const Output& x) {
    return builder.make<ops::Slice>("slice", x, builder.ints({}), builder.ints({}),
                                    builder.ints({}), builder.ints({}));
}

Output gathered(GraphBuilder& builder, const Output& x) {
    const Output axis = builder.constant(test::scalar_of<std::int64_t>(1));
    return builder.make<ops::Gather>("gather", x, builder.ints({}), axis);
}

// What makes y.
Node& made(const Graph& graph) { return graph.results()[0]->input(0).node(); }

void expect_order(const Node& transpose, const std::vector<std::int64_t>& order) {
    EXPECT_EQ(constant_ints(transpose.input(1)), order);
    EXPECT_EQ(transpose.input(1).node().name(), transpose.name() + "/order");
}

TEST(EmptyInputs, OrdersAreWritten) {
    for (const char* shape : {"[2,3,4]", "[?,3,?]"}) {
        const auto graph = made_graph(shape, transposed);
        const auto changed = ir::without_empty_inputs(*graph);
        ASSERT_NE(changed, nullptr);
        expect_order(made(*changed), {2, 1, 0});
        EXPECT_EQ(constant_ints(made(*graph).input(1)), std::vector<std::int64_t>());
        EXPECT_EQ(ir::without_empty_inputs(*changed), nullptr);
    }
}

TEST(EmptyInputs, OrdersAreWrittenInBodies) {
    GraphBuilder body, builder;
    body.output("more", flag(body, true));
    body.output("next", transposed(body, body.input("bx", "[?,?]")));
    const std::vector<Output> inputs{test::i64(builder, 3), flag(builder, true),
                                     builder.input("x", "[?,?]")};
    const auto loop = builder.make<ops::Loop>("loop", inputs, body.graph(),
                                              ops::BodyPorts{{{2, 0, {}, 1}}, {{0, 1, {}}}},
                                              ops::LoopPorts{{}, 0});
    builder.output("y", loop->output(0));
    const auto changed = ir::without_empty_inputs(*builder.graph());
    ASSERT_NE(changed, nullptr);
    expect_order(made(*changed).bodies()[0]->results()[1]->input(0).node(), {1, 0});
}

TEST(EmptyInputs, WhatChangesNothingIsAConvert) {
    const auto broadcast = [](ops::BroadcastMode mode) {
        return [mode](GraphBuilder& b, const Output& x) -> Output {
            return b.make<ops::Broadcast>("broadcast", x, b.ints({}), mode);
        };
    };
    const Make pad = [](GraphBuilder& b, const Output& x) -> Output {
        return b.make<ops::Pad>("pad", std::vector<Output>{x, b.ints({}), b.ints({})},
                                ops::PadMode::edge);
    };
    const Make tile = [](GraphBuilder& b, const Output& x) -> Output {
        return b.make<ops::Tile>("tile", x, b.ints({}));
    };
    const Make interpolate = [](GraphBuilder& b, const Output& x) -> Output {
        const Output none = b.ints({});
        return b.make<ops::Interpolate>("interpolate", std::vector<Output>{x, none, none},
                                        ops::InterpolateAttributes{});
    };
    const Make unsqueeze = [](GraphBuilder& b, const Output& x) { return b.unsqueeze(x, {}); };
    const std::vector<std::pair<const char*, Make>> cases = {
        {"[]", broadcast(ops::BroadcastMode::numpy)},
        {"[]", broadcast(ops::BroadcastMode::bidirectional)},
        {"[2,?]", broadcast(ops::BroadcastMode::bidirectional)},
        {"[]", pad},
        {"[]", sliced},
        {"[2,?]", sliced},
        {"[]", tile},
        {"[2,3]", tile},
        {"[?,3]", tile},
        {"[]", unsqueeze},
        {"[?,3]", unsqueeze},
        {"[2,3]", interpolate},
    };
    for (const auto& [shape, make] : cases) {
        const auto graph = made_graph(shape, make);
        Node& old = made(*graph);
        SCOPED_TRACE(std::string(old.type_name()) + shape);
        const auto changed = ir::without_empty_inputs(*graph);
        ASSERT_NE(changed, nullptr);
        EXPECT_EQ(made(*changed).type_name(), "Convert");
        EXPECT_EQ(made(*changed).name(), old.name());
        EXPECT_EQ(made(*changed).input(0), changed->parameters()[0]->output(0));
        EXPECT_EQ(made(*changed).output(0).names(), std::set<std::string>{"y"});
        EXPECT_EQ(made(*changed).output_shape(0), old.output_shape(0));
    }
}

TEST(EmptyInputs, PartsOfNothingAreAConstant) {
    const auto changed = ir::without_empty_inputs(*made_graph("[2,3,4]", gathered));
    ASSERT_NE(changed, nullptr);
    EXPECT_EQ(made(*changed).type_name(), "Const");
    EXPECT_EQ(made(*changed).output_shape(0), PartialShape({2, 0, 4}));
    EXPECT_EQ(made(*changed).name(), "gather");
    EXPECT_EQ(ir::without_empty_inputs(*made_graph("[?,3,4]", gathered)), nullptr);
}

TEST(EmptyInputs, OthersStay) {
    const Make order = [](GraphBuilder& b, const Output& x) { return b.transpose(x, {1, 0}); };
    EXPECT_EQ(ir::without_empty_inputs(*made_graph("[2,3]", order)), nullptr);
    EXPECT_EQ(ir::without_empty_inputs(*made_graph("...", transposed)), nullptr);
    EXPECT_EQ(ir::without_empty_inputs(*made_graph("[]", transposed)), nullptr);
    const Make reshape = [](GraphBuilder& b, const Output& x) { return b.reshape(x, {}); };
    EXPECT_EQ(ir::without_empty_inputs(*made_graph("[1,1]", reshape)), nullptr);
}

TEST(EmptyInputs, AreNotInFiles) {
    const test::TemporaryFolder folder;
    ir::write(*made_graph("[?,3]", transposed), folder / "m.xml");
    expect_order(made(*test::read_file(folder / "m.xml")), {1, 0});
}

}  // namespace
}  // namespace rondo::empty_inputs_test
