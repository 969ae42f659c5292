#include "plugins/cpu/plugin/run/call_forms.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu::call_forms_test {
namespace {

// A step of one floating input, number 0, and a flag whose element may decide more.
class CallFormsTest : public testing::Test {
protected:
    static FloatingStep one_step() {
        FloatingStep step;
        step.inputs = {{0, true, {ElementType::f32, {}, {}, true}},
                       {1, false, {ElementType::u8, {1}, {}, true}}};
        return step;
    }
    static Plan one_plan(const FloatingStep& step) {
        Plan plan;
        plan.floating.inputs = {step.inputs[0]};
        return plan;
    }

    // The step's inputs: a list of that length, and the flag.
    CallForms::Inputs inputs(std::size_t length, std::uint8_t value = 0) {
        flag = value;
        list = Tensor(ElementType::f32, {length, 2});
        memory.start({&list, 1});
        data = {list.data(), &flag};
        return {memory, data};
    }
    static CallForm form_of(std::size_t length) {
        CallForm form;
        form.shapes = {{length, 2}};
        form.types = {ElementType::f32};
        form.outputs = {{ElementType::f32, {length}, {}, true}};
        return form;
    }
    static CallForm form_of(std::size_t length, std::uint8_t value) {
        CallForm form = form_of(length);
        Tensor read(ElementType::u8, {1});
        read.data<std::uint8_t>()[0] = value;
        form.reads.emplace_back(1, read);
        form.outputs[0].shape = {length, value};
        return form;
    }

    const FloatingStep step = one_step();
    const Plan plan = one_plan(step);
    const ModelLimits limits;
    FloatingMemory memory{plan, 2, limits};
    Tensor list;
    std::uint8_t flag = 0;
    std::vector<const void*> data;
    CallForms forms{step, 1000};
};

TEST_F(CallFormsTest, ManyLengths) {
    for (std::size_t length = 0; length < 1000; ++length) {
        ASSERT_EQ(forms.find(inputs(length)), nullptr);
        forms.add(form_of(length), inputs(length));
    }
    for (const std::size_t step_of : {1, 7, 1}) {
        for (std::size_t length = 0; length < 1000; length += step_of) {
            const CallForm* form = forms.find(inputs(length));
            ASSERT_NE(form, nullptr) << length;
            EXPECT_EQ(form->outputs[0].shape, Shape{length});
        }
    }
}

TEST_F(CallFormsTest, ElementsThatDecideMore) {
    for (std::size_t length = 0; length < 3; ++length) {
        for (std::size_t value = 0; value < 200; ++value) {
            const auto flags = static_cast<std::uint8_t>(value);
            ASSERT_EQ(forms.find(inputs(length, flags)), nullptr);
            forms.add(form_of(length, flags), inputs(length, flags));
        }
    }
    for (const std::uint8_t value : {3, 3, 199, 0, 100}) {
        const CallForm* form = forms.find(inputs(2, value));
        ASSERT_NE(form, nullptr);
        EXPECT_EQ(form->outputs[0].shape, (Shape{2, value}));
    }
    EXPECT_EQ(forms.find(inputs(2, 200)), nullptr);
}

// A cycle that is longer finds a part of its forms, and never a wrong one.
TEST_F(CallFormsTest, MoreThanAreKept) {
    std::size_t found = 0;
    for (int round = 0; round < 10; ++round) {
        for (std::size_t length = 0; length < 1100; ++length) {
            const CallForm* form = forms.find(inputs(length));
            found += form != nullptr ? 1 : 0;
            if (form == nullptr) form = &forms.add(form_of(length), inputs(length));
            ASSERT_EQ(form->outputs[0].shape, Shape{length});
        }
    }
    EXPECT_EQ(forms.size(), 1000u);
    EXPECT_GT(found, 5000u);
}

}  // namespace
}  // namespace rondo::cpu::call_forms_test
