// The rules of transformations/streaming/slice_rules.cpp, above all for models of one frame a call.
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"
#include "tests/unit/transformations/streaming/streams.hpp"

namespace rondo::slice_rules_test {
namespace {

using namespace test;  // NOLINT: tests only

const StreamingOptions kTime{{{"x", 2}}};
constexpr std::int64_t kEnd = std::int64_t{1} << 40;
constexpr std::size_t kFrames = 16;

Output slice(GraphBuilder& b, const Output& x, std::int64_t start, std::int64_t stop) {
    return b.make<ops::Slice>("cut", x, b.ints({start}), b.ints({stop}), b.ints({1}), b.ints({2}));
}

// The model frame by frame, and made streaming in chunks; outputs go back to inputs.
void expect_same_as_frames(const GraphBuilder& b, const std::vector<Tensor>& inputs,
                           const std::vector<Feedback>& feedback) {
    const auto original = b.graph();
    const auto streaming = original->clone();
    Model(streaming).make_streaming(kTime);
    original->parameters()[0]->rt_info() = streaming->parameters()[0]->rt_info();
    original->results()[0]->rt_info() = streaming->results()[0]->rt_info();
    Rng rng = test_rng();
    const auto expected =
        run_in_chunks(*original, "CPU", inputs, std::vector<std::size_t>(kFrames, 1), feedback);
    for (const std::size_t length :
         {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{0}, kFrames}) {
        SCOPED_TRACE("chunks of " + std::to_string(length));
        const auto actual =
            run_in_chunks(*streaming, "CPU", inputs, chunks_of(kFrames, length, rng), feedback);
        for (std::size_t i = 0; i < expected.size(); ++i) expect_same(actual[i], expected[i]);
    }
}

// cache ++ x -> convolution -> y; all but the first frame -> cache
TEST(SliceRules, TakeTheLastFramesAsANewCache) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,1]");
    const Output all = b.make<ops::Concat>("", std::vector<Output>{b.input("cache", "[1,3,2]"), x},
                                           std::int64_t{2});
    b.output("y", convolve(b, "conv", all, {3, 3, 3}, {}));
    b.output("next", slice(b, all, 1, kEnd));
    expect_same_as_frames(b, {noise({1, 3, kFrames}), noise({1, 3, 2})}, {{1, 1}});
}

// The same cut of a cache of one frame gives the new frame itself.
TEST(SliceRules, TakeTheNewFrame) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,1]");
    const Output all = b.make<ops::Concat>("", std::vector<Output>{b.input("cache", "[1,3,1]"), x},
                                           std::int64_t{2});
    b.output("y", relu(b, slice(b, all, 1, 2)));
    b.output("next", slice(b, all, -1, kEnd));
    expect_same_as_frames(b, {noise({1, 3, kFrames}), noise({1, 3, 1})}, {{1, 1}});
}

// Two caches in one tensor [1,3,3]: the second is read after the first has been written.
TEST(SliceRules, ReadWhatAScatterLeft) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,1]");
    const Output caches = b.input("caches", "[1,3,3]");
    const auto places = [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::int64_t> indices;
        for (std::int64_t row = 0; row < 3; ++row) {
            for (std::int64_t i = begin; i < end; ++i) indices.insert(indices.end(), {0, row, i});
        }
        const auto count = static_cast<std::size_t>(end - begin);
        return b.constant(tensor_of<std::int64_t>({1, 3, count, 3}, indices));
    };
    const auto written = [&](const Output& all, const Output& part, std::int64_t begin,
                             std::int64_t end) {
        return b.make<ops::ScatterNDUpdate>("", std::vector<Output>{all, places(begin, end), part},
                                            ops::ScatterReduction::none);
    };
    const Output first =
        b.make<ops::Concat>("", std::vector<Output>{slice(b, caches, 0, 2), x}, std::int64_t{2});
    const Output y = convolve(b, "first", first, {3, 3, 3}, {});
    const Output once = written(caches, slice(b, first, 1, kEnd), 0, 2);
    const Output second =
        b.make<ops::Concat>("", std::vector<Output>{slice(b, once, 2, 3), y}, std::int64_t{2});
    b.output("y", convolve(b, "second", second, {3, 3, 2}, {}));
    b.output("next", written(once, slice(b, second, 1, kEnd), 2, 3));
    expect_same_as_frames(b, {noise({1, 3, kFrames}), noise({1, 3, 3})}, {{1, 1}});
}

// Where it reads what the last frame has written, each frame would need the one before.
TEST(SliceRules, RefuseWhatAScatterHasWritten) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,1,1]");
    const Output cache = b.input("cache", "[1,1,2]");
    const Output once = b.make<ops::ScatterNDUpdate>(
        "",
        std::vector<Output>{cache, b.constant(tensor_of<std::int64_t>({1, 1, 1, 3}, {0, 0, 0})), x},
        ops::ScatterReduction::none);
    b.output("y", b.make<ops::Concat>("joined", std::vector<Output>{slice(b, once, 0, 1), x},
                                      std::int64_t{2}));
    expect_refused(b, "(ScatterNDUpdate)", "a state that each of them would change", kTime);
}

// [1,3,1] taken apart into [1,3,1,1] by indices [[0]], as an unfolded window of one frame is.
TEST(SliceRules, TakeEachFrameInItsTurn) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,1]");
    const Output apart =
        b.make<ops::Gather>("", x, b.constant(tensor_of<std::int64_t>({1, 1}, {0})),
                            b.constant(scalar_of<std::int64_t>(2)));
    b.output("y", b.reshape(b.transpose(relu(b, apart), {0, 2, 1, 3}), {1, 3, 1}));
    expect_same_as_frames(b, {noise({1, 3, kFrames})}, {});
}

// [1,3,1,4] in the same way: what comes after time stays there.
TEST(SliceRules, TakeEachFrameInFrontOfOtherAxes) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,1,4]");
    b.output("y", b.make<ops::Gather>("", relu(b, x), b.ints({0}),
                                      b.constant(scalar_of<std::int64_t>(2))));
    const auto graph = b.graph();
    Model(graph).make_streaming(kTime);
    EXPECT_EQ(to_string(graph->results()[0]->output_shape(0)), "[1,3,?,4]");
    expect_same_as_frames(b, {noise({1, 3, kFrames, 4})}, {});
}

TEST(SliceRules, RefuseWhatLiesBehindTheEnd) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,?]");
    const Output frames = extent_of(b, x, 2);
    b.output("y", b.make<ops::Slice>("cut", x, frames, b.ints({kEnd}), b.ints({1}), b.ints({2})));
    expect_refused(b, "node 'cut' (Slice)", "behind the last frame", kTime);
}

TEST(SliceRules, RefuseSteps) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,?]");
    b.output("y",
             b.make<ops::Slice>("cut", x, b.ints({0}), b.ints({kEnd}), b.ints({2}), b.ints({2})));
    expect_refused(b, "node 'cut' (Slice)", "every few frames", kTime);
}

}  // namespace
}  // namespace rondo::slice_rules_test
