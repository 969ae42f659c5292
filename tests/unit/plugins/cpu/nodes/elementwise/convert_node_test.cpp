#include "core/ops/elementwise/elementwise_ops.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::convert_node_test {
namespace {

constexpr ElementType kTypes[] = {
    ElementType::boolean,    ElementType::f64,    ElementType::f32,    ElementType::f16,
    ElementType::bf16,       ElementType::i64,    ElementType::i32,    ElementType::i16,
    ElementType::i8,         ElementType::u64,    ElementType::u32,    ElementType::u16,
    ElementType::u8,         ElementType::f8e4m3, ElementType::f8e5m2, ElementType::f8e4m3fnuz,
    ElementType::f8e5m2fnuz, ElementType::f8e8m0, ElementType::f4e2m1, ElementType::i4,
    ElementType::u4,         ElementType::i2,     ElementType::u2};

// From every type to every type.
TEST(ConvertNode, EveryPairOfTypes) {
    auto rng = test_rng();
    for (const ElementType from : kTypes) {
        for (const ElementType to : kTypes) {
            const auto x = parameter("x", {-1, -1}, from);
            const auto graph = graph_of({x}, {make_node<ops::Convert>(x, to)});
            expect_like_reference(*graph, {random_tensor(from, {5, 7}, rng, 0, 200)});
        }
    }
}

TEST(ConvertNode, NarrowTypesRoundAsTheirAttributesSay) {
    using Scale = NarrowRounding::Scale;
    auto rng = test_rng();
    for (const NarrowRounding rounding :
         {NarrowRounding{false, Scale::up}, NarrowRounding{true, Scale::down},
          NarrowRounding{false, Scale::nearest}}) {
        for (const ElementType to : {ElementType::f8e4m3, ElementType::f8e8m0}) {
            const auto x = parameter("x", {-1});
            const auto graph = graph_of({x}, {make_node<ops::Convert>(x, to, rounding)});
            expect_like_reference(*graph,
                                  {random_tensor(ElementType::f32, {3000}, rng, -9e2, 9e2)});
        }
    }
}

TEST(ConvertNode, FloatsKeepTheirSignsAndFractions) {
    auto rng = test_rng();
    for (const ElementType to : {ElementType::f16, ElementType::bf16, ElementType::i32}) {
        const auto x = parameter("x", {-1});
        const auto graph = graph_of({x}, {make_node<ops::Convert>(x, to)});
        expect_like_reference(*graph, {random_tensor(ElementType::f32, {70000}, rng, -3e9, 3e9)});
    }
}

}  // namespace
}  // namespace rondo::test::convert_node_test
