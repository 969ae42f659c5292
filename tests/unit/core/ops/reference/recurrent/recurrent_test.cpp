#include <gtest/gtest.h>

#include <cstring>

#include "core/ops/reference/evaluate.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ops/recurrent/recurrent_nodes.hpp"

namespace rondo::reference::recurrent_test {
namespace {

using ops::Direction;
using ops::RecurrentAttributes;
using ops::RecurrentOp;
using test::expect_error;
using test::expect_near;
using test::expect_same;
using test::recurrent_node;
using test::tensor_of;

// `count` slices of a tensor from `first` on along `axis`, backwards where `backwards`.
Tensor slices(const Tensor& tensor, std::size_t axis, std::size_t first, std::size_t count,
              bool backwards = false) {
    Shape shape = tensor.shape();
    const std::size_t extent = shape[axis];
    std::size_t outer = 1;
    std::size_t inner = size_of(tensor.element_type());
    for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
    for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
    shape[axis] = count;
    Tensor result(tensor.element_type(), shape);
    const auto* from = static_cast<const char*>(tensor.data());
    auto* to = static_cast<char*>(result.data());
    for (std::size_t o = 0; o < outer; ++o) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t source = first + (backwards ? count - 1 - i : i);
            std::memcpy(to + (o * count + i) * inner, from + (o * extent + source) * inner, inner);
        }
    }
    return result;
}

Tensor backwards(const Tensor& tensor, std::size_t axis) {
    return slices(tensor, axis, 0, tensor.shape()[axis], true);
}

constexpr std::size_t kN = 3, kT = 5, kI = 4;

std::vector<Tensor> random_inputs(const RecurrentOp& op, std::vector<std::int64_t> lengths,
                                  std::size_t T = kT) {
    auto rng = test::test_rng();
    std::vector<Tensor> inputs;
    for (const auto& shape : test::input_shapes(op, lengths.size(), T, kI)) {
        if (inputs.size() == op.lengths_port()) {
            inputs.push_back(tensor_of<std::int64_t>(shape, lengths));
        } else {
            inputs.push_back(test::random_tensor(ElementType::f32, shape, rng));
        }
    }
    return inputs;
}

std::vector<std::shared_ptr<RecurrentOp>> sequences(Direction direction) {
    const RecurrentAttributes attributes{.hidden_size = 6, .direction = direction, .clip = 0.9f};
    auto linear = attributes;
    linear.linear_before_reset = true;
    return {recurrent_node<ops::LSTMSequence>(attributes),
            recurrent_node<ops::GRUSequence>(attributes), recurrent_node<ops::GRUSequence>(linear),
            recurrent_node<ops::RNNSequence>(attributes)};
}

// k -> scale * ((k * step) % modulus - modulus / 2), for inputs that are easily made elsewhere.
Tensor pattern(const Shape& shape, double scale, std::size_t step, std::size_t modulus) {
    std::vector<double> values(element_count(shape));
    for (std::size_t k = 0; k < values.size(); ++k) {
        values[k] =
            scale * (static_cast<double>((k * step) % modulus) - static_cast<double>(modulus / 2));
    }
    return tensor_of<float, double>(shape, values);
}

// Inputs for N = 2, T = 3, I = 2.
std::vector<Tensor> pattern_inputs(const RecurrentOp& op, std::vector<std::int32_t> lengths,
                                   bool peepholes = false) {
    const auto shapes = test::input_shapes(op, 2, 3, 2, peepholes);
    std::vector<Tensor> inputs = {pattern(shapes[0], 0.25, 3, 7), pattern(shapes[1], 0.2, 2, 5)};
    if (op.c_port() != RecurrentOp::npos) inputs.push_back(pattern(shapes[2], 0.3, 3, 5));
    inputs.push_back(tensor_of<std::int32_t>({2}, lengths));
    inputs.push_back(pattern(shapes[op.w_port()], 0.1, 5, 11));
    inputs.push_back(pattern(shapes[op.r_port()], 0.1, 7, 13));
    inputs.push_back(pattern(shapes[op.b_port()], 0.1, 3, 7));
    if (peepholes) inputs.push_back(pattern(shapes.back(), 0.2, 4, 9));
    return inputs;
}

