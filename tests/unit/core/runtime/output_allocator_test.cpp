// Outputs in memory that the caller gives once their shapes are known.
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "rondo/core.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::output_allocator_test {
namespace {

// x f32[?] -> y = x + x, z = the places of numbers that aren't 0, i64[1,?].
Model model() {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    b.output("y", b.make<ops::Binary>("sum", ops::BinaryFunction::add, x, x));
    b.output("z", b.make<ops::NonZero>("places", x, ElementType::i64));
    return Model(b.graph());
}

class OutputAllocatorTest : public ::testing::TestWithParam<const char*> {
protected:
    void infer(const std::vector<float>& x) {
        request_.set_input_tensor(tensor_of<float>({x.size()}, x));
        shapes_.assign(2, {});
        request_.infer();
    }
    OutputAllocator allocator() {
        return [this](std::size_t output, const Shape& shape) -> void* {
            shapes_.at(output) = shape;
            if (output == 0) return sum_.data();
            return places_.data();
        };
    }

    InferRequest request_ = Core().compile_model(model(), GetParam()).create_infer_request();
    std::vector<Shape> shapes_;
    std::vector<float> sum_ = std::vector<float>(8);
    std::vector<std::int64_t> places_ = std::vector<std::int64_t>(8);
};

INSTANTIATE_TEST_SUITE_P(Devices, OutputAllocatorTest, ::testing::Values("CPU", "REFERENCE"));

TEST_P(OutputAllocatorTest, GetsShapesThatComeWithTheRun) {
    request_.set_output_allocator(allocator());
    infer({1, 0, 3});
    EXPECT_EQ(shapes_, (std::vector<Shape>{{3}, {1, 2}}));
    EXPECT_EQ(sum_[2], 6);
    EXPECT_EQ(places_[1], 2);
    EXPECT_EQ(request_.get_output_tensor(0).data(), sum_.data());
    EXPECT_EQ(request_.get_output_tensor(1).data(), places_.data());
    infer({0, 0, 0, 4});
    EXPECT_EQ(shapes_, (std::vector<Shape>{{4}, {1, 1}}));
    EXPECT_EQ(sum_[3], 8);
    EXPECT_EQ(places_[0], 3);
}

TEST_P(OutputAllocatorTest, BoundTensorsAndNullGoBeforeIt) {
    Tensor mine(ElementType::f32, {2});
    request_.set_output_tensor(0, mine);
    request_.set_output_allocator([&](std::size_t output, const Shape& shape) {
        shapes_.at(output) = shape;
        return nullptr;
    });
    infer({1, 2});
    EXPECT_EQ(shapes_, (std::vector<Shape>{{}, {1, 2}}));
    EXPECT_EQ(mine.data<float>()[1], 4);
    EXPECT_EQ(request_.get_output_tensor(1).data<std::int64_t>()[1], 1);
}

TEST_P(OutputAllocatorTest, CanBeTakenAway) {
    request_.set_output_allocator(allocator());
    infer({1});
    request_.set_output_allocator(nullptr);
    infer({5});
    EXPECT_EQ(shapes_, (std::vector<Shape>{{}, {}}));
    EXPECT_EQ(request_.get_output_tensor(0).data<float>()[0], 10);
    EXPECT_EQ(sum_[0], 2);
}

TEST_P(OutputAllocatorTest, WhatItThrowsEndsTheInference) {
    request_.set_output_allocator(
        [](std::size_t, const Shape&) -> void* { throw ModelError("no memory here"); });
    expect_error<ModelError>([&] { infer({1}); }, "no memory here");
    request_.set_output_allocator(allocator());
    infer({1});
    EXPECT_EQ(sum_[0], 2);
}

// As in a host that gives an output the memory of an input that it doesn't need any more.
TEST_P(OutputAllocatorTest, MemoryMayBeThatOfAnInput) {
    std::vector<float> memory{1, 2, 3};
    request_.set_output_allocator([&](std::size_t output, const Shape&) -> void* {
        return output == 0 ? memory.data() : nullptr;
    });
    request_.set_input_tensor(Tensor(ElementType::f32, {3}, memory.data()));
    request_.infer();
    EXPECT_EQ(memory, (std::vector<float>{2, 4, 6}));
    EXPECT_EQ(request_.get_output_tensor(1).shape(), (Shape{1, 3}));
}

}  // namespace
}  // namespace rondo::test::output_allocator_test
