// Tests a part of core/graph/inference.hpp.
#include "core/graph/inference.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::validator_test {
namespace {

using test::expect_error;

// x -> convert -> r
struct Fixture {
    std::shared_ptr<ops::Parameter> x =
        make_node<ops::Parameter>(ElementType::f32, PartialShape{2});
    NodePtr convert = make_node<ops::Convert>(x, ElementType::f16);
    NodePtr r = make_node<ops::Result>(convert);
    Fixture() {
        x->set_name("x");
        convert->set_name("convert");
        r->set_name("r");
    }
    Graph graph(std::vector<NodePtr> parameters) const { return {"g", std::move(parameters), {r}}; }
    Graph graph() const { return graph({x}); }
};

void expect_broken(const Graph& graph, std::string_view message) {
    expect_error<InternalError>([&] { check_graph(graph); }, message);
}

TEST(Validator, AcceptsAGoodGraph) { check_graph(Fixture().graph()); }

TEST(Validator, FindsNames) {
    const Fixture nameless;
    nameless.convert->set_name("");
    expect_broken(nameless.graph(), "node '' (Convert): has no name");
    const Fixture twice;
    twice.convert->set_name("x");
    expect_broken(twice.graph(), "node 'x' (Convert): another node has this name");
}

TEST(Validator, FindsParametersThatArentListed) {
    expect_broken(Fixture().graph({}), "node 'x' (Parameter): is not among the graph's parameters");
}

TEST(Validator, FindsAssignsThatArentListed) {
    const Fixture fixture;
    const auto assign = make_node<ops::Assign>(fixture.convert, "v");
    assign->set_name("assign");
    fixture.r->set_input(0, assign);
    expect_broken(fixture.graph(), "node 'assign' (Assign): is not among the graph's sinks");
    check_graph(Graph("g", {fixture.x}, {fixture.r}, {assign}));
}

TEST(Validator, FindsStaleShapesAndTypes) {
    const Fixture shape;
    const Graph graph = shape.graph();
    shape.x->set_shape(PartialShape{3});
    expect_broken(graph, "node 'x' (Parameter): output 0 was [2] but is inferred as [3]");
    const Fixture type;
    const auto other = make_node<ops::Parameter>(ElementType::f32, PartialShape{5});
    other->set_name("y");
    type.convert->set_input(0, other);
    expect_broken(type.graph({other}), "node 'convert' (Convert): output 0 was [2] but");
}

TEST(Validator, NothingJoinsOutputsThatArentThere) {
    const Fixture fixture;
    const NodePtr loose = std::make_shared<ops::Convert>(fixture.x, ElementType::f32);
    // Never validated: it has no outputs yet.
    expect_error<InternalError>([&] { fixture.r->set_input(0, Output(loose, 0)); },
                                "an input joins an output that isn't there");
}

}  // namespace
}  // namespace rondo::validator_test
