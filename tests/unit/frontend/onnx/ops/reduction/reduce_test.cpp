#include <gtest/gtest.h>

#include <limits>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::reduce_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;
using Ints = std::vector<std::int64_t>;

const Tensor kData = tensor_of<float>({2, 3}, {1, 2, 3, 5, 6, 7});

// `axes` as an attribute before opset 18, else as an initializer; null where it is absent.
ModelBuilder mean(std::int64_t opset, const Ints* axes, bool keepdims) {
    ModelBuilder model(opset);
    model.input("x", f32, {2, 3}).output("y");
    std::vector<std::string> inputs = {"x"};
    if (axes && opset >= 18) {
        model.initializer("axes", tensor_of<std::int64_t>({axes->size()}, *axes));
        inputs.push_back("axes");
    }
    auto node = model.node("ReduceMean", inputs, {"y"}).with("keepdims", keepdims ? 1 : 0);
    if (axes && opset < 18) node.with("axes", *axes);
    return model;
}

TEST(OnnxReduceMean, AveragesAxes) {
    for (const std::int64_t opset : {7, 11, 13, 18}) {
        const Ints last = {1};
        expect_same(mean(opset, &last, true).run({kData}).at(0), tensor_of<float>({2, 1}, {2, 6}));
        expect_same(mean(opset, &last, false).run({kData}).at(0), tensor_of<float>({2}, {2, 6}));
        const Ints first = {-2};
        expect_same(mean(opset, &first, false).run({kData}).at(0),
                    tensor_of<float>({3}, {3, 4, 5}));
        expect_same(mean(opset, nullptr, true).run({kData}).at(0), tensor_of<float>({1, 1}, {4}));
        expect_same(mean(opset, nullptr, false).run({kData}).at(0), scalar_of<float>(4));
    }
}

// No axes mean all, unless noop_with_empty_axes.
TEST(OnnxReduceMean, HonoursEmptyAxes) {
    const Ints none;
    for (const Ints* axes : {static_cast<const Ints*>(nullptr), &none}) {
        expect_same(mean(18, axes, false).run({kData}).at(0), scalar_of<float>(4));
        auto model = mean(18, axes, false);
        test::NodeBuilder(*model.graph().mutable_node(0)).with("noop_with_empty_axes", 1);
        expect_same(model.run({kData}).at(0), kData);
    }
    expect_same(mean(11, &none, false).run({kData}).at(0), scalar_of<float>(4));
}

TEST(OnnxReduceMean, RefusesWhatItCantKnow) {
    auto model = mean(13, nullptr, true);
    model.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "it reduces all axes, but the data's rank isn't known");
    ModelBuilder open(18);
    open.input("x", f32, {2, 3}).input("axes", i64, {Dimension()}).output("y");
    open.node("ReduceMean", {"x", "axes"}, {"y"});
    expect_error<UnsupportedError>([&] { open.read(); }, "the number of axes isn't known");
}

// An operator of opset 18 over the last axis, with the axis kept or dropped.
Tensor reduce(const char* op_type, const Tensor& x, bool keepdims = false) {
    ModelBuilder model(20);
    model.input("x", x.element_type(), x.shape()).output("y");
    model.initializer("axes", tensor_of<std::int64_t>({1}, {-1}));
    model.node(op_type, {"x", "axes"}, {"y"}).with("keepdims", keepdims ? 1 : 0);
    return model.run({x}).at(0);
}

TEST(OnnxReduce, ComputesEveryFunction) {
    const auto x = tensor_of<float>({2, 2}, {3, 4, 1, 2});
    expect_same(reduce("ReduceL2", tensor_of<float>({1, 2}, {3, 4})), tensor_of<float>({1}, {5}));
    expect_near(reduce("ReduceLogSum", x), tensor_of<float>({2}, {1.9459101f, 1.0986123f}), 1e-6);
    expect_same(reduce("ReduceMax", x), tensor_of<float>({2}, {4, 2}));
    expect_same(reduce("ReduceMean", x), tensor_of<float>({2}, {3.5f, 1.5f}));
    expect_same(reduce("ReduceMin", x, true), tensor_of<float>({2, 1}, {3, 1}));
    expect_same(reduce("ReduceProd", x), tensor_of<float>({2}, {12, 2}));
    expect_same(reduce("ReduceSum", x), tensor_of<float>({2}, {7, 3}));
    expect_same(reduce("ReduceSumSquare", x), tensor_of<float>({2}, {25, 5}));
}

TEST(OnnxReduce, TakesTheLogarithmOfLargeSums) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const auto x =
        tensor_of<float>({4, 2}, {1000, 1000, -1000, -1000, -kInfinity, -kInfinity, 1, kInfinity});
    const auto expected = tensor_of<float>({4}, {1000.6931f, -999.30685f, -kInfinity, kInfinity});
    expect_near(reduce("ReduceLogSumExp", x), expected, 1e-4);
    expect_near(reduce("ReduceLogSumExp", x, true), expected.reshaped({4, 1}), 1e-4);
}

