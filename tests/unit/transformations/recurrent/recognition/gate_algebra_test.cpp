#include "transformations/recurrent/recognition/gate_algebra.hpp"

#include <gtest/gtest.h>

namespace rondo::passes::gate_algebra_test {
namespace {

using ops::ActivationKind;

constexpr std::size_t kUnits = 2;
const ops::ActivationFunction kSigmoid = ops::default_activation(ActivationKind::sigmoid);

TEST(GateAlgebra, BringsSumsOfProductsIntoOneForm) {
    GateAlgebra algebra;
    const auto h = algebra.state(0, kUnits), c = algebra.state(1, kUnits);
    const auto one = GateAlgebra::numbers({1});
    // (1 - h) c + h c is c.
    const auto rest = algebra.sum(one, h, -1);
    const auto sum = algebra.sum(*algebra.product(*rest, c), *algebra.product(h, c));
    ASSERT_TRUE(sum);
    EXPECT_EQ(*sum, c);
    EXPECT_EQ(algebra.product(h, c), algebra.product(c, h));
    EXPECT_EQ(algebra.sum(h, h, -1)->terms.size(), 0u);
}

TEST(GateAlgebra, KeepsNumbersShort) {
    GateAlgebra algebra;
    const auto h = algebra.state(0, kUnits);
    const auto scaled = algebra.product(h, GateAlgebra::numbers({2, 3}));
    EXPECT_EQ(scaled->terms[0].factor, (UnitNumbers{2, 3}));
    const auto back = algebra.product(*scaled, GateAlgebra::numbers({3, 2}));
    EXPECT_EQ(back->terms[0].factor, UnitNumbers{6});
}

TEST(GateAlgebra, AddsMatricesOfOneSource) {
    GateAlgebra algebra;
    const auto x = algebra.input(0, 2);
    const float numbers[] = {1, 2, 3, 4};  // [k][units]
    const auto product = algebra.matrix_product(x, {numbers, 2, 2, false, true, 0, 2});
    const auto turned = algebra.matrix_product(x, {numbers, 2, 2, true, true, 0, 2});
    ASSERT_TRUE(product && turned);
    EXPECT_EQ(product->affine.products[0].weights, GateWeights({1, 3, 2, 4}));
    EXPECT_EQ(turned->affine.products[0].weights, GateWeights({1, 2, 3, 4}));
    const auto sum = algebra.sum(*product, *turned, -1);
    EXPECT_EQ(sum->affine.products[0].weights, GateWeights({0, 1, -1, 0}));
    const auto with_input = algebra.sum(*product, x);
    EXPECT_EQ(with_input->affine.products[0].weights, GateWeights({2, 3, 2, 5}));
}

TEST(GateAlgebra, SlicesFunctionsAsTheirArguments) {
    GateAlgebra algebra;
    const auto x = algebra.input(0, 2);
    const float numbers[] = {1, 2, 3, 4};
    const auto gates = algebra.matrix_product(x, {numbers, 2, 2, true, true, 0, 2});
    const auto both = algebra.activation(kSigmoid, *gates);
    const auto second = algebra.activation(kSigmoid, *algebra.slice(*gates, {1, 1}));
    EXPECT_EQ(algebra.slice(both, {1, 1}), second);
    EXPECT_FALSE(algebra.slice(algebra.state(0, kUnits), {0, 1}));
    EXPECT_EQ(algebra.slice(both, {0, 2}), both);
}

TEST(GateAlgebra, TakesProductsOfStatesAndFormulas) {
    GateAlgebra algebra;
    const auto h = algebra.state(0, kUnits);
    const auto r = algebra.activation(kSigmoid, algebra.input(0, kUnits));
    const float numbers[] = {1, 0, 0, 1};
    const auto of_state = algebra.matrix_product(h, {numbers, 2, 2, true, true, 0, 2});
    const auto of_both =
        algebra.matrix_product(*algebra.product(r, h), {numbers, 2, 2, true, true, 0, 2});
    ASSERT_TRUE(of_state && of_both);
    const auto kind = [&](const GateFormula& formula) {
        return algebra.source(formula.affine.products[0].source).kind;
    };
    EXPECT_EQ(kind(*of_state), GateSource::Kind::state);
    EXPECT_EQ(kind(*of_both), GateSource::Kind::formula);
    EXPECT_FALSE(
        algebra.matrix_product(*of_state, {numbers, 2, 2, true, true, 0, 2}));  // a second layer
}

TEST(GateAlgebra, RefusesWhatDoesntFit) {
    GateAlgebra algebra;
    const auto two = algebra.state(0, 2), three = algebra.state(1, 3);
    EXPECT_FALSE(algebra.sum(two, three));
    EXPECT_FALSE(algebra.product(two, three));
    const auto x = algebra.input(0, 2);
    EXPECT_FALSE(algebra.product(x, x));
    GateFormula many = algebra.state(2, 2);
    for (std::size_t i = 3; i < 10; ++i) {
        const auto sum = algebra.sum(many, algebra.state(i, 2));
        ASSERT_TRUE(sum);
        many = *sum;
    }
    EXPECT_FALSE(algebra.product(many, many));
}

}  // namespace
}  // namespace rondo::passes::gate_algebra_test
