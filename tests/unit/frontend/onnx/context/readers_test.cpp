#include "frontend/onnx/context/readers.hpp"

#include <gtest/gtest.h>

#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::readers_test {
namespace {

using test::ModelBuilder;

void add_join(ModelBuilder& model, const std::string& list, std::int64_t axis,
              std::int64_t is_new = 0) {
    model.node("ConcatFromSequence", {list}, {list + std::to_string(axis)})
        .with("axis", axis)
        .with("new_axis", is_new);
}

TEST(OnnxSequenceReaders, JoinAlongOneAxis) {
    ModelBuilder model;
    EXPECT_FALSE(joined_axis_of(model.graph(), "s"));
    add_join(model, "s", 1);
    EXPECT_EQ(joined_axis_of(model.graph(), "s"), 1);
    model.node("SequenceInsert", {"s", "x"}, {"t"});
    model.node("Identity", {"t"}, {"u"});
    EXPECT_EQ(joined_axis_of(model.graph(), "s"), 1);
    add_join(model, "u", 1);
    EXPECT_EQ(joined_axis_of(model.graph(), "s"), 1);
    add_join(model, "t", 0);
    EXPECT_FALSE(joined_axis_of(model.graph(), "s"));
    EXPECT_EQ(joined_axis_of(model.graph(), "u"), 1);
}

TEST(OnnxSequenceReaders, DoSomethingElse) {
    const auto axis_with = [](const auto& add) {
        ModelBuilder model;
        add_join(model, "s", 1);
        add(model);
        return joined_axis_of(model.graph(), "s");
    };
    EXPECT_TRUE(axis_with([](ModelBuilder&) {}));
    EXPECT_FALSE(axis_with([](ModelBuilder& model) { model.output("s"); }));
    EXPECT_FALSE(axis_with([](ModelBuilder& model) { add_join(model, "s", 2, 1); }));
    EXPECT_FALSE(
        axis_with([](ModelBuilder& model) { model.node("SequenceLength", {"s"}, {"n"}); }));
    EXPECT_FALSE(axis_with([](ModelBuilder& model) { model.node("Identity", {"s"}, {"s"}); }));
    EXPECT_FALSE(axis_with([](ModelBuilder& model) {
        ModelBuilder body;
        body.node("SequenceLength", {"s"}, {"n"});
        model.node("If", {"c"}, {"y"}).with("then_branch", body.graph());
    }));
}

}  // namespace
}  // namespace rondo::onnx::readers_test