// The example of the IR's description, by the equations of gates fico.
TEST(ReferenceRecurrent, LstmWorkedExample) {
    const auto op = recurrent_node<ops::LSTMSequence>({.hidden_size = 2});
    std::vector<double> w(24), r(16), b(8);
    for (std::size_t k = 0; k < w.size(); ++k) w[k] = 0.1 * (static_cast<double>(k % 7) - 3);
    for (std::size_t k = 0; k < r.size(); ++k) r[k] = 0.05 * (static_cast<double>(k % 5) - 2);
    for (std::size_t k = 0; k < b.size(); ++k) b[k] = 0.01 * static_cast<double>(k);
    const Tensor zeros(ElementType::f32, {1, 1, 2});
    const auto outputs = evaluate(
        *op, std::vector<Tensor>{
                 tensor_of<float>({1, 2, 3}, {0.5f, -1, 0.25f, 1, 0, -0.5f}), zeros, zeros,
                 tensor_of<std::int64_t>({1}, {2}), tensor_of<float, double>({1, 8, 3}, w),
                 tensor_of<float, double>({1, 8, 2}, r), tensor_of<float, double>({1, 8}, b)});
    ASSERT_EQ(outputs.size(), 3u);
    expect_near(outputs[0],
                tensor_of<float>({1, 1, 2, 2}, {-0.0686666f, 0.0131124f, 0.0802833f, -0.0250235f}),
                1e-7);
    expect_near(outputs[1], tensor_of<float>({1, 1, 2}, {0.0802833f, -0.0250235f}), 1e-7);
    expect_near(outputs[2], tensor_of<float>({1, 1, 2}, {0.1610949f, -0.0552843f}), 1e-7);
}

// Expected values of this and the next three tests: onnxruntime 1.31 on the same layer as ONNX.
TEST(ReferenceRecurrent, GruAsOnnxruntime) {
    const auto op =
        recurrent_node<ops::GRUSequence>({.hidden_size = 2, .direction = Direction::bidirectional});
    const auto outputs = evaluate(*op, pattern_inputs(*op, {3, 2}));
    const std::vector<float> y = {
        -0.1920378f, -0.1348850f, 0.1944592f,
        -0.0952087f, 0.3456709f,  -0.0257038f,  // row 0, forward
        -0.0032506f, 0.2179916f,  -0.1567457f,
        -0.1123907f, 0.0720805f,  -0.0457684f,  // row 0, reverse
        0.3305367f,  -0.1676687f, 0.0216607f,
        -0.3892002f, 0,           0,  // row 1, forward
        -0.1937431f, 0.1251238f,  -0.0315328f,
        0.2762392f,  0,           0  // row 1, reverse
    };
    expect_near(outputs[0], tensor_of<float>({2, 2, 3, 2}, y), 1e-6);
    expect_near(outputs[1],
                tensor_of<float>({2, 2, 2}, {0.3456709f, -0.02570377f, -0.003250577f, 0.2179916f,
                                             0.02166066f, -0.3892002f, -0.1937431f, 0.1251238f}),
                1e-6);
}

TEST(ReferenceRecurrent, GruLinearBeforeResetAsOnnxruntime) {
    const auto op = recurrent_node<ops::GRUSequence>(
        {.hidden_size = 2, .direction = Direction::bidirectional, .linear_before_reset = true});
    const auto outputs = evaluate(*op, pattern_inputs(*op, {3, 2}));
    const std::vector<float> y = {
        -0.1695902f, -0.2026921f, 0.2226854f,
        -0.2078949f, 0.3671210f,  -0.1710563f,  // row 0, forward
        -0.2177088f, 0.0283492f,  -0.3217960f,
        -0.1930893f, -0.0570506f, -0.1243400f,  // row 0, reverse
        0.3518713f,  -0.2401383f, 0.0398797f,
        -0.4679598f, 0,           0,  // row 1, forward
        -0.3577503f, 0.0854848f,  -0.1408045f,
        0.2705984f,  0,           0  // row 1, reverse
    };
    expect_near(outputs[0], tensor_of<float>({2, 2, 3, 2}, y), 1e-6);
}

