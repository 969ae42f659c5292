#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::attention_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::expect_same;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

constexpr auto f32 = ElementType::f32;

// Queries of zeros see all allowed keys alike: a result is the mean of their values. A head has one
// feature.
class Case {
public:
    Case(std::size_t queries, std::vector<float> values, std::int64_t opset = 25)
        : model_(opset),
          node_(model_.node("Attention", {"q", "k", "v"}, {"y"}, "a")),
          q_(f32, {1, 1, queries, 1}),
          k_(f32, {1, 1, values.size(), 1}),
          v_(tensor_of<float>({1, 1, values.size(), 1}, values)) {
        model_.output("y");
    }

    Case& with(const char* attribute, std::int64_t value) {
        node_.with(attribute, value);
        return *this;
    }
    // Another input, at its place.
    Case& with(int place, const char* name, const Tensor& tensor) {
        auto& node = *model_.graph().mutable_node(0);
        while (node.input_size() <= place) node.add_input("");
        node.set_input(place, name);
        model_.initializer(name, tensor);
        return *this;
    }
    void expect(const std::vector<float>& y) {
        for (const bool is_open : {false, true}) {
            ModelBuilder model = model_;
            const auto shape = [&](const Tensor& tensor) {
                return is_open ? PartialShape::of_rank(4) : PartialShape(tensor.shape());
            };
            model.input("q", f32, shape(q_)).input("k", f32, shape(k_)).input("v", f32, shape(v_));
            expect_near(model.run({q_, k_, v_}).at(0), tensor_of<float>({1, 1, y.size(), 1}, y),
                        1e-6);
        }
    }
    std::shared_ptr<Graph> read() {
        model_.input("q", f32, q_.shape()).input("k", f32, k_.shape()).input("v", f32, v_.shape());
        return model_.read();
    }

private:
    ModelBuilder model_;
    NodeBuilder node_;
    Tensor q_;
    Tensor k_;
    Tensor v_;
};

Tensor mask_of(const Shape& shape, const std::vector<int>& flags) {
    return tensor_of<bool, int>(shape, flags);
}

TEST(OnnxAttention, AveragesTheValues) { Case(2, {1, 2, 6}).expect({3, 3}); }

TEST(OnnxAttention, HidesKeysBehindTheQuery) {
    Case(3, {2, 4, 9}).with("is_causal", 1).expect({2, 3, 5});
    // keys of the past come first
    Case(2, {4, 9})
        .with(4, "pk", Tensor(f32, {1, 1, 1, 1}))
        .with(5, "pv", tensor_of<float>({1, 1, 1, 1}, {2}))
        .with("is_causal", 1)
        .expect({3, 5});
}

TEST(OnnxAttention, SeesAWindowOfKeys) {
    Case(3, {2, 4, 9, 3}).with("left_window_size", 1).with("is_causal", 1).expect({2, 3, 6.5F});
    Case(3, {2, 4, 9, 3}).with("right_window_size", 1).expect({3, 5, 4.5F});
    // far queries see nothing
    Case(4, {2, 4}).with("left_window_size", 0).expect({3, 4, 0, 0});
}

TEST(OnnxAttention, TakesMasks) {
    Case(2, {2, 4, 9}).with(3, "m", mask_of({2, 3}, {1, 0, 1, 0, 0, 0})).expect({5.5F, 0});
    const float none = -HUGE_VALF, half = std::log(0.5F);
    Case(2, {2, 4, 9})
        .with(3, "m", tensor_of<float>({1, 1, 1, 3}, {0, half, none}))
        .expect({8 / 3.0F, 8 / 3.0F});
    // both masks count
    Case(2, {2, 4, 9}).with(3, "m", mask_of({1, 3}, {0, 1, 1})).with("is_causal", 1).expect({0, 4});
    // what a mask doesn't have is hidden, before opset 24 one column is for all
    Case(2, {2, 4, 9}, 24).with(3, "m", mask_of({2, 2}, {1, 1, 0, 1})).expect({3, 4});
    Case(2, {2, 4, 9}, 23).with(3, "m", mask_of({2, 1}, {1, 0})).expect({5, 0});
}

TEST(OnnxAttention, KnowsTheLengthsOfACache) {
    const auto lengths = [](std::int64_t length) { return tensor_of<std::int64_t>({1}, {length}); };
    Case(2, {2, 4, 9}).with(6, "n", lengths(2)).expect({3, 3});
    Case(2, {2, 4, 9}).with(6, "n", lengths(3)).with("is_causal", 1).expect({3, 5});
    Case(2, {2, 4, 9}).with(6, "n", lengths(1)).with("is_causal", 1).expect({0, 2});
}

