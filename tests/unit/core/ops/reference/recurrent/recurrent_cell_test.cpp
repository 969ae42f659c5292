#include "core/ops/reference/recurrent/recurrent_cell.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rondo::reference::recurrent_cell_test {
namespace {

using Kind = ops::ActivationKind;

// Identities instead of squashing functions: every number can be worked out by hand.
constexpr ops::ActivationFunction kIdentity{Kind::affine, 1.0f, 0.0f};

// One unit and one input; W is 0 unless given, so that gates are their biases.
struct Hand {
    RecurrentCell cell;
    std::vector<double> w, r, b, p;
    double x = 1, h = 0, c = 0;

    Hand(ops::CellType type, std::vector<double> biases) : b(std::move(biases)) {
        cell.type = type;
        cell.input_size = cell.hidden_size = 1;
        cell.functions.assign(3, kIdentity);
        w.assign(4, 0);
        r.assign(4, 0);
    }

    void run() {
        cell.w = w.data();
        cell.r = r.data();
        cell.b = b.data();
        cell.p = p.empty() ? nullptr : p.data();
        step(cell, &x, &h, &c);
    }
};

TEST(RecurrentCell, LstmGatesAreFico) {
    Hand hand(ops::CellType::lstm, {2, 3, 5, 7});
    hand.c = 10;
    hand.run();
    EXPECT_EQ(hand.c, 2 * 10 + 3 * 5);
    EXPECT_EQ(hand.h, 7 * 35);
}

TEST(RecurrentCell, LstmReadsInputAndHiddenState) {
    Hand hand(ops::CellType::lstm, {0, 1, 0, 1});
    hand.w = {0, 0, 3, 0};
    hand.r = {0, 0, 4, 0};
    hand.x = 5;
    hand.h = 6;
    hand.run();
    EXPECT_EQ(hand.c, 3 * 5 + 4 * 6);
    EXPECT_EQ(hand.h, hand.c);
}

// The order is fio; the output gate sees the new cell state.
TEST(RecurrentCell, LstmPeepholes) {
    Hand hand(ops::CellType::lstm, {0, 0, 0.5, 0});
    hand.p = {1, 2, 3};
    hand.c = 2;
    hand.run();
    EXPECT_EQ(hand.c, (1 * 2) * 2 + (2 * 2) * 0.5);
    EXPECT_EQ(hand.h, (3 * 6) * 6);
}

TEST(RecurrentCell, LstmInputForget) {
    Hand hand(ops::CellType::lstm, {100, 0.25, 2, 1});
    hand.cell.input_forget = true;
    hand.c = 4;
    hand.run();
    EXPECT_EQ(hand.c, 0.75 * 4 + 0.25 * 2);
    EXPECT_EQ(hand.h, 3.5);
}

TEST(RecurrentCell, ClipBoundsGatesAndNotTheCellState) {
    Hand hand(ops::CellType::lstm, {5, -5, 5, 5});
    hand.cell.clip = 1;
    hand.c = 10;
    hand.run();
    EXPECT_EQ(hand.c, 1 * 10 - 1 * 1);
    EXPECT_EQ(hand.h, 1 * 9);
}

TEST(RecurrentCell, ClipCountsThePeephole) {
    Hand hand(ops::CellType::lstm, {0.5, 0, 0, 1});
    hand.p = {3, 0, 0};
    hand.cell.clip = 2;
    hand.c = 10;
    hand.run();
    EXPECT_EQ(hand.c, 2 * 10);  // not 2 + 0.5 or 30.5
}

TEST(RecurrentCell, ClipLetsNanPass) {
    Hand hand(ops::CellType::rnn, {0});
    hand.cell.clip = 1;
    hand.b[0] = std::nan("");
    hand.run();
    EXPECT_TRUE(std::isnan(hand.h));
}

TEST(RecurrentCell, FunctionsGoToTheirGates) {
    Hand hand(ops::CellType::lstm, {1, 1, 1, 1});
    hand.cell.functions = {
        {Kind::affine, 2.0f, 0.0f}, {Kind::affine, 3.0f, 0.0f}, {Kind::affine, 5.0f, 0.0f}};
    hand.c = 1;
    hand.run();
    EXPECT_EQ(hand.c, 2 * 1 + 2 * 3);
    EXPECT_EQ(hand.h, 2 * (5 * 8));
}

// Gates are zrh.
TEST(RecurrentCell, GruResetsBeforeTheProduct) {
    Hand hand(ops::CellType::gru, {0.25, 0.5, 0.125});
    hand.w = {0, 0, 3};
    hand.r = {0, 0, 2};
    hand.h = 2;
    hand.run();
    EXPECT_EQ(hand.h, 0.75 * (3 + 2 * (0.5 * 2) + 0.125) + 0.25 * 2);
}

TEST(RecurrentCell, GruResetsAfterTheProduct) {
    Hand hand(ops::CellType::gru, {0.25, 0.5, 0.125, 0.375});
    hand.cell.linear_before_reset = true;
    hand.w = {0, 0, 3};
    hand.r = {0, 0, 2};
    hand.h = 2;
    hand.run();
    EXPECT_EQ(hand.h, 0.75 * (3 + 0.125 + 0.5 * (2 * 2 + 0.375)) + 0.25 * 2);
}

TEST(RecurrentCell, GruClipsEveryGate) {
    Hand hand(ops::CellType::gru, {9, 9, 9});
    hand.cell.clip = 0.5;
    hand.h = 3;
    hand.run();
    EXPECT_EQ(hand.h, 0.5 * 0.5 + 0.5 * 3);
}

TEST(RecurrentCell, RnnIsOneGate) {
    Hand hand(ops::CellType::rnn, {7});
    hand.w = {2};
    hand.r = {3};
    hand.x = 5;
    hand.h = -4;
    hand.run();
    EXPECT_EQ(hand.h, 2 * 5 - 3 * 4 + 7);
    hand.cell.clip = 4;
    hand.run();
    EXPECT_EQ(hand.h, 4);
}

}  // namespace
}  // namespace rondo::reference::recurrent_cell_test