TEST(ReferenceRecurrent, LstmWithPeepholesAndOwnFunctionsAsOnnxruntime) {
    RecurrentAttributes attributes{.hidden_size = 2, .direction = Direction::bidirectional};
    attributes.activations = {"HardSigmoid", "Tanh",     "LeakyRelu",
                              "Sigmoid",     "Softsign", "ScaledTanh"};
    attributes.activations_alpha = {0.3f, 0.05f, 0.7f};
    attributes.activations_beta = {0.4f, 0.6f};
    attributes.clip = 0.5f;
    const auto op = recurrent_node<ops::LSTMSequence>(attributes);
    const auto outputs = evaluate(*op, pattern_inputs(*op, {2, 3}, true));
    const std::vector<float> y = {
        -0.0054895f, 0.0095975f,  0.0612080f,
        0.0047415f,  0,           0,  // row 0, forward
        -0.0291335f, 0.0210761f,  -0.0009267f,
        0.0808590f,  0,           0,  // row 0, reverse
        0.0632387f,  -0.0041863f, -0.0003872f,
        -0.0052556f, -0.0006864f, -0.0045659f,  // row 1, forward
        -0.0091116f, 0.0130688f,  -0.0147776f,
        -0.0276915f, 0.0038652f,  -0.0392694f  // row 1, reverse
    };
    expect_near(outputs[0], tensor_of<float>({2, 2, 3, 2}, y), 1e-6);
    expect_near(outputs[2],
                tensor_of<float>({2, 2, 2}, {0.1467178f, 0.01869299f, -0.1844794f, 0.1027076f,
                                             -0.02739853f, -0.2253031f, -0.04335842f, 0.05221387f}),
                1e-6);
}

TEST(ReferenceRecurrent, RnnWithOwnFunctionsAsOnnxruntime) {
    RecurrentAttributes attributes{.hidden_size = 2, .direction = Direction::bidirectional};
    attributes.activations = {"Elu", "Softplus"};
    attributes.activations_alpha = {0.5f};
    const auto op = recurrent_node<ops::RNNSequence>(attributes);
    const auto outputs = evaluate(*op, pattern_inputs(*op, {2, 3}));
    const std::vector<float> y = {
        0.3150000f,  -0.0802715f, -0.2909485f,
        0.2264457f,  0,           0,  // row 0, forward
        0.6142808f,  0.5429264f,  0.9310839f,
        0.6931472f,  0,           0,  // row 0, reverse
        -0.2214471f, 0.0200000f,  -0.0761090f,
        0.0397235f,  -0.0589114f, -0.0605134f,  // row 1, forward
        0.9335856f,  0.8028040f,  0.6984311f,
        0.5449945f,  0.8091850f,  0.6140465f  // row 1, reverse
    };
    expect_near(outputs[0], tensor_of<float>({2, 2, 3, 2}, y), 1e-6);
}

// h' = relu(x + 2 h) of x = 1, 2, 3: by hand.
TEST(ReferenceRecurrent, RunsEachRowThroughItsOwnLength) {
    const auto run = [](Direction direction) {
        const auto op = recurrent_node<ops::RNNSequence>(
            {.hidden_size = 1, .direction = direction, .activations = {"relu"}});
        return evaluate(
            *op, std::vector<Tensor>{
                     tensor_of<float>({3, 3, 1}, {1, 2, 3, 1, 2, 3, 1, 2, 3}),
                     tensor_of<float>({3, 1, 1}, {0, 0, 7}),
                     tensor_of<std::int64_t>({3}, {3, 2, 0}), tensor_of<float>({1, 1, 1}, {1}),
                     tensor_of<float>({1, 1, 1}, {2}), tensor_of<float>({1, 1}, {0})});
    };
    const auto forward = run(Direction::forward);
    expect_same(forward[0], tensor_of<float>({3, 1, 3, 1}, {1, 4, 11, 1, 4, 0, 0, 0, 0}));
    expect_same(forward[1], tensor_of<float>({3, 1, 1}, {11, 4, 0}));
    const auto reverse = run(Direction::reverse);
    expect_same(reverse[0], tensor_of<float>({3, 1, 3, 1}, {17, 8, 3, 5, 2, 0, 0, 0, 0}));
    expect_same(reverse[1], tensor_of<float>({3, 1, 1}, {17, 5, 0}));
}

