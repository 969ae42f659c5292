#include "plugins/cpu/plugin/plan/plan.hpp"

#include <gtest/gtest.h>

#include "tests/support/tensors.hpp"

namespace rondo::cpu::plan_test {
namespace {

using test::tensor_of;

TEST(PlanKey, ComparesShapesElementsAndWhatStandsBefore) {
    const auto before = std::make_shared<const Plan>();
    const auto key = [&](std::int64_t value) {
        PlanKey made{{Shape{2}}, {Shape{3}}};
        made.before = before;
        made.values = {tensor_of<std::int64_t>({1}, {value})};
        made.extents = {Shape{6}};
        made.found = {Shape{4}};
        return made;
    };
    EXPECT_EQ(key(1), key(1));  // equal elements in other memory
    EXPECT_FALSE(key(1) == key(2));
    PlanKey other = key(1);
    other.before = std::make_shared<const Plan>();
    EXPECT_FALSE(other == key(1));
    other = key(1);
    other.values = {tensor_of<std::int64_t>({}, {1})};
    EXPECT_FALSE(other == key(1));
    other = key(1);
    other.found = {Shape{5}};
    EXPECT_FALSE(other == key(1));
    other = key(1);
    other.extents = {Shape{5}};
    EXPECT_FALSE(other == key(1));
    other = key(1);
    other.inputs[0].type = ElementType::i32;
    EXPECT_FALSE(other == key(1));
    other = key(1);
    other.inputs[0].value = tensor_of<std::int64_t>({2}, {1, 2});
    EXPECT_FALSE(other == key(1));
    other = key(1);
    other.variables = {std::nullopt};
    EXPECT_FALSE(other == key(1));
}

}  // namespace
}  // namespace rondo::cpu::plan_test
