
#include <gmock/gmock.h>

#include "core/extents/full_lengths.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/runtime/transforms.hpp"
#include "rondo/core.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"
#include "transformations/pipelines.hpp"

namespace rondo::full_lengths_test {
namespace {

using test::extent_of;
using test::GraphBuilder;
using test::make_gru;
using test::tensor_of;

TEST(LengthsAreFull, WhereTheyAreReadFromX) {
    GraphBuilder b;
    EXPECT_TRUE(lengths_are_full(*make_gru(b, "open", b.input("x", "[?,?,4]"), 4, 3)));
    EXPECT_TRUE(lengths_are_full(*make_gru(b, "known", b.input("y", "[5,2,4]"), 4, 3)));
}

TEST(LengthsAreFull, ThroughLayersAndConversions) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,4]");
    const auto first = make_gru(b, "first", x, 4, 3);
    const auto second = make_gru(b, "second", b.squeeze(onnx_y(b, first), {1}), 3, 3);
    EXPECT_TRUE(lengths_are_full(*second));
    const Output t = b.make<ops::Convert>("", extent_of(b, x, 0), ElementType::i32);
    second->set_input(second->lengths_port(), b.make<ops::Broadcast>("", t, extent_of(b, x, 1)));
    EXPECT_TRUE(lengths_are_full(*second));
}

TEST(LengthsAreFull, WhereAConstantHoldsT) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[5,2,4]"), 4, 3);
    const auto with = [&](const Output& lengths) {
        gru->set_input(gru->lengths_port(), lengths);
        return lengths_are_full(*gru);
    };
    EXPECT_TRUE(with(b.ints({5, 5})));
    EXPECT_TRUE(with(b.constant(tensor_of<std::int32_t>({2}, {5, 5}))));
    EXPECT_FALSE(with(b.ints({5, 4})));
}

TEST(LengthsAreFull, NotWhereSomebodyGivesThem) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,4]");
    const auto gru = make_gru(b, "gru", x, 4, 3);
    const auto with = [&](const Output& lengths) {
        gru->set_input(gru->lengths_port(), lengths);
        return lengths_are_full(*gru);
    };
    EXPECT_FALSE(with(b.input("lengths", "[?]", ElementType::i64)));
    EXPECT_FALSE(with(b.make<ops::Broadcast>("", b.ints({5}), extent_of(b, x, 1))));
    // The batch's extent; that of another tensor; a type in which a length may not fit.
    EXPECT_FALSE(with(b.make<ops::Broadcast>("", extent_of(b, x, 1), extent_of(b, x, 1))));
    const Output other = b.input("other", "[?,?,4]");
    EXPECT_FALSE(with(b.make<ops::Broadcast>("", extent_of(b, other, 0), extent_of(b, x, 1))));
    const Output narrow = b.make<ops::Convert>("", extent_of(b, x, 0), ElementType::i8);
    const Output wide = b.make<ops::Convert>("", narrow, ElementType::i64);
    EXPECT_FALSE(with(b.make<ops::Broadcast>("", wide, extent_of(b, x, 1))));
}

TEST(LengthsAreFull, CellsHaveNone) { EXPECT_TRUE(lengths_are_full(ops::RNNCell())); }

TEST(LengthsAreFull, AfterThePortablePasses) {
    for (const char* shape : {"[?,?,4]", "[5,2,4]", "[?,2,4]", "[5,?,4]", "[?,1,4]", "[1,?,4]"}) {
        GraphBuilder b;
        const auto first = make_gru(b, "first", b.input("x", shape), 4, 3);
        const auto second = make_gru(b, "second", b.squeeze(onnx_y(b, first), {1}), 3, 3);
        b.output("y", onnx_y(b, second));
        const auto graph = b.graph();
        run_portable_passes(*graph, {});
        int layers = 0;
        for (const auto& node : graph->ordered_nodes()) {
            const auto op = as<ops::RecurrentOp>(node);
            if (op == nullptr) continue;
            EXPECT_TRUE(lengths_are_full(*op)) << shape << " " << op->name();
            ++layers;
        }
        EXPECT_EQ(layers, 2) << shape;
    }
}

}  // namespace
}  // namespace rondo::full_lengths_test
