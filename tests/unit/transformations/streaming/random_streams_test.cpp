// Random causal models: over chunks of any length they give the bits of one call.
#include <functional>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/window/convolutions.hpp"
#include "core/ops/window/pool.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"
#include "tests/unit/transformations/streaming/streams.hpp"

namespace rondo::random_streams_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr std::int64_t kTime = 2;
constexpr std::int64_t kChannels = 4;
constexpr std::int64_t kWidth = 5;

// x [N,4,T] or [N,4,T,5]; each layer keeps that shape.
class RandomStream {
public:
    explicit RandomStream(std::uint64_t seed) : rng_(seed) {
        is_wide_ = chance(2);
        x_ = b_.input("x", is_wide_ ? "[?,4,?,5]" : "[?,4,?]");
    }

    std::shared_ptr<Graph> make() {
        Output y = x_;
        const std::int64_t layers = uniform_int(rng_, 1, 5);
        for (std::int64_t i = 0; i < layers; ++i) {
            const Output next = layer(y);
            y = chance(3) ? binary(ops::BinaryFunction::add, next, y) : next;
            if (chance(4)) b_.output("inner" + std::to_string(i), relu(b_, y));
        }
        b_.output("y", y);
        return b_.graph();
    }

    Tensor input(std::size_t batch) {
        const auto frames = static_cast<std::size_t>(uniform_int(rng_, 1, 25));
        Shape shape{batch, 4, frames};
        if (is_wide_) shape.push_back(5);
        return noise(shape, rng_());
    }

private:
    using Layer = Output (RandomStream::*)(const Output&);

    bool chance(std::int64_t of) { return uniform_int(rng_, 1, of) == 1; }

    Output layer(const Output& x) {
        static constexpr Layer kLayers[] = {
            &RandomStream::convolution, &RandomStream::convolution, &RandomStream::convolution,
            &RandomStream::grouped,     &RandomStream::transposed,  &RandomStream::recurrent,
            &RandomStream::recurrent,   &RandomStream::elementwise, &RandomStream::normalised,
            &RandomStream::parts,       &RandomStream::pool,        &RandomStream::running_sum,
            &RandomStream::delay,       &RandomStream::product,
        };
        return (this->*kLayers[uniform_int(rng_, 0, std::size(kLayers) - 1)])(x);
    }

    Output weights(Shape shape) { return b_.constant(noise(shape, rng_())); }
    Output scalar(std::int64_t value) { return b_.constant(scalar_of<std::int64_t>(value)); }
    Output binary(ops::BinaryFunction function, const Output& x, const Output& y) {
        return b_.make<ops::Binary>("", function, x, y);
    }
    std::vector<std::int64_t> per_axis(std::int64_t time, std::int64_t other) const {
        return is_wide_ ? std::vector<std::int64_t>{time, other} : std::vector<std::int64_t>{time};
    }
    Output slice(const Output& x, std::int64_t start, std::int64_t stop) {
        return b_.make<ops::Slice>("", x, b_.ints({start}), b_.ints({stop}), b_.ints({1}),
                                   b_.ints({kTime}));
    }

    // `count` frames before x.
    Output behind(const Output& x, std::int64_t count) {
        std::vector<std::int64_t> begin(is_wide_ ? 4 : 3, 0);
        const Output end = b_.ints(begin);
        begin[kTime] = count;
        const Output value = b_.constant(scalar_of<float>(chance(2) ? 0.0F : 0.5F));
        return b_.make<ops::Pad>("", std::vector<Output>{x, b_.ints(begin), end, value},
                                 ops::PadMode::constant);
    }

    // The window of a kernel of `kernel` frames, with the frames before it from anywhere.
    Output causal(const Output& x, std::int64_t reach,
                  const std::function<Output(const Output&, std::int64_t, std::int64_t)>& make) {
        const std::int64_t before = reach - 1;
        switch (uniform_int(rng_, 0, 2)) {
            case 0: return make(x, before, 0);
            case 1: return make(behind(x, before), 0, 0);
            default: {
                const Output y = make(x, before, before);
                return before == 0 ? y : slice(y, 0, -before);
            }
        }
    }

    Output convolution(const Output& x) {
        const std::int64_t kernel = uniform_int(rng_, 1, 4);
        const std::int64_t dilation = uniform_int(rng_, 1, 3);
        Shape filters{4, 4, static_cast<std::size_t>(kernel)};
        if (is_wide_) filters.push_back(3);
        const Output w = weights(filters);
        return causal(
            x, dilation * (kernel - 1) + 1,
            [&](const Output& data, std::int64_t begin, std::int64_t end) -> Output {
                return b_.make<ops::Convolution>(
                    "", data, w,
                    window_of(per_axis(begin, 1), per_axis(end, 1), per_axis(dilation, 1)));
            });
    }

    Output grouped(const Output& x) {
        const std::int64_t kernel = uniform_int(rng_, 1, 4);
        Shape filters{2, 2, 2, static_cast<std::size_t>(kernel)};
        if (is_wide_) filters.push_back(1);
        const Output w = weights(filters);
        return causal(x, kernel,
                      [&](const Output& data, std::int64_t begin, std::int64_t end) -> Output {
                          return b_.make<ops::GroupConvolution>(
                              "", data, w, window_of(per_axis(begin, 0), per_axis(end, 0)));
                      });
    }

