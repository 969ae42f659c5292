#include "tools/rondo/model_contents.hpp"

#include <gtest/gtest.h>

#include "tests/unit/tools/rondo/branching_model.hpp"

namespace rondo::tool::model_contents_test {
namespace {

TEST(ModelContents, GraphsAreVisitedWithTheirPlaces) {
    std::vector<std::string> places;
    visit_graphs(
        branching_model().nodes(),
        [&](const std::vector<NodeInfo>&, const std::string& place) { places.push_back(place); });
    EXPECT_EQ(places, (std::vector<std::string>{"", "choice/then_body/", "choice/else_body/"}));
}

TEST(ModelContents, OperationsOfBodiesCount) {
    const auto nodes = branching_model().nodes();
    const OpCounts counts = count_ops(nodes);
    EXPECT_EQ(counts.by_type, (std::map<std::string, std::size_t>{{"If", 1}, {"LSTMSequence", 2}}));
    EXPECT_EQ(counts.bodies, 2u);
    EXPECT_EQ(count_nodes(nodes), 4u + 2 * 9);
}

TEST(ModelContents, SharedConstantsCountOnce) {
    // A branch has two states, R and B; W is the same.
    const std::size_t own = sizeof(float) * (2 + 2 + 8 * 2 + 8);
    EXPECT_EQ(constant_bytes(branching_model().nodes()).at("f32"), 2 * own + sizeof(float) * 8 * 3);
}

TEST(ModelContents, LayersOfBodiesNameTheirBranch) {
    const auto layers = recurrent_layers(branching_model().nodes());
    ASSERT_EQ(layers.size(), 2u);
    EXPECT_EQ(layers[0].name, "choice/then_body/yes");
    EXPECT_EQ(layers[1].name, "choice/else_body/no");
    EXPECT_EQ(layers[1].input_size, "3");
    EXPECT_EQ(layers[1].hidden_size, "2");
    EXPECT_EQ(layers[1].notes, "sigmoid, tanh, tanh");
}

}  // namespace
}  // namespace rondo::tool::model_contents_test
