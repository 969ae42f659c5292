#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::reverse_sequence_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string shape_after(std::string_view data, std::string_view lengths, std::int64_t batch,
                        std::int64_t sequence) {
    return inferred(
        *named<ops::ReverseSequence>(parameter(data), unknown_ints(lengths), batch, sequence));
}

Tensor reversed(const Tensor& data, const Tensor& lengths, std::int64_t batch,
                std::int64_t sequence) {
    ops::ReverseSequence op;
    op.set_name("n");
    read_attributes(
        op, {{"batch_axis", std::to_string(batch)}, {"seq_axis", std::to_string(sequence)}});
    return evaluate_one(op, {data, lengths});
}

TEST(ReverseSequence, ReadsAndWritesItsAttributes) {
    ops::ReverseSequence op;
    EXPECT_EQ(attributes_of(op), (Texts{{"batch_axis", "0"}, {"seq_axis", "1"}}));
    read_attributes(op, {{"batch_axis", "2"}, {"seq_axis", "-1"}});
    EXPECT_EQ(attributes_of(op), (Texts{{"batch_axis", "2"}, {"seq_axis", "-1"}}));
}

TEST(ReverseSequence, KeepsTheShape) {
    EXPECT_EQ(shape_after("2,3,4", "2", 0, 1), "f32[2,3,4]");
    EXPECT_EQ(shape_after("?,3,1..4", "?", -1, 0), "f32[?,3,1..4]");
    EXPECT_EQ(shape_after("?,3", "2", 0, 1), "f32[2,3]");
    EXPECT_EQ(shape_after("...", "2", 0, 1), "f32[...]");
    EXPECT_EQ(shape_after("2,3", "...", 0, 1), "f32[2,3]");
}

TEST(ReverseSequence, RefusesWrongInputs) {
    const auto refused = [](std::string_view data, std::string_view lengths, std::int64_t batch,
                            std::int64_t sequence, std::string_view message) {
        expect_error<ModelError>([&] { shape_after(data, lengths, batch, sequence); }, message);
    };
    refused("2,3", "2", 0, 2, "node 'n' (ReverseSequence): axis 2 is out of range for rank 2");
    refused("2,3", "2", kLowest, 1, "is out of range for rank 2");
    refused("2,3", "3", 1, -1, "batch_axis and seq_axis are both axis 1; expected two axes");
    refused("2,3", "3", 0, 1, "is 2 in one place and 3 in another");
    refused("2,3", "2,1", 0, 1, "lengths has shape [2,1]; expected rank 1");
    expect_error<ModelError>(
        [] { named<ops::ReverseSequence>(parameter("2,3"), parameter("2"), 0, 1); },
        "lengths have type f32; expected integers");
}

TEST(ReverseSequence, TurnsTheFirstElementsRound) {
    const auto data = counting({2, 4});
    expect_same(reversed(data, int_vector({3, 4}), 0, 1), floats({2, 4}, {2, 1, 0, 3, 7, 6, 5, 4}));
    expect_same(reversed(data, int_vector({0, 1}), 0, 1), data);
    const auto lengths = tensor_of<std::uint8_t>({4}, {0, 1, 2, 2});
    expect_same(reversed(data, lengths, 1, 0), floats({2, 4}, {0, 1, 6, 7, 4, 5, 2, 3}));
    expect_same(reversed(counting({2, 1, 2, 2}), int_vector({2, 1}), -2, 0),
                floats({2, 1, 2, 2}, {4, 5, 2, 3, 0, 1, 6, 7}));
    EXPECT_EQ(reversed(counting({0, 3}), int_vector({}), 0, 1).shape(), (Shape{0, 3}));
    expect_moves_every_type(ops::ReverseSequence(), data, {int_vector({2, 3})});
}

TEST(ReverseSequence, RefusesLengthsOutOfRange) {
    for (const std::int64_t length : {kLowest, std::int64_t{-1}, std::int64_t{5}, kHighest}) {
        expect_error<ModelError>(
            [&] {
                reversed(counting({2, 4}), int_vector({1, length}), 0, 1);
            },
            "node 'n' (ReverseSequence): the length of row 1 is " + std::to_string(length) +
                "; expected 0 to 4");
    }
}

}  // namespace
}  // namespace rondo::reverse_sequence_test
