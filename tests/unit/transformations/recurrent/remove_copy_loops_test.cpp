#include "transformations/recurrent/passes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"

namespace rondo::passes::remove_copy_loops_test {
namespace {

using namespace test;  // NOLINT: tests only

// Takes x apart along one axis and joins the parts along another one; the second output is the last
// part.
struct Walk {
    std::string x = "[?,?,3]";
    std::int64_t from = 0, to = 1;
    bool reversed = false, turns = false;  // reads, or joins, from the end
    bool adds = false;                     // computes something, too
};

std::shared_ptr<Graph> walk(const Walk& form) {
    GraphBuilder body, b;
    const Output part = body.input("part", form.from == 0 ? "[1,?,3]" : "[?,1,3]");
    Output element = body.squeeze(part, {form.from});
    if (form.adds) element = add(body, element, element);
    body.output("joined", body.unsqueeze(element, {form.to}));
    body.output("last", element);
    const auto range = [](std::int64_t axis, bool reversed) {
        return reversed ? ops::PartRange{axis, -1, -1, 1, 0} : ops::PartRange{axis};
    };
    const ops::BodyPorts ports{{{0, 0, range(form.from, form.reversed), {}}},
                               {{0, 0, range(form.to, form.reversed != form.turns)}, {1, 1, {}}}};
    const auto node = b.make<ops::TensorIterator>("walk", std::vector<Output>{b.input("x", form.x)},
                                                  body.graph(), ports);
    b.output("all", node->output(0));
    if (form.x.find('?') == std::string::npos) b.output("end", node->output(1));
    return b.graph();
}

TEST(LoopsToParts, JoinedPartsAreTheTensorInAnotherOrder) {
    for (const std::int64_t from : {0, 1}) {
        for (const std::int64_t to : {0, 1}) {
            for (const char* x : {"[?,?,3]", "[2,4,3]"}) {
                for (const bool reversed : {false, true}) {
                    Walk form{x, from, to, reversed};
                    if (from == to && form.x == "[?,?,3]") continue;  // an input as an output
                    const auto graph = walk(form);
                    expect_rewritten(*graph, remove_copy_loops);
                    EXPECT_EQ(count_nodes(*graph, "TensorIterator"), from == to ? 1u : 0u);
                }
            }
        }
    }
}

TEST(LoopsToParts, TurnsThemRound) {
    for (const bool reversed : {false, true}) {
        const auto graph = walk({"[2,4,3]", 1, 1, reversed, true});
        expect_rewritten(*graph, remove_copy_loops);
        EXPECT_EQ(count_nodes(*graph, "TensorIterator"), 0u);
    }
}

TEST(LoopsToParts, LeaveWhatComputes) {
    Walk form;
    form.adds = true;
    expect_unchanged(*walk(form), remove_copy_loops);
    expect_unchanged(*running_sum(), remove_copy_loops);
    expect_unchanged(*count_loop(), remove_copy_loops);
}

// By a Gather at the number of the iteration, as often as there are elements or not.
std::shared_ptr<Graph> gathering(bool once_a_step) {
    GraphBuilder body, b;
    const Output number = body.input("i", "", ElementType::i64);
    const Output all = body.input("all", "[?,3]");
    body.output("more", flag(body, true));
    body.output("row",
                body.make<ops::Gather>("", all, body.unsqueeze(number, {0}), body.ints({0})));
    const Output x = b.input("x", "[?,3]");
    const Output shape = b.make<ops::ShapeOf>("", x);
    const Output count = b.make<ops::Gather>("", shape, i64(b, once_a_step ? 0 : 1), b.ints({0}));
    const auto loop = b.make<ops::Loop>(
        "walk", std::vector<Output>{count, flag(b, true), x}, body.graph(),
        ops::BodyPorts{{{2, 1, {}, {}}}, {{0, 1, ops::PartRange{0}}}}, ops::LoopPorts{0, 0});
    b.output("y", add(b, loop->output(0), loop->output(0)));
    return b.graph();
}

TEST(LoopsToParts, ReadGathersOfALoop) {
    const auto graph = gathering(true);
    expect_rewritten(*graph, remove_copy_loops);
    EXPECT_EQ(count_nodes(*graph, "Loop"), 0u);
    expect_unchanged(*gathering(false), remove_copy_loops);
}

}  // namespace
}  // namespace rondo::passes::remove_copy_loops_test
