#include "transformations/streaming/make_streaming.hpp"

#include "rondo/core.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"
#include "tests/unit/transformations/streaming/streams.hpp"

namespace rondo::make_streaming_test {
namespace {

using namespace test;  // NOLINT: tests only

TEST(MakeStreaming, TakesTheOpenAxisBehindTheBatch) {
    GraphBuilder b;
    b.input("x", "[?,4,?]");
    b.input("h", "[?,4]");
    const auto axes = passes::time_axes(*b.graph(), {});
    ASSERT_EQ(axes.size(), 3U);
    EXPECT_EQ(axes[0], (passes::TimeAxes{{0, 2}}));
    EXPECT_EQ(axes[1], (passes::TimeAxes{{0, 0}, {1, 0}}));
    EXPECT_EQ(axes[2], (passes::TimeAxes{{0, 0}}));
}

// A state whose batch is open isn't taken for frames. x [T,N,4], h [N,1,3].
TEST(MakeStreaming, LeavesStatesToTheCaller) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,?,4]"), 4, 3);
    gru->set_input(gru->h_port(), b.transpose(b.input("h", "[1,?,3]"), {1, 0, 2}));
    b.output("y", onnx_y(b, gru));
    b.output("next", b.transpose(gru->output(1), {1, 0, 2}));
    const auto original = b.graph();
    const auto graph = original->clone();
    Model(graph).make_streaming();
    EXPECT_TRUE(graph->sinks().empty());
    EXPECT_EQ(graph->parameters()[0]->rt_info().at("rondo_time_axis"), "0");
    const std::vector<Tensor> inputs{noise({9, 2, 4}), noise({1, 2, 3})};
    const auto actual = run_in_chunks(*graph, "CPU", inputs, {2, 1, 6}, {{1, 1}});
    const auto expected = run_whole(*original, "CPU", inputs);
    for (std::size_t i = 0; i < 2; ++i) expect_same(actual[i], expected[i]);
}

TEST(MakeStreaming, TakesAxisZeroWhereNoOtherIsOpen) {
    GraphBuilder b;
    b.input("x", "[?,4]");
    EXPECT_EQ(passes::time_axes(*b.graph(), {}), (std::vector<passes::TimeAxes>{{{0, 0}}}));
}

TEST(MakeStreaming, TakesNamedAxes) {
    GraphBuilder b;
    b.input("x", "[1,4,5]");
    EXPECT_EQ(passes::time_axes(*b.graph(), {{{"x", -1}}}).front(), (passes::TimeAxes{{0, 2}}));
    expect_error<ModelError>([&] { passes::time_axes(*b.graph(), {{{"x", 3}}}); }, "no axis 3");
    expect_error<ModelError>([&] { passes::time_axes(*b.graph(), {{{"y", 0}}}); }, "'x'");
    expect_error<UnsupportedError>([&] { passes::time_axes(*b.graph(), {}); }, "name the time");
}

// Rows of a batch would be "frames" in any model.
TEST(MakeStreaming, RefusesAnAxisAlongWhichNothingIsCarried) {
    GraphBuilder b;
    b.output("y", relu(b, b.input("x", "[?,4]")));
    expect_refused(b, "nothing goes from one step", "name the time axis");
    expect_same_in_chunks(*b.graph(), {noise({9, 4})}, {{{"x", 0}}});
}

TEST(MakeStreaming, RefusesInputsOfDifferentFrames) {
    GraphBuilder b;
    b.output("y", b.input("x", "[1,2,4]"));
    b.output("z", b.input("w", "[1,3,4]"));
    expect_refused(b, "node 'w' (Parameter)", "has 3 frames, but another input has 2",
                   {{{"x", 1}, {"w", 1}}});
}

// Two layers with convolutions before them, twice made streaming: nothing more is carried.
TEST(MakeStreaming, TakesStreamingModels) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,?]");
    const Output conv = convolve(b, "conv", x, {4, 3, 3}, window_of({2}, {0}));
    const auto gru = make_gru(b, "gru", b.transpose(conv, {2, 0, 1}), 4, 3);
    b.output("y", onnx_y(b, gru));
    const auto once = expect_same_in_chunks(*b.graph(), {noise({1, 3, 15})});
    const auto twice = expect_same_in_chunks(*once, {noise({1, 3, 15})});
    EXPECT_EQ(once->sinks().size(), 2U);
    EXPECT_EQ(twice->sinks().size(), 2U);
}

// Time axes survive in the file.
TEST(MakeStreaming, WritesTheTimeAxes) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,3,?]");
    b.output("y", convolve(b, "conv", x, {4, 3, 3}, window_of({2}, {0})));
    const auto original = b.graph();
    Model model(original->clone());
    model.make_streaming();
    const std::string path = temporary_path("streaming.xml");
    save_model(model, path);
    const auto read = Core().read_model(path).graph();
    EXPECT_EQ(read->parameters()[0]->rt_info().at("rondo_time_axis"), "2");
    EXPECT_EQ(read->results()[0]->rt_info().at("rondo_time_axis"), "2");
    const std::vector<Tensor> inputs{noise({2, 3, 15})};
    expect_same(run_in_chunks(*read, "CPU", inputs, {4, 1, 10}).front(),
                run_whole(*original, "CPU", inputs).front());
}

}  // namespace
}  // namespace rondo::make_streaming_test
