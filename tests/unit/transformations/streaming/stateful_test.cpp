// Model's functions on states: what they find and do, and that nothing changes after an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/state_steps.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::stateful_test {
namespace {

using namespace test;  // NOLINT: tests only

Model denoiser() {
    GraphBuilder b;
    const Output x = b.input("input", "[1,1,257]");
    b.output("output", add(b, x, x));
    return Model(b.graph());
}

Model hidden_layer(ops::Direction direction = ops::Direction::forward) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,2,4]"), 4, 3, direction);
    b.output("y", gru->output(0));
    return Model(b.graph());
}

TEST(Stateful, AutoTakesPairsFirst) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2,4]");
    const auto fed = make_gru(b, "fed", x, 4, 3);
    fed->set_input(fed->h_port(), b.input("h", "[2,1,3]"));
    fed->validate();
    b.output("hn", fed->output(1));
    b.output("y", make_gru(b, "over_bands", x, 4, 3)->output(0));
    Model model(b.graph());
    EXPECT_THAT(model.find_states().pairs, ::testing::ElementsAre(::testing::Pair("h", "hn")));
    const Model copy = model;  // of the same graph
    model.make_stateful();
    EXPECT_EQ(copy.inputs().size(), 1U);
    EXPECT_EQ(count_nodes(*model.graph(), "ReadValue"), 1U);
}

TEST(Stateful, AutoTakesHiddenZerosElse) {
    Model model = hidden_layer();
    EXPECT_TRUE(model.find_states().pairs.empty());
    model.make_stateful();
    EXPECT_EQ(count_nodes(*model.graph(), "Assign"), 1U);
}

TEST(Stateful, AfterAnErrorNothingHasChanged) {
    Model none = denoiser();
    const std::string before = none.to_text();
    expect_error<ModelError>([&] { none.make_stateful(); },
                             "no state was found: no output is for certain the next value of an "
                             "input, and no layer starts from zeros; name the pairs; there are: "
                             "input 'input' f32[1,1,257]; output 'output' f32[1,1,257]");
    expect_error<ModelError>(
        [&] {
            none.make_stateful({{"input", "nothing"}});
        },
        "the model has no output 'nothing'");
    EXPECT_EQ(none.to_text(), before);

    Model backwards = hidden_layer(ops::Direction::reverse);
    const std::string text = backwards.to_text();
    expect_error<UnsupportedError>([&] { backwards.make_stateful(); }, "it runs backwards");
    expect_error<UnsupportedError>([&] { backwards.apply_low_latency(); }, "it runs backwards");
    EXPECT_EQ(backwards.to_text(), text);
    expect_error<ModelError>([] { Model().make_stateful(); }, "the model is empty");
}

TEST(Stateful, LowLatencyStartsFromZerosOrNot) {
    const Tensor x = tensor_of<float>({1, 1, 2}, {1, 2});
    const Tensor h = tensor_of<float>({1, 2}, {10, 10});
    for (const bool zeros : {true, false}) {
        Model model(running_sum(false, "1,1,2", "1,2"));
        model.apply_low_latency(zeros);
        const auto steps = steps_of(model, "REFERENCE", {{{"x", x}, {"h0", h}}});
        EXPECT_EQ(element_at(steps[0].at("last"), 0), zeros ? 1 : 11);
    }
}

}  // namespace
}  // namespace rondo::stateful_test
