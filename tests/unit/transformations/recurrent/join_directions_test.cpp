#include "transformations/recurrent/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::join_directions_test {
namespace {

using namespace test;  // NOLINT: tests only

using GruPtr = std::shared_ptr<ops::GRUSequence>;

// A forward and a reverse GRU on one X, of different weights.
struct Pair {
    GraphBuilder b;
    Output x;
    GruPtr forward, reverse;

    explicit Pair(const char* shape = "[?,?,4]") : x(b.input("x", shape)) {
        forward = make_gru(b, "forward", x, 4, 3);
        reverse = make_gru(b, "reverse", x, 4, 3, ops::Direction::reverse);
        reverse->set_input(reverse->x_port(), forward->input(forward->x_port()));
        Rng rng(3);
        const Shape shape_of_r = known_value(forward->input(forward->r_port())).shape();
        reverse->set_input(reverse->r_port(),
                           b.constant(random_tensor(ElementType::f32, shape_of_r, rng, -1, 1)));
        reverse->validate();
    }

    Output y(const GruPtr& gru) { return b.squeeze(gru->output(0), {1}); }
    Output last(const GruPtr& gru) { return b.squeeze(gru->output(1), {1}); }
    Output beside(const Output& one, const Output& other, std::int64_t axis) {
        return b.make<ops::Concat>("beside", std::vector<Output>{one, other}, axis);
    }
};

void expect_joined(Pair& pair) {
    const auto graph = pair.b.graph();
    expect_rewritten(*graph, join_directions);
    EXPECT_EQ(count_nodes(*graph, "GRUSequence"), 1u);
}

TEST(JoinDirections, PutsTheFeaturesOfAllStepsSideBySide) {
    for (const char* shape : {"[?,?,4]", "[5,2,4]"}) {
        Pair pair(shape);
        pair.b.output("all", pair.beside(pair.y(pair.forward), pair.y(pair.reverse), 2));
        expect_joined(pair);
        Pair turned(shape);
        const auto moved = [&](const GruPtr& gru) {
            return turned.b.transpose(turned.y(gru), {1, 0, 2});
        };
        turned.b.output("all", turned.beside(moved(turned.forward), moved(turned.reverse), -1));
        expect_joined(turned);
    }
}

TEST(JoinDirections, PutsLastStatesSideBySide) {
    Pair pair;
    pair.b.output("last", pair.beside(pair.last(pair.forward), pair.last(pair.reverse), 1));
    const auto graph = pair.b.graph();
    expect_rewritten(*graph, join_directions);
    EXPECT_EQ(count_nodes(*graph, "Split"), 0u);
}

TEST(JoinDirections, GivesOtherReadersTheirParts) {
    Pair pair;
    pair.b.output("sum", add(pair.b, pair.y(pair.forward), pair.y(pair.reverse)));
    pair.b.output("other_way", pair.beside(pair.last(pair.reverse), pair.last(pair.forward), 1));
    expect_joined(pair);
    Pair one;
    one.b.output("y", add(one.b, one.y(one.forward), one.y(one.forward)));
    one.b.output("last", add(one.b, one.last(one.reverse), one.last(one.reverse)));
    expect_joined(one);
}

// As the merge modes of Keras's Bidirectional do. OpenVINO's Split wants a scalar axis.
TEST(JoinDirections, SplitsWhatIsAddedMultipliedOrAveragedAlongAScalar) {
    using enum ops::BinaryFunction;
    for (const auto function : {ops::BinaryFunction::add, multiply, subtract, maximum}) {
        for (const bool reads_states : {false, true}) {
            Pair pair;
            const auto value = [&](const GruPtr& gru) {
                return reads_states ? pair.last(gru) : pair.y(gru);
            };
            pair.b.output("merged", pair.b.make<ops::Binary>("", function, value(pair.forward),
                                                             value(pair.reverse)));
            const auto graph = pair.b.graph();
            expect_rewritten(*graph, join_directions);
            EXPECT_EQ(count_nodes(*graph, "GRUSequence"), 1u);
            for (const auto& node : graph->ordered_nodes()) {
                if (as_op<ops::Split>(*node) == nullptr) continue;
                EXPECT_EQ(node->input(1).shape(), PartialShape(Shape{}));
            }
        }
    }
}

TEST(JoinDirections, LeavesWhatDoesntBelongTogether) {
    Pair after;  // one starts with what the other has found
    after.reverse->set_input(after.reverse->h_port(), after.forward->output(1));
    after.b.output("last", after.last(after.reverse));
    expect_unchanged(*after.b.graph(), join_directions);
    Pair other_x;
    other_x.reverse->set_input(0, other_x.b.input("other", "[?,?,4]"));
    other_x.b.output("sum", add(other_x.b, other_x.y(other_x.forward), other_x.y(other_x.reverse)));
    expect_unchanged(*other_x.b.graph(), join_directions);
    Pair lengths;
    lengths.reverse->set_input(lengths.reverse->lengths_port(),
                               lengths.b.input("lengths", "[?]", ElementType::i64));
    lengths.b.output("sum", add(lengths.b, lengths.y(lengths.forward), lengths.y(lengths.reverse)));
    expect_unchanged(*lengths.b.graph(), join_directions);
    Pair clipped;
    ops::RecurrentAttributes attributes = clipped.reverse->attributes();
    attributes.clip = 1;
    clipped.reverse->set_attributes(attributes);
    clipped.b.output("sum", add(clipped.b, clipped.y(clipped.forward), clipped.y(clipped.reverse)));
    expect_unchanged(*clipped.b.graph(), join_directions);
}

}  // namespace
}  // namespace rondo::passes::join_directions_test
