#include "core/ops/product/einsum_equation.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::ops::einsum_equation_test {
namespace {

using test::expect_error;

using Ranks = std::vector<std::optional<std::size_t>>;

// "ij,jk->ik" with a digit for each axis of "...", that of the last one being 0.
std::string written(const std::string& equation, const Ranks& ranks) {
    const auto parsed = parse_einsum(equation, ranks);
    const auto term = [](const EinsumLabels& labels) {
        std::string text;
        for (const EinsumLabel label : labels) {
            text += static_cast<char>(label < 256 ? label : '0' + label - 256);
        }
        return text;
    };
    std::string text;
    for (const auto& labels : parsed.inputs) text += term(labels) + ",";
    text.pop_back();
    return text + "->" + term(parsed.output);
}

TEST(EinsumEquation, ReadsTerms) {
    EXPECT_EQ(written("ij,jk->ki", {2, 2}), "ij,jk->ki");
    EXPECT_EQ(written(" i j , jK -> K i ", {2, std::nullopt}), "ij,jK->Ki");
    EXPECT_EQ(written("ii->", {2}), "ii->");
    EXPECT_EQ(written(",->", {0, 0}), ",->");
}

TEST(EinsumEquation, FindsTheOutput) {
    EXPECT_EQ(written("ij,jk", {2, 2}), "ij,jk->ik");
    EXPECT_EQ(written("ba", {2}), "ba->ab");
    EXPECT_EQ(written("bA", {2}), "bA->Ab");
    EXPECT_EQ(written("ii", {2}), "ii->");
    EXPECT_EQ(written("b...a", {4}), "b10a->10ab");
}

TEST(EinsumEquation, AlignsEllipsesAtTheirLastAxes) {
    EXPECT_EQ(written("...ij,j...->...i", {4, 2}), "10ij,j0->10i");
    EXPECT_EQ(written("i...->i", {1}), "i->i");
    EXPECT_EQ(written("i...,i->i...", {2, std::nullopt}), "i0,i->i0");
}

TEST(EinsumEquation, RefusesWhatDoesntFit) {
    const auto refused = [](const std::string& equation, const Ranks& ranks) {
        return [=] { parse_einsum(equation, ranks); };
    };
    expect_error<ModelError>(refused("ij", {2, 2}),
                             "attribute 'equation' is 'ij': it has 1 term for 2 inputs");
    expect_error<ModelError>(refused("ij", {3}), "input 0 has rank 3; expected 2");
    expect_error<ModelError>(refused("ij...", {1}), "input 0 has rank 1; expected at least 2");
    expect_error<ModelError>(refused("i1", {2}), "'i1' has '1'; expected letters and '...'");
    expect_error<ModelError>(refused("i.j", {2}), "'i.j' has '.'");
    expect_error<ModelError>(refused("...i...", {3}), "has '...' twice");
    expect_error<ModelError>(refused("ij->ii", {2}), "the output has 'i' twice");
    expect_error<ModelError>(refused("ij->k", {2}), "the output has 'k', which no input has");
    expect_error<ModelError>(refused("ij->...", {2}), "the output has '...', which no input has");
    expect_error<ModelError>(refused("ij->i->j", {2}), "has '-'");
    expect_error<UnsupportedError>(refused("...i", {std::nullopt}),
                                   "has '...', but the rank of input 0 isn't known");
}

}  // namespace
}  // namespace rondo::ops::einsum_equation_test
