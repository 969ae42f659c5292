#include "core/graph/port_forms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "core/graph/infer_context.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::port_forms_test {
namespace {

TEST(PortForms, AreSortedAndNameKnownOps) {
    const auto forms = port_forms();
    for (std::size_t i = 0; i < forms.size(); ++i) {
        const auto is_it = [&](const ops::OpEntry& op) { return op.type->name == forms[i].op; };
        EXPECT_TRUE(std::ranges::any_of(ops::op_list(), is_it)) << forms[i].op;
        if (i == 0) continue;
        EXPECT_LT(std::tie(forms[i - 1].op, forms[i - 1].input),
                  std::tie(forms[i].op, forms[i].input));
    }
}

TEST(PortForms, AreFoundByTheirOp) {
    ASSERT_EQ(port_forms_of("Slice").size(), 4U);
    EXPECT_EQ(port_forms_of("Slice")[3].name, "axes");
    EXPECT_TRUE(port_forms_of("Add").empty());
    EXPECT_TRUE(port_forms_of("").empty());
}

TEST(PortForms, TakeRanks) {
    const PartialShape scalar = Shape{}, one{1}, two{2}, open{Dimension()}, matrix{1, 1}, unknown;
    const auto taken = [&](PortRank rank) {
        std::string found;
        for (const auto* shape : {&scalar, &one, &two, &open, &matrix, &unknown}) {
            found += takes(rank, *shape) ? '1' : '0';
        }
        return found;
    };
    EXPECT_EQ(taken(PortRank::scalar), "100001");
    EXPECT_EQ(taken(PortRank::vector), "011101");
    EXPECT_EQ(taken(PortRank::single), "110101");
    EXPECT_EQ(taken(PortRank::scalar_or_vector), "111101");
    EXPECT_EQ(taken(PortRank::any), "111111");
}

TEST(PortForms, TakeTypes) {
    const auto taken = [](PortType rule) {
        std::string found;
        for (const auto type : {ElementType::i32, ElementType::i64, ElementType::u8,
                                ElementType::boolean, ElementType::f32, ElementType::dynamic}) {
            found += takes(rule, type) ? '1' : '0';
        }
        return found;
    };
    EXPECT_EQ(taken(PortType::index), "110001");
    EXPECT_EQ(taken(PortType::integer), "111001");
    EXPECT_EQ(taken(PortType::flag), "000101");
    EXPECT_EQ(taken(PortType::any), "111111");
}

TEST(PortForms, AreChecked) {
    const auto check = [](const PartialShape& shape, ElementType type) {
        const InferContext context("n", "CumSum", {{ElementType::f32, {2}, {}}, {type, shape, {}}});
        check_port_forms(context, "CumSum");
    };
    check(Shape{}, ElementType::i32);
    check({}, ElementType::dynamic);
    test::expect_error<ModelError>([&] { check({1}, ElementType::i64); },
                                   "node 'n' (CumSum): axis has shape [1]; expected a scalar");
    test::expect_error<ModelError>([&] { check(Shape{}, ElementType::u8); },
                                   "node 'n' (CumSum): axis has type u8; expected i32 or i64");
    // An input that may be left out.
    const InferContext without("n", "Squeeze", {{ElementType::f32, {2}, {}}});
    check_port_forms(without, "Squeeze");
}

}  // namespace
}  // namespace rondo::port_forms_test
