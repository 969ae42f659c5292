#include "tools/rondo/state_arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::tool::state_arguments_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// Two states, one of them with names as TensorFlow gives them.
Model model() {
    test::GraphBuilder b;
    const Output x = b.input("x", "[2]");
    b.output("hn", test::add(b, x, b.input("h", "[2]")));
    b.output("c,out:1", test::add(b, x, b.input("c,in:0", "[2]")));
    b.output("y", test::add(b, x, x));
    return Model(b.graph());
}

TEST(StateArguments, ReadPairs) {
    EXPECT_THAT(parse_state_pairs("h:hn", model()), ElementsAre(Pair("h", "hn")));
    EXPECT_THAT(parse_state_pairs("c,in:0:c,out:1,h:hn", model()),
                ElementsAre(Pair("c,in:0", "c,out:1"), Pair("h", "hn")));
}

TEST(StateArguments, RefuseOthers) {
    for (const char* text : {"h", "h:hn,", "hn:h", "h:hn,x", ",h:hn", ":"}) {
        test::expect_error<ModelError>([&] { parse_state_pairs(text, model()); },
                                       "is not a pair of the model; expected auto or INPUT:OUTPUT "
                                       "with an input of 'c,in:0', 'h', 'x' and an output of");
    }
}

TEST(StateArguments, MakeVariables) {
    Model given = model();
    EXPECT_TRUE(make_stateful(given, "").empty());
    EXPECT_EQ(given.inputs().size(), 3U);
    EXPECT_THAT(make_stateful(given, "h:hn"), ElementsAre("variable 'hhn' f32[2]"));
    EXPECT_EQ(given.inputs().size(), 2U);
    const auto variables = variables_of(given.nodes());
    ASSERT_EQ(variables.size(), 1U);
    EXPECT_FALSE(variables[0].is_computed);

    Model found = model();
    EXPECT_THAT(make_stateful(found, "auto"),
                UnorderedElementsAre("variable 'c,in:0c,out:1' f32[2]", "variable 'hhn' f32[2]"));
}

}  // namespace
}  // namespace rondo::tool::state_arguments_test
