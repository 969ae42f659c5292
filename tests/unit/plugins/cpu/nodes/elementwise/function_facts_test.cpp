// Every function of the unary and binary families on the CPU device, on every instruction set.
#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/support/function_facts.hpp"
#include "tests/support/isa.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::function_facts_test {
namespace {

constexpr ElementType kTypes[] = {ElementType::f32, ElementType::f64};

TEST(UnaryNode, HoldsTheFactsOfEveryFunction) {
    auto rng = test_rng();
    for (const auto& isa : instruction_sets()) {
        const IsaScope scope(isa);
        for (const auto& facts : unary_facts()) {
            if (facts.of == nullptr) continue;
            for (const ElementType type : kTypes) {
                const auto x = parameter("x", PartialShape::of_rank(1), type);
                const NodePtr node = make_node<ops::Unary>(facts.function, x);
                SCOPED_TRACE(std::string(node->type_name()) + " " + std::string(to_string(type)) +
                             " " + isa);
                const Tensor samples = unary_samples(facts, type, rng);
                const auto graph = graph_of({x}, {named(node, "op")});
                expect_unary(facts, samples, on_cpu(*graph).run({samples}).at(0));
            }
        }
    }
}

TEST(BinaryNode, HoldsTheFactsOfEveryFunction) {
    auto rng = test_rng();
    for (const auto& isa : instruction_sets()) {
        const IsaScope scope(isa);
        for (const auto& facts : binary_facts()) {
            if (facts.of == nullptr) continue;
            for (const ElementType type : kTypes) {
                const auto a = parameter("a", PartialShape::of_rank(1), type);
                const auto b = parameter("b", PartialShape::of_rank(1), type);
                const NodePtr node = make_node<ops::Binary>(facts.function, a, b);
                SCOPED_TRACE(std::string(node->type_name()) + " " + std::string(to_string(type)) +
                             " " + isa);
                const auto drawn = [&] {
                    return random_tensor(type, {333}, rng, static_cast<double>(facts.low),
                                         static_cast<double>(facts.high));
                };
                const Tensor x = drawn();
                const Tensor y = drawn();
                const auto graph = graph_of({a, b}, {named(node, "op")});
                expect_binary(facts, x, y, on_cpu(*graph).run({x, y}).at(0));
            }
        }
    }
}

}  // namespace
}  // namespace rondo::test::function_facts_test