// Integers are cut, 16-bit numbers rounded once.
TEST(OnnxReduce, TakesTheLogarithmInAnyType) {
    const auto integers = tensor_of<std::int32_t>({2, 2}, {3, 5, 20, 21});
    expect_same(reduce("ReduceLogSum", integers), tensor_of<std::int32_t>({2}, {2, 3}));
    expect_same(reduce("ReduceLogSumExp", integers), tensor_of<std::int32_t>({2}, {5, 21}));
    const auto large = tensor_of<std::uint64_t>({1, 2}, {std::uint64_t{1} << 63, 0});
    expect_same(reduce("ReduceLogSum", large), tensor_of<std::uint64_t>({1}, {43}));
    const auto halves = tensor_of<float16>({1, 2}, {float16(10.0F), float16(10.0F)});
    expect_near(reduce("ReduceLogSumExp", halves), tensor_of<float16>({1}, {float16(10.693147F)}),
                0);
    expect_near(reduce("ReduceLogSum", halves), tensor_of<float16>({1}, {float16(2.9957323F)}), 0);
    expect_error<UnsupportedError>([] { reduce("ReduceLogSum", tensor_of<bool>({1}, {true})); },
                                   "the data is boolean; expected numbers");
}

TEST(OnnxReduce, MaxAndMinOfBooleans) {
    const auto x = tensor_of<bool>({2, 2}, {false, true, true, true});
    expect_same(reduce("ReduceMax", x), tensor_of<bool>({2}, {true, true}));
    expect_same(reduce("ReduceMin", x), tensor_of<bool>({2}, {false, true}));
    expect_error<UnsupportedError>([&] { reduce("ReduceSum", x); },
                                   "the data is boolean; expected numbers");
}

// OpenVINO runs ReduceLogicalOr and And along constant axes alone.
TEST(OnnxReduce, MaxAndMinOfBooleansAlongAxesOfTheRun) {
    const auto x = tensor_of<bool>({2, 3}, {false, true, false, true, true, false});
    const auto run = [&](const std::string& op, const Tensor& data, std::int64_t axis) {
        ModelBuilder model(20);
        model.input("x", ElementType::boolean, {Dimension(), 3})
            .input("axes", ElementType::i64, {1})
            .output("y");
        model.node(op, {"x", "axes"}, {"y"}).with("keepdims", 0);
        for (const auto& node : model.read()->ordered_nodes()) {
            EXPECT_EQ(node->type_name().find("Logical"), std::string_view::npos);
        }
        return model.run({data, tensor_of<std::int64_t>({1}, {axis})}).at(0);
    };
    expect_same(run("ReduceMax", x, 0), tensor_of<bool>({3}, {true, true, false}));
    expect_same(run("ReduceMax", x, -1), tensor_of<bool>({2}, {true, true}));
    expect_same(run("ReduceMin", x, 0), tensor_of<bool>({3}, {false, true, false}));
    expect_same(run("ReduceMin", x, 1), tensor_of<bool>({2}, {false, false}));
    const Tensor nothing(ElementType::boolean, {0, 3});
    expect_same(run("ReduceMax", nothing, 0), tensor_of<bool>({3}, {false, false, false}));
    expect_same(run("ReduceMin", nothing, 0), tensor_of<bool>({3}, {true, true, true}));
}

TEST(OnnxReduce, SumTakesItsAxesAsAnInputSinceOpset13) {
    ModelBuilder model(13);
    model.input("x", f32, {2, 3})
        .output("y")
        .initializer("axes", tensor_of<std::int64_t>({1}, {0}));
    model.node("ReduceSum", {"x", "axes"}, {"y"}).with("keepdims", 0);
    expect_same(model.run({kData}).at(0), tensor_of<float>({3}, {6, 8, 10}));
}

// Peer: onnxruntime 1.32.
TEST(OnnxReduce, DoesTheRestWhereNothingIsReduced) {
    const auto x = tensor_of<float>({3}, {1.5F, -2, 3});
    const auto run = [&](const char* op_type) {
        ModelBuilder model(18);
        model.input("x", f32, {3}).output("y");
        model.node(op_type, {"x"}, {"y"}).with("noop_with_empty_axes", 1);
        return model.run({x}).at(0);
    };
    for (const char* norm : {"ReduceL1", "ReduceL2"}) {
        expect_same(run(norm), tensor_of<float>({3}, {1.5F, 2, 3}));
    }
    expect_same(run("ReduceSumSquare"), tensor_of<float>({3}, {2.25F, 4, 9}));
    expect_near(run("ReduceLogSum"), tensor_of<float>({3}, {0.405465F, NAN, 1.098612F}), 1e-5);
    expect_near(run("ReduceLogSumExp"), x, 1e-6);
    expect_same(run("ReduceMean"), x);
}

}  // namespace
}  // namespace rondo::onnx::reduce_test