TEST(OnnxAttention, SharesKeysBetweenHeads) {
    // [B, S, H * D]: four heads of queries, two of keys with values 1, 3 and 10, 30
    const auto v = tensor_of<float>({1, 2, 2}, {1, 10, 3, 30});
    for (const bool is_open : {false, true}) {
        ModelBuilder model(23);
        const auto shape = [&](const Shape& known) {
            return is_open ? PartialShape::of_rank(3) : PartialShape(known);
        };
        model.input("q", f32, shape({1, 1, 4})).input("v", f32, shape({1, 2, 2}));
        model.output("y").output("key").output("value");
        model.node("Attention", {"q", "v", "v"}, {"y", "key", "value"}, "a")
            .with("q_num_heads", 4)
            .with("kv_num_heads", 2);
        const auto results = model.run({Tensor(f32, {1, 1, 4}), v});
        expect_near(results.at(0), tensor_of<float>({1, 1, 4}, {2, 2, 20, 20}), 1e-6);
        expect_same(results.at(2), tensor_of<float>({1, 2, 2, 1}, {1, 3, 10, 30}));
    }
}

TEST(OnnxAttention, GivesWhatLiesBeforeTheResult) {
    const float cap = 2;
    const double a = 2 * std::tanh(0.5), b = 2 * std::tanh(1.5) + 1;
    const double weight = std::exp(a) / (std::exp(a) + std::exp(b));
    const std::vector<std::vector<double>> expected{
        {1, 3}, {2 * std::tanh(0.5), 2 * std::tanh(1.5)}, {a, b}, {weight, 1 - weight}};
    for (std::int64_t mode = 0; mode < 4; ++mode) {
        ModelBuilder model(24);
        model.initializer("q", tensor_of<float>({1, 1, 1, 1}, {2}));
        model.initializer("k", tensor_of<float>({1, 1, 2, 1}, {1, 3}));
        model.initializer("mask", tensor_of<float>({2}, {0, 1})).output("y").output("z");
        model.node("Attention", {"q", "k", "k", "mask"}, {"y", "", "", "z"}, "a")
            .with("scale", 0.5F)
            .with("softcap", cap)
            .with("softmax_precision", 11)
            .with("qk_matmul_output_mode", mode);
        const auto results = model.run({});
        expect_near(
            results.at(1),
            tensor_of<float, double>({1, 1, 1, 2}, expected[static_cast<std::size_t>(mode)]), 1e-6);
        expect_near(results.at(0), tensor_of<float, double>({1, 1, 1, 1}, {3 - 2 * weight}), 1e-6);
    }
}

TEST(OnnxAttention, RefusesWhatDoesntFit) {
    const auto past = Tensor(f32, {1, 1, 1, 1});
    expect_error<ModelError>([&] { Case(1, {1}).with(4, "pk", past).read(); },
                             "node 'a' (Attention): one of past_key and past_value is given");
    expect_error<ModelError>([] { Case(1, {1}).with("qk_matmul_output_mode", 4).read(); },
                             "attribute 'qk_matmul_output_mode' is 4; expected 0 to 3");
    expect_error<ModelError>([] { Case(1, {1}).with("left_window_size", -2).read(); },
                             "attribute 'left_window_size' is -2; expected -1 or more");
    expect_error<ModelError>([] { Case(1, {1}).with("q_num_heads", 3).read(); },
                             "attribute 'q_num_heads' is 3, but the input has shape [1,1,1,1]");
    expect_error<ModelError>([] { Case(1, {1}).with("softmax_precision", 7).read(); },
                             "attribute 'softmax_precision' is 7");
    ModelBuilder flat(23);
    flat.input("q", f32, {1, 2, 4}).output("y").node("Attention", {"q", "q", "q"}, {"y"}, "a");
    expect_error<ModelError>([&] { flat.read(); }, "attribute 'kv_num_heads' is missing");
}

TEST(OnnxAttention, RefusesBatchesAndHeadsThatDiffer) {
    const auto refused = [](const PartialShape& k, const PartialShape& v, const char* what) {
        ModelBuilder model(23);
        model.input("q", f32, {2, 2, 3, 4}).input("k", f32, k).input("v", f32, v).output("y");
        model.node("Attention", {"q", "k", "v"}, {"y"}, "a");
        expect_error<ModelError>([&] { model.read(); }, what);
    };
    refused({1, 2, 5, 4}, {2, 2, 5, 4},
            "K has shape [1,2,5,4]; expected 2 on axis 0, the batch of Q");
    refused({2, 2, 5, 4}, {1, 2, 5, 4}, "V has shape [1,2,5,4]; expected 2 on axis 0");
    refused({2, 2, 5, 4}, {2, 1, 5, 4},
            "V has shape [2,1,5,4]; expected 2 on axis 1, the heads of K");
    refused({-1, 4, 5, 4}, {-1, 4, 5, 4}, "the query has 2 heads and the key 4");
}

}  // namespace
}  // namespace rondo::onnx::attention_test