    Output transposed(const Output& x) {
        const std::int64_t kernel = uniform_int(rng_, 1, 4);
        const std::int64_t dilation = uniform_int(rng_, 1, 2);
        const std::int64_t behind = dilation * (kernel - 1);
        Shape filters{4, 4, static_cast<std::size_t>(kernel)};
        if (is_wide_) filters.push_back(3);
        const bool crops = chance(2);
        ops::BackpropAttributes attributes;
        attributes.window =
            window_of(per_axis(0, 1), per_axis(crops ? behind : 0, 1), per_axis(dilation, 1));
        const Output y = b_.make<ops::ConvolutionBackpropData>(
            "", std::vector<Output>{x, weights(filters)}, attributes);
        return crops || behind == 0 ? y : slice(y, 0, -behind);
    }

    // [N,4,T,(5)] -> [T,N,4 or 20] -> GRU or LSTM -> back
    Output recurrent(const Output& x) {
        const std::size_t size = is_wide_ ? kChannels * kWidth : kChannels;
        const Output rows = is_wide_ ? b_.reshape(b_.transpose(x, {2, 0, 1, 3}), {0, 0, -1})
                                     : b_.transpose(x, {2, 0, 1});
        const Output y = chance(2) ? b_.squeeze(onnx_y(b_, make_gru(b_, "", rows, size, size)), {1})
                                   : lstm(rows, size);
        if (!is_wide_) return b_.transpose(y, {1, 2, 0});
        return b_.transpose(b_.reshape(y, {0, 0, kChannels, kWidth}), {1, 2, 0, 3});
    }

    Output lstm(const Output& x, std::size_t size) {
        const auto gru = make_gru(b_, "", x, size, size);
        auto lstm = std::make_shared<ops::LSTMSequence>(std::vector<Output>{
            gru->input(0), gru->input(1), gru->input(1), gru->input(2),
            weights({1, 4 * size, size}), weights({1, 4 * size, size}), weights({1, 4 * size})});
        ops::RecurrentAttributes attributes;
        attributes.hidden_size = static_cast<std::int64_t>(size);
        lstm->set_attributes(attributes);
        lstm->set_name("lstm_" + std::to_string(rng_() % 100000));
        lstm->validate();
        return b_.squeeze(b_.transpose(lstm->output(0), {2, 1, 0, 3}), {1});
    }

    Output elementwise(const Output& x) {
        const Output scale = weights(is_wide_ ? Shape{4, 1, 5} : Shape{4, 1});
        const Output y = binary(ops::BinaryFunction::multiply, x, scale);
        return chance(2) ? Output(b_.make<ops::Unary>("", ops::UnaryFunction::tanh, y))
                         : binary(ops::BinaryFunction::subtract, y, relu(b_, x));
    }

    Output normalised(const Output& x) {
        if (chance(2)) return b_.make<ops::Softmax>("", x, std::int64_t{1});
        return b_.make<ops::Mvn>("", x, is_wide_ ? b_.ints({1, 3}) : b_.ints({1}),
                                 ops::MvnAttributes{});
    }

    Output parts(const Output& x) {
        const auto split = b_.make<ops::VariadicSplit>("", x, scalar(1), b_.ints({1, 3}));
        return b_.make<ops::Concat>(
            "", std::vector<Output>{relu(b_, split->output(1)), split->output(0)}, 1);
    }

    Output pool(const Output& x) {
        ops::PoolAttributes attributes;
        const std::int64_t kernel = uniform_int(rng_, 2, 4);
        attributes.window = window_of(per_axis(kernel - 1, 0), per_axis(0, 0));
        attributes.kernel = per_axis(kernel, 1);
        if (chance(2)) return b_.make<ops::MaxPool>("", x, attributes);
        return b_.make<ops::AvgPool>("", x, attributes, false);
    }

    Output running_sum(const Output& x) {
        const ops::Cumulation::Options options{.exclusive = chance(2)};
        return b_.make<ops::CumSum>("", x, scalar(kTime), options);
    }

    // Frames as columns, or as rows.
    Output product(const Output& x) {
        if (!is_wide_ && chance(2)) return b_.make<ops::MatMul>("", weights({4, 4}), x);
        const Output rows = is_wide_ ? x : b_.transpose(x, {0, 2, 1});
        const std::size_t size = is_wide_ ? kWidth : kChannels;
        const Output y = b_.make<ops::MatMul>("", rows, weights({size, size}));
        return is_wide_ ? y : b_.transpose(y, {0, 2, 1});
    }

    Output delay(const Output& x) {
        const std::int64_t frames = uniform_int(rng_, 1, 3);
        return slice(behind(x, frames), 0, -frames);
    }

    GraphBuilder b_;
    Rng rng_;
    bool is_wide_ = false;
    Output x_;
};

TEST(RandomStreams, GiveTheSameBits) {
    Rng rng = test_rng();
    for (int i = 0; i < 40 && !HasFailure(); ++i) {
        const std::uint64_t seed = rng();
        SCOPED_TRACE("model " + std::to_string(i) + " of seed " + std::to_string(seed));
        RandomStream stream(seed);
        const auto graph = stream.make();
        for (const std::size_t batch : {1, 3}) {
            const auto made =
                expect_same_in_chunks(*graph, {stream.input(batch)}, {{{"x", kTime}}});
            for (const NodePtr& result : made->results()) {
                EXPECT_EQ(result->rt_info().at("rondo_time_axis"), "2");
            }
        }
    }
}

}  // namespace
}  // namespace rondo::random_streams_test
