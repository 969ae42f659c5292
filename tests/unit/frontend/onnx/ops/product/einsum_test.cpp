// Tests a part of frontend/onnx/ops/product/matmul.cpp.
#include <gtest/gtest.h>

#include <map>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::einsum_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::expect_same;
using test::ModelBuilder;
using test::random_tensor;
using test::tensor_of;

enum class Shapes { known, open };

ModelBuilder einsum(const std::string& equation, const std::vector<Tensor>& inputs, Shapes shapes) {
    ModelBuilder model(12);
    std::vector<std::string> names;
    for (const Tensor& input : inputs) {
        names.push_back("in_" + std::to_string(names.size()));
        const PartialShape open = PartialShape::of_rank(input.shape().size());
        model.input(names.back(), input.element_type(),
                    shapes == Shapes::open ? open : PartialShape(input.shape()));
    }
    model.output("y").node("Einsum", names, {"y"}, "e").with("equation", equation);
    return model;
}

void expect_result(const std::string& equation, const std::vector<Tensor>& inputs,
                   const Tensor& expected) {
    SCOPED_TRACE(equation);
    for (const Shapes shapes : {Shapes::known, Shapes::open}) {
        expect_near(einsum(equation, inputs, shapes).run(inputs).at(0), expected, 1e-5);
    }
}

// The sum over all letters, one after another, of products of elements.
Tensor by_definition(const std::vector<std::string>& terms, const std::string& output,
                     const std::vector<Tensor>& inputs, const std::map<char, std::size_t>& size) {
    Shape shape;
    for (const char letter : output) shape.push_back(size.at(letter));
    std::vector<long double> sums(element_count(shape));
    std::map<char, std::size_t> at;
    const auto place = [&](const std::string& term) {
        std::size_t index = 0;
        for (const char letter : term) index = index * size.at(letter) + at[letter];
        return index;
    };
    std::size_t all = 1;
    for (const auto& [letter, extent] : size) all *= extent;
    for (std::size_t number = 0; number < all; ++number) {
        std::size_t rest = number;
        for (const auto& [letter, extent] : size) {
            at[letter] = rest % extent;
            rest /= extent;
        }
        long double product = 1;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            product *= test::element_at(inputs[i], place(terms[i]));
        }
        sums[place(output)] += product;
    }
    return tensor_of<float, long double>(shape, sums);
}

void expect_defined(const std::vector<std::string>& terms, const std::string& output) {
    const std::map<char, std::size_t> extents{{'a', 2}, {'b', 3}, {'i', 4}, {'j', 5},
                                              {'k', 3}, {'l', 2}, {'m', 1}};
    auto rng = test::test_rng();
    std::vector<Tensor> inputs;
    std::map<char, std::size_t> used;
    std::string equation;
    for (const std::string& term : terms) {
        Shape shape;
        for (const char letter : term) {
            shape.push_back(extents.at(letter));
            used[letter] = extents.at(letter);
        }
        inputs.push_back(random_tensor(ElementType::f32, shape, rng));
        equation += (inputs.size() == 1 ? "" : ",") + term;
    }
    expect_result(equation + "->" + output, inputs, by_definition(terms, output, inputs, used));
}

TEST(OnnxEinsum, JoinsTwoTensors) {
    expect_defined({"ij", "jk"}, "ik");
    expect_defined({"ij", "jk"}, "ki");
    expect_defined({"ij", "kj"}, "ik");
    expect_defined({"ji", "jk"}, "ik");
    expect_defined({"aij", "ajk"}, "aik");
    expect_defined({"abij", "abkj"}, "aibk");
    expect_defined({"aijb", "bkj"}, "kia");
    expect_defined({"ij", "ij"}, "");
    expect_defined({"ij", "ij"}, "ij");
    expect_defined({"ij", "j"}, "i");
    expect_defined({"i", "i"}, "");
    expect_defined({"i", "j"}, "ij");
    expect_defined({"i", "j"}, "ji");
    expect_defined({"ij", "kl"}, "jl");
    expect_defined({"aib", "bja"}, "ij");
    expect_defined({"im", "mj"}, "ij");
    expect_defined({"", "ij"}, "ji");
    expect_defined({"abi", "jkl"}, "");
}

TEST(OnnxEinsum, JoinsOneAndMany) {
    expect_defined({"ij"}, "ji");
    expect_defined({"ijk"}, "k");
    expect_defined({"ijk"}, "");
    expect_defined({"ij", "jk", "kl"}, "il");
    expect_defined({"ij", "ik", "il"}, "jkl");
    expect_defined({"i", "ij", "j"}, "");
    expect_defined({"ab", "bi", "aj", "ij"}, "b");
}

TEST(OnnxEinsum, TakesDiagonals) {
    expect_defined({"ii"}, "i");
    expect_defined({"ii"}, "");
    expect_defined({"iji"}, "ji");
    expect_defined({"iijjj"}, "ji");
    expect_defined({"iaib", "bb"}, "ai");
    expect_defined({"mm", "m"}, "m");
}

