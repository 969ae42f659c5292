// Tests how StepReader reads gates that are elements of an axis of their own.
#include "transformations/recurrent/recognition/step_reader.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::element_reader_test {
namespace {

using namespace test;  // NOLINT: tests only

//  x [N,3] is read as input 0. Four gates of two units.
class ElementReaderTest : public testing::Test {
protected:
    static constexpr std::size_t kInput = 3;

    void begin(const std::string& rows) { x_ = b_.input("x", "[" + rows + ",3]"); }

    Output weights(const Shape& shape) {
        std::vector<float> numbers(element_count(shape));
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
        matrices_.push_back(tensor_of<float>(shape, numbers));
        return b_.constant(matrices_.back());
    }

    Output product(const Output& left, const Shape& shape) {
        return b_.make<ops::MatMul>("", left, weights(shape));
    }

    // The algebra knows a matrix by its address.
    Output multiplied(const Tensor& matrix) {
        matrices_.push_back(matrix);
        return b_.make<ops::MatMul>("", x_, b_.constant(matrix));
    }

    Output transposed(const Output& value, const std::vector<std::int64_t>& order) {
        return b_.make<ops::Transpose>("", value, b_.ints(order));
    }

    Output element(const Output& value, std::int64_t axis, std::int64_t index) {
        return b_.make<ops::Gather>("", value, b_.constant(scalar_of(index)), b_.ints({axis}));
    }

    std::optional<GateFormula> formula(const Output& value) {
        StepReader reader(algebra_, [&](const Output& leaf) {
            return leaf == x_ ? std::optional(algebra_.input(0, kInput)) : std::nullopt;
        });
        return reader.read(value);
    }

    // Times columns of the matrix [3][8].
    std::optional<GateFormula> columns(const std::vector<std::size_t>& units) {
        std::vector<float> rows;
        for (std::size_t i = 0; i < kInput; ++i) {
            for (const std::size_t unit : units) rows.push_back(static_cast<float>(8 * i + unit));
        }
        return formula(multiplied(tensor_of<float>({kInput, units.size()}, rows)));
    }

    GraphBuilder b_;
    Output x_;
    GateAlgebra algebra_;
    std::vector<Tensor> matrices_;
};

TEST_F(ElementReaderTest, GatesLieInAnyOrder) {
    begin("?");
    const Output flat = product(x_, {3, 8});
    const Output rows = b_.reshape(flat, {-1, 4, 2}),
                 columns_of_gates = b_.reshape(flat, {-1, 2, 4});
    EXPECT_EQ(formula(element(rows, 1, 2)), columns({4, 5}));
    EXPECT_EQ(formula(element(columns_of_gates, 2, 2)), columns({2, 6}));
    EXPECT_EQ(formula(element(transposed(rows, {1, 0, 2}), 0, -1)), columns({6, 7}));
    EXPECT_EQ(formula(element(transposed(columns_of_gates, {2, 0, 1}), 0, 1)), columns({1, 5}));
    EXPECT_EQ(formula(element(transposed(rows, {0, 2, 1}), 2, 1)), columns({2, 3}));
}

TEST_F(ElementReaderTest, EachGateMayHaveItsMatrix) {
    begin("?");
    const auto gate = formula(element(product(x_, {4, 3, 2}), 0, 1));
    EXPECT_EQ(gate, formula(multiplied(tensor_of<float>({3, 2}, {6, 7, 8, 9, 10, 11}))));
}

// As many rows as gates, each times a matrix of its own.
TEST_F(ElementReaderTest, LeavesRowsThatDiffer) {
    begin("4,1");
    EXPECT_FALSE(formula(element(product(x_, {4, 3, 2}), 0, 1)));
}

TEST_F(ElementReaderTest, LeavesOneRow) {
    begin("4");
    EXPECT_FALSE(formula(element(product(x_, {3, 8}), 0, 1)));
    EXPECT_FALSE(formula(element(b_.reshape(product(x_, {3, 8}), {4, 4, 2}), 0, 1)));
}

// The units and the rows change places.
TEST_F(ElementReaderTest, LeavesRowsThatBecomeUnits) {
    begin("2");
    const Output rows = b_.reshape(product(x_, {3, 8}), {2, 4, 2});
    EXPECT_FALSE(formula(element(transposed(rows, {1, 2, 0}), 0, 1)));
}

}  // namespace
}  // namespace rondo::passes::element_reader_test
