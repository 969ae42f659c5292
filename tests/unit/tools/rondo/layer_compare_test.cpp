#include "tools/rondo/layer_compare.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rondo/graph_builder.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::tool::layer_compare_test {
namespace {

using test::tensor_of;

// x -> exp -> times -> last, which adds 1; `factor` is what differs.
Model model_of(float factor, const std::string& suffix = "") {
    const GraphNode x =
        make_node({"Parameter", "opset1", "x", {}, {{"shape", "2"}, {"element_type", "f32"}}});
    const GraphNode exp = make_node({"Exp", "opset1", "exp" + suffix, {x.output(0)}});
    const GraphNode c = make_constant(tensor_of<float>({2}, {1, factor}), "c");
    const GraphNode times =
        make_node({"Multiply", "opset1", "times" + suffix, {exp.output(0), c.output(0)}});
    const GraphNode one = make_constant(tensor_of<float>({1}, {1}), "one");
    const GraphNode last =
        make_node({"Add", "opset1", "last" + suffix, {times.output(0), one.output(0)}});
    return make_model({"m", {x}, {last.output(0)}});
}

LayerComparison compare(const Model& tested, const Model& reference) {
    return compare_layers(Core(), {tested, "CPU"}, {reference, "REFERENCE"},
                          {{"x", tensor_of<float>({2}, {0, 0})}}, {});
}

TEST(LayerCompare, NamesTheFirstNodeThatDiffers) {
    const LayerComparison comparison = compare(model_of(3), model_of(2));
    EXPECT_EQ(comparison.layers.size(), 3u);
    ASSERT_NE(first_past(comparison), nullptr);
    EXPECT_EQ(first_past(comparison)->node, "times");
    const std::string text = to_text(comparison);
    EXPECT_NE(text.find("first node that differs: 'times' (Multiply) f32[2]: max abs error 1 at "
                        "[1], "),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("1 output behind it differs, too"), std::string::npos) << text;
    EXPECT_EQ(to_json(comparison)[1].at("node"), "times");
}

TEST(LayerCompare, FindsNoDifferenceWhereThereIsNone) {
    const Model model = model_of(3);
    const std::string before = model.to_text();
    const LayerComparison comparison = compare(model, model);
    EXPECT_EQ(first_past(comparison), nullptr);
    EXPECT_NE(to_text(comparison).find("no node differs"), std::string::npos);
    EXPECT_EQ(model.to_text(), before);
}

TEST(LayerCompare, CountsNodesOfOtherNames) {
    test::expect_error<ModelError>([] { compare(model_of(1), model_of(1, "_b")); },
                                   "the models have no node of the same name");
    Model renamed = model_of(1);
    graph_nodes(renamed)[1].set_name("other");
    EXPECT_EQ(compare(renamed, model_of(1)).unpaired, 1u);
}

}  // namespace
}  // namespace rondo::tool::layer_compare_test