TEST(OnnxEinsum, BroadcastsEllipses) {
    auto rng = test::test_rng();
    const auto a = random_tensor(ElementType::f32, {2, 1, 3, 4}, rng);
    const auto b = random_tensor(ElementType::f32, {5, 4, 2}, rng);
    ModelBuilder product;
    product.input("a", ElementType::f32, {2, 1, 3, 4}).input("b", ElementType::f32, {5, 4, 2});
    product.output("y").node("MatMul", {"a", "b"}, {"y"});
    const auto expected = product.run({a, b}).at(0);
    expect_result("...ij,...jk->...ik", {a, b}, expected);
    expect_result("...ij,...jk", {a, b}, expected);
    const auto x = tensor_of<float>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    expect_result("...i->i...", {x}, tensor_of<float>({2, 2, 2}, {1, 3, 5, 7, 2, 4, 6, 8}));
    expect_result("...i->...", {x}, tensor_of<float>({2, 2}, {3, 7, 11, 15}));
    expect_result("...i->i", {x}, tensor_of<float>({2}, {16, 20}));
    expect_result("i...i->i...", {x}, tensor_of<float>({2, 2}, {1, 3, 6, 8}));
}

TEST(OnnxEinsum, SumsOverAxesOfExtentOne) {
    const auto a = tensor_of<float>({2, 1}, {1, 2}),
               b = tensor_of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
    expect_same(einsum("ij,jk->ik", {a, b}, Shapes::known).run({a, b}).at(0),
                tensor_of<float>({2, 2}, {9, 12, 18, 24}));
}

// As one axis they would be of the same length.
TEST(OnnxEinsum, ComparesEachOfSeveralSummedAxes) {
    const auto row = tensor_of<float>({1, 3}, {1, 2, 3});
    const auto column = tensor_of<float>({3, 1}, {1, 10, 100});
    expect_result("ij,ij->", {row, column}, tensor_of<float>({}, {666}));
    expect_result("ij,ij->", {column, row}, tensor_of<float>({}, {666}));
    expect_result("ab,ba->", {row, row}, tensor_of<float>({}, {36}));
    const auto planes = tensor_of<float>({3, 1, 2}, {1, 2, 3, 4, 5, 6});
    expect_result("ij,ijk->k", {row, planes}, tensor_of<float>({2}, {54, 72}));
    const auto x = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto y = tensor_of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
    expect_error<ModelError>(
        [&] {
            einsum("ij,ij->", {x, y}, Shapes::known).read();
        },
        "axes of the same letter have the extents 2 and 3");
    expect_error<ModelError>(
        [&] {
            einsum("ij,ij->", {x, y}, Shapes::open).run({x, y});
        },
        "node 'e' (Einsum, as Broadcast 'e/");
    ModelBuilder half_open(12);
    half_open.input("a", ElementType::f32, {3, 2}).input("b", ElementType::f32, {Dimension(), 2});
    half_open.output("y").node("Einsum", {"a", "b"}, {"y"}).with("equation", "ij,ij->");
    const auto pair = tensor_of<float>({1, 2}, {1, 10}),
               pairs = tensor_of<float>({2, 2}, {1, 2, 3, 4});
    expect_same(half_open.run({y, pair}).at(0), tensor_of<float>({}, {129}));
    expect_error<ModelError>(
        [&] {
            half_open.run({y, pairs});
        },
        "node 'the_Einsum' (Einsum, as Broadcast 'the_Einsum/");
}

TEST(OnnxEinsum, TakesIntegersAndEmptyTensors) {
    const auto a = tensor_of<std::int32_t>({1, 2}, {1 << 30, 3});
    const auto b = tensor_of<std::int32_t>({2, 1}, {4, 5});
    expect_result("ij,jk->ik", {a, b}, tensor_of<std::int32_t>({1, 1}, {15}));
    const Tensor none(ElementType::f32, {2, 0});
    expect_result("ij,kj->ik", {none, none}, Tensor(ElementType::f32, {2, 2}));
    expect_result("ji,jk->ik", {none, none}, Tensor(ElementType::f32, {0, 0}));
    expect_result("iij->ij", {Tensor(ElementType::f32, {0, 0, 3})},
                  Tensor(ElementType::f32, {0, 3}));
    expect_result("abi,jki->abjk",
                  {Tensor(ElementType::f32, {2, 0, 3}), Tensor(ElementType::f32, {2, 0, 3})},
                  Tensor(ElementType::f32, {2, 0, 2, 0}));
}

TEST(OnnxEinsum, ReadsTensorsOfUnknownRank) {
    ModelBuilder model(12);
    model.input("a", ElementType::f32, PartialShape()).output("y");
    model.node("Einsum", {"a", "a"}, {"y"}).with("equation", "ij,kj->ik");
    const auto a = tensor_of<float>({2, 2}, {1, 2, 3, 4});
    expect_same(model.run({a}).at(0), tensor_of<float>({2, 2}, {5, 11, 11, 25}));
}

TEST(OnnxEinsum, RefusesWhatIsNoSquare) {
    const Tensor x(ElementType::f32, {2, 3});
    expect_error<ModelError>([&] { einsum("ii->i", {x}, Shapes::known).read(); },
                             "the extents 2 and 3 on axes of the same letter");
    for (const Shape& shape : {Shape{2, 3}, Shape{3, 2}}) {
        const Tensor late(ElementType::f32, shape);
        expect_error<ModelError>([&] { einsum("ii->i", {late}, Shapes::open).run({late}); },
                                 "can't be reshaped");
    }
    ModelBuilder model(12);
    model.input("a", ElementType::f32, {2}).output("y").node("Einsum", {"a"}, {"y"});
    expect_error<ModelError>([&] { model.read(); }, "attribute 'equation' is missing");
}

}  // namespace
}  // namespace rondo::onnx::einsum_test
