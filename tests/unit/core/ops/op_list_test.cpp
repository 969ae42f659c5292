#include "core/ops/op_list.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/reference/evaluate.hpp"

namespace rondo::ops::op_list_test {
namespace {

TEST(OpList, IsSortedAndNamesNoOpTwice) {
    const auto list = op_list();
    for (std::size_t i = 1; i < list.size(); ++i) {
        const OpType& a = *list[i - 1].type;
        const OpType& b = *list[i].type;
        EXPECT_TRUE(a.name < b.name || (a.name == b.name && a.opset < b.opset))
            << a.name << ", " << b.name;
    }
}

TEST(OpList, MakesOpsOfTheNamedType) {
    for (const auto& entry : op_list()) {
        EXPECT_EQ(entry.make()->type_name(), entry.type->name);
    }
}

template <typename T, typename Rows>
void expect_listed(const Rows& rows) {
    for (const auto& row : rows) {
        SCOPED_TRACE(std::string(row.type.name));
        const OpEntry* entry = find_op(row.type.name, row.type.opset_name());
        ASSERT_NE(entry, nullptr);
        EXPECT_EQ(entry->type, &row.type);
        const NodePtr node = entry->make();
        ASSERT_NE(as<T>(node), nullptr);
        EXPECT_TRUE(is(*node, row.function));
        EXPECT_EQ(&node->op_type(), &row.type);
        EXPECT_NE(reference::find_evaluator(row.type), nullptr);
    }
}

TEST(OpList, ServesTheRowsOfAllFamilies) {
    expect_listed<Binary>(kBinaryOps);
    expect_listed<Compare>(kCompareOps);
    expect_listed<Logical>(kLogicalOps);
    expect_listed<Reduce>(kReduceOps);
    expect_listed<Unary>(kUnaryOps);
}

TEST(OpList, FindsTheNewestFormThatIsNotNewerThanTheOpset) {
    EXPECT_EQ(find_op("HSigmoid", "opset4"), nullptr);
    EXPECT_EQ(find_op("hsigmoid", "opset5")->type->opset, 5);
    EXPECT_EQ(find_op("Gather", "opset7")->type->opset, 7);
    EXPECT_EQ(find_op("Add", "rondo1"), nullptr);
    EXPECT_EQ(find_op("Add", "opset"), nullptr);
}

}  // namespace
}  // namespace rondo::ops::op_list_test