TEST(ReferenceRecurrent, LengthZeroGivesZeroStates) {
    for (const auto& op : sequences(Direction::bidirectional)) {
        const auto outputs = evaluate(*op, random_inputs(*op, {0, kT, 0}));
        for (const auto& output : outputs) {
            Shape shape = output.shape();
            shape[0] = 1;
            const Tensor zeros(ElementType::f32, shape);
            expect_same(slices(output, 0, 0, 1), zeros);
            expect_same(slices(output, 0, 2, 1), zeros);
            EXPECT_NE(test::element_at(slices(output, 0, 1, 1), 0), 0) << op->type_name();
        }
    }
}

TEST(ReferenceRecurrent, ReverseIsForwardOnTheReversedInput) {
    const auto forward = sequences(Direction::forward);
    const auto reverse = sequences(Direction::reverse);
    for (std::size_t i = 0; i < forward.size(); ++i) {
        auto inputs = random_inputs(*forward[i], {kT, kT, kT});
        const auto expected = evaluate(*forward[i], inputs);
        inputs[0] = backwards(inputs[0], 1);
        const auto outputs = evaluate(*reverse[i], inputs);
        expect_same(backwards(outputs[0], 2), expected[0]);
        for (std::size_t k = 1; k < outputs.size(); ++k) expect_same(outputs[k], expected[k]);
    }
}

TEST(ReferenceRecurrent, BidirectionalIsBothDirections) {
    const auto both = sequences(Direction::bidirectional);
    const std::vector<std::vector<std::shared_ptr<RecurrentOp>>> single = {
        sequences(Direction::forward), sequences(Direction::reverse)};
    for (std::size_t i = 0; i < both.size(); ++i) {
        const auto inputs = random_inputs(*both[i], {kT, 2, 4});
        const auto outputs = evaluate(*both[i], inputs);
        for (std::size_t d = 0; d < 2; ++d) {
            auto part = inputs;
            for (std::size_t port = 1; port < part.size(); ++port) {
                if (port == both[i]->lengths_port()) continue;
                part[port] = slices(inputs[port], port < both[i]->w_port() ? 1 : 0, d, 1);
            }
            const auto expected = evaluate(*single[d][i], part);
            for (std::size_t k = 0; k < outputs.size(); ++k) {
                expect_same(slices(outputs[k], 1, d, 1), expected[k]);
            }
        }
    }
}

TEST(ReferenceRecurrent, ALengthIsAShorterSequence) {
    for (const auto direction : {Direction::forward, Direction::reverse}) {
        for (const auto& op : sequences(direction)) {
            const auto inputs = random_inputs(*op, {2, 2, 2});
            const auto outputs = evaluate(*op, inputs);
            auto shorter = inputs;
            shorter[0] = slices(inputs[0], 1, 0, 2);
            const auto expected = evaluate(*op, shorter);
            expect_same(slices(outputs[0], 2, 0, 2), expected[0]);
            expect_same(slices(outputs[0], 2, 2, kT - 2),
                        Tensor(ElementType::f32, {kN, 1, kT - 2, 6}));
            for (std::size_t k = 1; k < outputs.size(); ++k) expect_same(outputs[k], expected[k]);
        }
    }
}

// A sequence of one step, against the cell of the same weights.
template <typename Sequence, typename Cell>
void expect_cell_is_one_step(RecurrentAttributes attributes) {
    const auto sequence = recurrent_node<Sequence>(attributes);
    const auto cell = recurrent_node<Cell>(attributes);
    const auto inputs = random_inputs(*sequence, {1, 1, 1}, 1);
    std::vector<Tensor> without_time;
    const auto shapes = test::input_shapes(*cell, kN, 1, kI);
    for (std::size_t port = 0; port < inputs.size(); ++port) {
        if (port == sequence->lengths_port()) continue;
        without_time.push_back(inputs[port].reshaped(shapes[without_time.size()]));
    }
    const auto expected = evaluate(*sequence, inputs);
    const auto outputs = evaluate(*cell, without_time);
    ASSERT_EQ(outputs.size() + 1, expected.size());
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        expect_same(outputs[k], expected[k + 1].reshaped({kN, 6}));
    }
}

