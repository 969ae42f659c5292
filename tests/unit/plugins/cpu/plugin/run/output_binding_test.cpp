#include "plugins/cpu/plugin/run/output_binding.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::cpu::output_binding_test {
namespace {

using test::expect_error;

// `count` results f32 [4], named y0, y1, ...
class OutputBindingTest : public ::testing::Test {
protected:
    OutputBindingTest() { make(2); }

    void make(std::size_t count) {
        test::GraphBuilder b;
        const Output x = b.input("x", "[4]");
        plan_.outputs.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name = "y" + std::to_string(i);
            b.output(name,
                     b.make<ops::Unary>("n" + std::to_string(i), ops::UnaryFunction::tanh, x));
            plan_.outputs.push_back({i, {ElementType::f32, {4}, {}, true}});
        }
        graph_ = b.graph();
        binding_ = std::make_unique<OutputBinding>(*graph_, plan_);
        outputs_.assign(count, {});
        targets_.assign(count, nullptr);
    }

    void bind() { binding_->bind(inputs_, outputs_, targets_); }

    Plan plan_;
    std::shared_ptr<Graph> graph_;
    std::unique_ptr<OutputBinding> binding_;
    std::vector<Tensor> inputs_{Tensor(ElementType::f32, {4})};
    std::vector<Tensor> outputs_;
    std::vector<void*> targets_;
};

TEST_F(OutputBindingTest, FillsEmptyOutputsWithItsOwn) {
    bind();
    const auto first = targets_;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(outputs_[i].data(), targets_[i]);
    outputs_.assign(2, {});
    bind();
    EXPECT_EQ(targets_, first);
}

TEST_F(OutputBindingTest, LeavesOutputsOfOtherSegmentsAlone) {
    plan_.outputs = {{1, {ElementType::f32, {4}, {}, true}}};
    binding_ = std::make_unique<OutputBinding>(*graph_, plan_);
    bind();
    EXPECT_FALSE(outputs_[0]);
    EXPECT_EQ(targets_[0], nullptr);
    EXPECT_EQ(outputs_[1].data(), targets_[1]);
}

TEST_F(OutputBindingTest, RefusesWhatDoesNotFit) {
    outputs_[1] = Tensor(ElementType::f32, {5});
    expect_error<ModelError>([&] { bind(); }, "the output tensor is f32[5]; expected f32[4]");
    outputs_[1] = Tensor(ElementType::i32, {4});
    expect_error<ModelError>([&] { bind(); }, "the output tensor is i32[4]; expected f32[4]");
    std::vector<float> floats(8);
    outputs_[1] = Tensor(ElementType::f32, {4}, floats.data(), {8});
    expect_error<ModelError>([&] { bind(); }, "the output tensor has strides; expected row-major");
}

// Few outputs are compared in pairs, many are sorted: both say the same.
TEST_F(OutputBindingTest, RefusesOutputsThatShareMemory) {
    for (const std::size_t count : {2, 40}) {
        make(count);
        std::vector<float> floats(4 * count + 4);
        for (std::size_t i = 0; i < count; ++i) {
            outputs_[i] = Tensor(ElementType::f32, {4}, floats.data() + 4 * (count - i));
        }
        bind();  // neighbours touch, and share nothing
        outputs_[0] = Tensor(ElementType::f32, {4}, floats.data() + 5);
        expect_error<ModelError>([&] { bind(); }, "shares memory with that of");
        outputs_[0] = Tensor(ElementType::f32, {4}, floats.data() + 4 * (count - 1) + 2);
        expect_error<ModelError>([&] { bind(); },
                                 "'y1/result' (Result): the output tensor shares memory "
                                 "with that of node 'y0/result' (Result)");
    }
}

TEST_F(OutputBindingTest, AnOutputInAnInputsMemoryTakesADetour) {
    for (const std::size_t count : {1, 40}) {
        make(count);
        inputs_.assign(count, {});
        for (Tensor& input : inputs_) input = Tensor(ElementType::f32, {4});
        outputs_[0] = inputs_.back();
        bind();
        EXPECT_NE(targets_[0], outputs_[0].data());
        for (std::size_t i = 1; i < count; ++i) EXPECT_EQ(targets_[i], outputs_[i].data());
        auto* detour = static_cast<float*>(targets_[0]);
        for (int i = 0; i < 4; ++i) detour[i] = static_cast<float>(i);
        EXPECT_EQ(inputs_.back().data<float>()[3], 0);
        binding_->finish(outputs_);
        EXPECT_EQ(inputs_.back().data<float>()[3], 3);
        outputs_[0] = Tensor(ElementType::f32, {4});
        bind();
        EXPECT_EQ(targets_[0], outputs_[0].data());
    }
}

TEST_F(OutputBindingTest, GivesBackLargeTensors) {
    const Shape large{OutputBinding::kWorthKeeping / 4 + 1};
    plan_.outputs = {{0, {ElementType::f32, large, {}, true}}};
    binding_ = std::make_unique<OutputBinding>(*graph_, plan_);
    bind();
    const Tensor held = outputs_[0];
    binding_->release_large();
    outputs_[0] = {};
    bind();
    EXPECT_NE(outputs_[0].data(), held.data());
}

}  // namespace
}  // namespace rondo::cpu::output_binding_test
