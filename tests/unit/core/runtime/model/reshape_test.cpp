#include "core/runtime/model/reshape.hpp"

#include <gtest/gtest.h>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::reshape_test {
namespace {

using Shapes = std::vector<PartialShape>;

// A reader of x + n, where n is x's first extent, 0 where that is open. It refuses extents of 9.
class Reader final : public GraphOrigin {
public:
    Reader(Shapes shapes, bool uses_extents)
        : GraphOrigin(std::move(shapes)), uses_extents_(uses_extents) {}

    std::shared_ptr<Graph> read(const Shapes& shapes) const override {
        const Dimension& extent = shapes.at(0)[0];
        if (extent == Dimension(9)) throw ModelError("it can't be read so");
        const bool is_used = uses_extents_ && extent.is_static();
        GraphBuilder b;
        const float number = is_used ? static_cast<float>(extent.length()) : 0;
        const Output constant = b.constant(scalar_of<float>(number));
        const Output x = b.transpose(b.input("x", to_string(shapes[0])), {0, 1});
        b.output("y", b.make<ops::Binary>("sum", ops::BinaryFunction::add, x, constant));
        auto graph = b.graph();
        graph->set_origin(std::make_shared<Reader>(shapes, uses_extents_));
        return graph;
    }

private:
    bool uses_extents_;
};

std::shared_ptr<Graph> read(const PartialShape& x, bool uses_extents = true) {
    return Reader({x}, uses_extents).read({x});
}

// What the graph adds.
float added(const Graph& graph) {
    return *known_value(graph.results()[0]->input(0).node().input(1)).data<float>();
}

void rename_sum(const Graph& graph) { graph.results()[0]->input(0).node().set_name("changed"); }

TEST(Reshape, ReadsAgainWhereAKnownExtentChanges) {
    const auto graph = read({4, 2});
    graph->set_name("name");
    graph->rt_info()["fact"] = "kept";
    reshape(*graph, {{6, 2}});
    EXPECT_EQ(added(*graph), 6);
    reshape(*graph, {{Dimension(), 2}});
    EXPECT_EQ(added(*graph), 0);
    EXPECT_EQ(graph->name(), "name");
    EXPECT_EQ(graph->rt_info().at("fact"), "kept");
}

TEST(Reshape, GivesOpenExtentsInPlace) {
    const auto graph = read({Dimension(), 2});
    reshape(*graph, {{Dimension(1, 5), 2}});
    EXPECT_EQ(added(*graph), 0);
    reshape(*graph, {{3, 2}});
    EXPECT_EQ(added(*graph), 0);
    EXPECT_EQ(graph->parameters()[0]->output_shape(0), PartialShape({3, 2}));
    reshape(*graph, {{Dimension(1, 5), 2}});  // which reads it again
    EXPECT_EQ(graph->parameters()[0]->output_shape(0), PartialShape({Dimension(1, 5), 2}));
}

TEST(Reshape, ChangesNothingWhereItCantBeReadSo) {
    const auto graph = read({4, 2});
    expect_error<ModelError>([&] { reshape(*graph, {{9, 2}}); }, "it can't be read so");
    EXPECT_EQ(added(*graph), 4);
    reshape(*graph, {{5, 2}});
    EXPECT_EQ(added(*graph), 5);
}

TEST(Reshape, KeepsKnownExtentsOfAModelThatWasChanged) {
    const auto graph = read({4, 2});
    rename_sum(*graph);
    expect_error<UnsupportedError>(
        [&] {
            reshape(*graph, {{6, 2}});
        },
        "input 'x' can't be reshaped from [4,2] to [6,2]: known extents "
        "are part of the model as it was read; reshape it before other "
        "changes");
    EXPECT_EQ(graph->parameters()[0]->output_shape(0), PartialShape({4, 2}));
    reshape(*graph, {{4, 2}});
}

TEST(Reshape, ChangesThemWhereReadingMadeNoUseOfThem) {
    const auto graph = read({4, 2}, false);
    EXPECT_FALSE(has_read_extents(*graph));
    rename_sum(*graph);
    reshape(*graph, {{6, 2}});
    EXPECT_EQ(graph->parameters()[0]->output_shape(0), PartialShape({6, 2}));
}

TEST(Reshape, ACopyOfAModelIsReadAgainToo) {
    const Model model(read({4, 2}));
    Model copy = model.clone();
    copy.reshape({{"x", {6, 2}}});
    EXPECT_EQ(added(*copy.graph()), 6);
    EXPECT_EQ(added(*model.graph()), 4);
}

TEST(Reshape, FilesSayThatExtentsAreFixed) {
    const std::string path = temporary_path("reshape.xml");
    for (const bool uses_extents : {false, true}) {
        const Model model(read({4, 2}, uses_extents));
        EXPECT_EQ(has_read_extents(*model.graph()), uses_extents);
        save_model(model, path);
        EXPECT_FALSE(model.rt_info().contains(kFixedExtents));
        Model saved = Core().read_model(path);
        EXPECT_EQ(saved.rt_info().contains(kFixedExtents), uses_extents);
    }
}

TEST(Reshape, PassesFixExtents) {
    Model model(read({4, 2}));
    Core().transform(model);
    EXPECT_TRUE(model.rt_info().contains(kFixedExtents));
    EXPECT_EQ(model.graph()->origin(), nullptr);
}

}  // namespace
}  // namespace rondo::test::reshape_test