TEST(ReferenceRecurrent, ACellIsOneStep) {
    const RecurrentAttributes attributes{.hidden_size = 6};
    expect_cell_is_one_step<ops::LSTMSequence, ops::LSTMCell>(attributes);
    expect_cell_is_one_step<ops::LSTMSequence, ops::LSTMCell>(
        {.hidden_size = 6, .input_forget = true});
    expect_cell_is_one_step<ops::GRUSequence, ops::GRUCell>(attributes);
    expect_cell_is_one_step<ops::GRUSequence, ops::GRUCell>(
        {.hidden_size = 6, .linear_before_reset = true});
    expect_cell_is_one_step<ops::RNNSequence, ops::RNNCell>(attributes);
}

TEST(ReferenceRecurrent, NoTimeStepsPassTheStatesThrough) {
    for (const auto& op : sequences(Direction::bidirectional)) {
        const auto inputs = random_inputs(*op, {0, 0, 0}, 0);
        const auto outputs = evaluate(*op, inputs);
        EXPECT_EQ(outputs[0].shape(), (Shape{kN, 2, 0, 6}));
        for (std::size_t k = 1; k < outputs.size(); ++k) expect_same(outputs[k], inputs[k]);
    }
}

TEST(ReferenceRecurrent, AnEmptyBatchGivesEmptyOutputs) {
    for (const auto& op : sequences(Direction::forward)) {
        const auto outputs = evaluate(*op, random_inputs(*op, {}));
        EXPECT_EQ(outputs[0].shape(), (Shape{0, 1, kT, 6}));
        EXPECT_EQ(outputs[1].shape(), (Shape{0, 1, 6}));
    }
}

TEST(ReferenceRecurrent, EveryFloatingTypeGivesTheSameNumbers) {
    for (const auto& op : sequences(Direction::reverse)) {
        const auto inputs = random_inputs(*op, {kT, 3, 1});
        for (const auto& [type, tolerance] :
             {std::pair{ElementType::f64, 1e-6}, std::pair{ElementType::f16, 1e-3},
              std::pair{ElementType::bf16, 8e-3}}) {
            std::vector<Tensor> typed;    // what the type can hold, in the type
            std::vector<Tensor> widened;  // and in f32
            for (const auto& input : inputs) {
                const bool lengths = !is_floating(input.element_type());
                typed.push_back(lengths ? input : test::converted(input, type));
                widened.push_back(lengths ? input
                                          : test::converted(typed.back(), ElementType::f32));
            }
            const auto expected = evaluate(*op, widened);
            const auto outputs = evaluate(*op, typed);
            for (std::size_t k = 0; k < outputs.size(); ++k) {
                EXPECT_EQ(outputs[k].element_type(), type);
                expect_near(test::converted(outputs[k], ElementType::f32), expected[k], tolerance);
            }
        }
    }
}

TEST(ReferenceRecurrent, RefusesLengthsThatDoNotFit) {
    for (const auto& op : sequences(Direction::forward)) {
        auto inputs = random_inputs(*op, {kT, kT, kT});
        inputs[op->lengths_port()] = tensor_of<std::int32_t>({3}, {5, 6, 0});
        expect_error<ModelError>([&] { evaluate(*op, inputs); },
                                 "the length of row 1 is 6; expected 0 to 5");
        inputs[op->lengths_port()] = tensor_of<std::int64_t>({3}, {5, 5, -1});
        expect_error<ModelError>([&] { evaluate(*op, inputs); },
                                 "node 'layer' (" + std::string(op->type_name()) +
                                     "): the length of row 2 is -1; expected 0 to 5");
    }
}

}  // namespace
}  // namespace rondo::reference::recurrent_test
