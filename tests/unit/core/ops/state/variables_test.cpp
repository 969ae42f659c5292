#include "core/ops/state/variables.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::variables_test {
namespace {

using test::expect_error;
using test::GraphBuilder;

template <typename Kind = ModelError>
void expect_refused(const GraphBuilder& builder, const std::string& message) {
    expect_error<Kind>([&] { ops::variables_of(*builder.graph()); }, message);
}

TEST(Variables, AreListedInTheOrderOfTheSinks) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2]");
    const Output first = b.read("first", "[?,2]", {x});
    b.assign("second", first);
    b.assign("first", b.read("second", "[3,2]"));
    const auto graph = b.graph();
    const auto variables = ops::variables_of(*graph);
    ASSERT_EQ(variables.size(), 2u);
    EXPECT_EQ(variables[0].id, "second");
    EXPECT_EQ(variables[0].assign->name(), "assign_second");
    EXPECT_EQ(variables[0].read->name(), "read_second");
    EXPECT_EQ(to_string(variables[0].shape()), "[3,2]");
    EXPECT_EQ(variables[1].id, "first");
    EXPECT_EQ(variables[1].type(), ElementType::f32);
}

TEST(Variables, ArePairs) {
    GraphBuilder only_read;
    only_read.output("y", only_read.read("v", "[2]"));
    expect_refused(only_read, "node 'read_v' (ReadValue): variable 'v' is never assigned");
    GraphBuilder only_assigned;
    only_assigned.assign("v", only_assigned.input("x", "[2]"));
    expect_refused(only_assigned, "node 'assign_v' (Assign): variable 'v' is never read");
    GraphBuilder read_twice;
    read_twice.assign("v", read_twice.read("v", "[2]"));
    read_twice.output("y", read_twice.read("v", "[2]"));
    expect_refused(read_twice, "(ReadValue): variable 'v' is already read by node 'read_v'");
    GraphBuilder assigned_twice;
    assigned_twice.assign("v", assigned_twice.read("v", "[2]"));
    assigned_twice.assign("v", assigned_twice.input("x", "[2]"));
    expect_refused(assigned_twice, "(Assign): variable 'v' is already assigned by node 'assign_v'");
}

TEST(Variables, AgreeInTypeAndShape) {
    GraphBuilder types;
    types.assign("v", types.make<ops::Convert>("", types.read("v", "[2]"), ElementType::f16));
    expect_refused(types,
                   "node 'assign_v' (Assign): variable 'v' is f32[2] by node 'read_v' "
                   "(ReadValue); got f16[2]");
    GraphBuilder shapes;
    shapes.output("y", shapes.read("v", "[?,2]"));
    shapes.assign("v", shapes.input("x", "[?,3]"));
    expect_refused(shapes, "variable 'v' is f32[?,2] by node 'read_v' (ReadValue); got f32[?,3]");
}

TEST(Variables, AreTheOnlySinks) {
    GraphBuilder b;
    b.output("y", b.input("x", "[2]"));
    const auto graph = b.graph();
    const Graph odd("odd", graph->parameters(), {}, graph->results());
    expect_error<UnsupportedError>([&] { ops::variables_of(odd); },
                                   "node 'y/result' (Result): only an Assign can be a sink");
}

TEST(Variables, StartWithinTheirShape) {
    GraphBuilder b;
    const Output read = b.read("v", "[?,3]", {b.input("x", "[?,?]")});
    EXPECT_NO_THROW(ops::check_init(read.node(), {5, 3}));
    expect_error<ModelError>(
        [&] {
            ops::check_init(read.node(), {5, 4});
        },
        "node 'read_v' (ReadValue): the init input has shape [5,4]; expected "
        "the variable's [?,3]");
}

}  // namespace
}  // namespace rondo::variables_test
