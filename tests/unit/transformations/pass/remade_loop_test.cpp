#include "transformations/pass/remade_loop.hpp"

#include <gtest/gtest.h>

#include "tests/support/bodies.hpp"

namespace rondo::passes::remade_loop_test {
namespace {

TEST(RemadeLoop, KeepsKindAndLimit) {
    const auto graph = test::count_loop();
    auto& loop = test::find<ops::Loop>(*graph, "loop");
    loop.set_most_iterations(5);
    Rewriter rewriter(*graph);
    const auto made = remade_loop(rewriter, loop, "again",
                                  {loop.inputs(),
                                   loop.bodies()[0],
                                   loop.body_ports(),
                                   {loop.iteration_parameter(), loop.condition_result()}});
    EXPECT_NE(as_op<ops::Loop>(*made), nullptr);
    EXPECT_EQ(made->name(), "again");
    EXPECT_EQ(made->most_iterations(), 5u);
    EXPECT_EQ(made->condition_result(), loop.condition_result());
}

}  // namespace
}  // namespace rondo::passes::remade_loop_test
