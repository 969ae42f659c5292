#include "plugins/cpu/kernels/math/activation.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::cpu {
namespace {

TEST(Activation, AllElevenByNameInAnyCase) {
    EXPECT_EQ(all_activation_kinds().size(), 11u);
    for (ActivationKind kind : all_activation_kinds()) {
        std::string name = name_of(kind);
        EXPECT_EQ(activation_by_name(name), default_activation(kind));
        for (char& c : name) c = static_cast<char>(std::tolower(c));
        EXPECT_EQ(activation_by_name(name), default_activation(kind));
        for (char& c : name) c = static_cast<char>(std::toupper(c));
        EXPECT_EQ(activation_by_name(name), default_activation(kind));
    }
}

TEST(Activation, DefaultsAreThoseOfTheOperators) {
    EXPECT_EQ(activation_by_name("LeakyRelu").alpha, 0.01f);
    EXPECT_EQ(activation_by_name("ThresholdedRelu").alpha, 1.0f);
    EXPECT_EQ(activation_by_name("Elu").alpha, 1.0f);
    EXPECT_EQ(activation_by_name("HardSigmoid").alpha, 0.2f);
    EXPECT_EQ(activation_by_name("HardSigmoid").beta, 0.5f);
    EXPECT_EQ(activation_by_name("Affine").alpha, 1.0f);
    EXPECT_EQ(activation_by_name("Affine").beta, 0.0f);
    EXPECT_EQ(activation_by_name("ScaledTanh").alpha, 1.0f);
    EXPECT_EQ(activation_by_name("ScaledTanh").beta, 1.0f);
}

TEST(Activation, KnowsWhoTakesWhat) {
    EXPECT_FALSE(takes_alpha(ActivationKind::tanh));
    EXPECT_TRUE(takes_alpha(ActivationKind::elu));
    EXPECT_FALSE(takes_beta(ActivationKind::elu));
    EXPECT_TRUE(takes_beta(ActivationKind::hard_sigmoid));
}

TEST(Activation, Prints) {
    EXPECT_EQ(to_string(default_activation(ActivationKind::tanh)), "Tanh");
    EXPECT_EQ(to_string(default_activation(ActivationKind::leaky_relu)), "LeakyRelu(alpha=0.01)");
    EXPECT_EQ(to_string(default_activation(ActivationKind::affine)), "Affine(alpha=1, beta=0)");
}

TEST(Activation, UnknownNamesAreRefused) {
    rondo::test::expect_error<ModelError>([] { activation_by_name("Swish"); },
                                          "unknown activation function 'Swish'");
    rondo::test::expect_error<ModelError>([] { activation_by_name(""); }, "'HardSigmoid'");
}

}  // namespace
}  // namespace rondo::cpu
