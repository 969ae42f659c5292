#include "plugins/cpu/plugin/run/body_forms.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu::body_forms_test {
namespace {

PlanKey key_of(const std::vector<Shape>& shapes) {
    PlanKey key;
    for (const Shape& shape : shapes) key.inputs.emplace_back(shape, ElementType::f32);
    return key;
}

// The key of a run that no plan fits.
PlanKey opened(BodyForms& forms, const std::vector<Shape>& shapes) {
    PlanKey key = key_of(shapes);
    forms.start();
    forms.open(key);
    return key;
}

TEST(BodyForms, AListThatGrowsIsOpenFromTheThirdLengthOn) {
    BodyForms forms;
    EXPECT_FALSE(opened(forms, {{0, 2}, {4}}).floats);
    EXPECT_FALSE(opened(forms, {{1, 2}, {4}}).floats);
    const PlanKey third = opened(forms, {{2, 2}, {4}});
    EXPECT_TRUE(third.floats);
    ASSERT_TRUE(third.inputs[0].form.has_value());
    EXPECT_EQ(to_string(*third.inputs[0].form), "[?,2]");
    EXPECT_FALSE(third.inputs[1].form.has_value());
    EXPECT_EQ(third.inputs[1].shape, Shape{4});
    // With another extent beside it another plan; the list stays open.
    const PlanKey other = opened(forms, {{9, 3}, {4}});
    EXPECT_EQ(to_string(*other.inputs[0].form), "[?,3]");
}

// Shapes that come back have exact plans, until there are too many of them.
TEST(BodyForms, ExtentsThatVaryBetweenInferences) {
    BodyForms forms;
    for (std::size_t i = 1; i <= BodyForms::kAltogether; ++i) {
        EXPECT_FALSE(opened(forms, {{i, 2}}).floats) << i;
        forms.return_to_plan();
    }
    const PlanKey key = opened(forms, {{1000, 2}});
    EXPECT_TRUE(key.floats);
    EXPECT_EQ(to_string(*key.inputs[0].form), "[?,2]");
}

// As in the body of a loop over a list that an outer loop lengthens.
TEST(BodyForms, RunsThatAPlanServesOnceMoreAreNoReturn) {
    BodyForms forms;
    for (std::size_t length = 1; length <= 2; ++length) {
        EXPECT_FALSE(opened(forms, {{length}}).floats);
        for (int i = 0; i < 5; ++i) forms.start();
    }
    EXPECT_TRUE(opened(forms, {{3}}).floats);
}

TEST(BodyForms, ARankThatVaries) {
    BodyForms forms;
    opened(forms, {{2}});
    opened(forms, {{2, 1}});
    const PlanKey key = opened(forms, {{2, 1, 1}});
    EXPECT_FALSE(key.inputs[0].form->has_rank());
}

// Shapes that depend on elements leave no input open, but one plan serves all of them.
TEST(BodyForms, ManySegments) {
    BodyForms forms;
    EXPECT_FALSE(opened(forms, {{2}}).floats);
    for (std::size_t i = 0; i <= BodyForms::kSegmentsInARow; ++i) {
        forms.start();
        forms.note_segment();
    }
    const PlanKey key = opened(forms, {{2}});
    EXPECT_TRUE(key.floats);
    EXPECT_FALSE(key.inputs[0].form.has_value());
}

TEST(BodyForms, ClosedOnesStayExact) {
    BodyForms forms;
    forms.close();
    for (std::size_t i = 0; i < 10; ++i) EXPECT_FALSE(opened(forms, {{i}}).floats);
}

}  // namespace
}  // namespace rondo::cpu::body_forms_test
