#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/unit/transformations/batching/vmap/expect_lifted.hpp"

namespace rondo::test::body_rule_test {
namespace {

using Rows = std::vector<std::vector<Tensor>>;

Rows rows_for(bool condition) {
    Rows rows;
    for (const float first : {1.0F, 5.0F, 9.0F}) {
        const Tensor x = tensor_of<float>({1, 3}, {first, first + 1, first + 2});
        const Tensor y = tensor_of<float>({1, 3}, {first, -first, 2});
        rows.push_back({scalar_of<bool>(condition), x, y});
    }
    return rows;
}

TEST(LiftIf, TakesOneBranchForAllRows) {
    expect_lifted(choice("1,3", "1,3"), {}, rows_for(true));
    expect_lifted(choice("1,3", "1,3"), 3, rows_for(false));
}

// Input c; output x where c is true, else a constant.
std::shared_ptr<Graph> choice_of_constant() {
    GraphBuilder yes, no;
    yes.output("own", yes.input("yes_x", "..."));
    no.output("constant", no.constant(tensor_of<float>({2}, {4, 5})));
    GraphBuilder b;
    const std::vector<Output> inputs{b.input("c", "", ElementType::boolean), b.input("x", "[2]")};
    b.output("y", b.make<ops::If>("choice", inputs, std::vector<GraphPtr>{yes.graph(), no.graph()},
                                  std::vector<ops::BodyPorts>{{{{1, 0, {}, {}}}, {{0, 0, {}}}},
                                                              {{}, {{0, 0, {}}}}}));
    return b.graph();
}

TEST(LiftIf, RepeatsWhatOneBranchGivesForAll) {
    for (const bool condition : {true, false}) {
        Rows rows;
        for (const float first : {1.0F, 5.0F, 9.0F}) {
            rows.push_back({scalar_of<bool>(condition), tensor_of<float>({2}, {first, 0})});
        }
        expect_lifted(choice_of_constant(), {}, rows);
        expect_lifted(choice_of_constant(), 3, rows);
    }
}

TEST(LiftLoops, WalkAlongAnAxisOfAllRows) {
    for (const bool reversed : {false, true}) {
        expect_lifted(running_sum(reversed, "2,3,2", "2,2"));
        expect_lifted(running_sum(reversed, "2,?,2", "2,2"));
    }
}

TEST(LiftLoops, RunAsOftenForAllRows) {
    Rows rows;
    for (const float first : {1.0F, 5.0F, 9.0F}) {
        rows.push_back({scalar_of<std::int64_t>(4), scalar_of<bool>(true),
                        tensor_of<float>({3}, {first, first + 1, 2}), scalar_of<std::int64_t>(9)});
    }
    expect_lifted(count_loop(), {}, rows);
    expect_lifted(count_loop(), 3, rows);
}

TEST(LiftIf, RefusesAConditionOfEachRow) {
    GraphBuilder yes, no;
    yes.output("y0", yes.input("yes_x", "..."));
    no.output("y1", no.constant(tensor_of<float>({2}, {4, 5})));
    GraphBuilder b;
    const Output c = b.input("c", "[2]", ElementType::boolean);
    const Output x = b.input("x", "[2]");
    const Output flag =
        b.squeeze(b.make<ops::Slice>("first", c, b.ints({0}), b.ints({1}), b.ints({1})), {0});
    b.output("y", b.make<ops::If>("choice", std::vector<Output>{flag, x},
                                  std::vector<GraphPtr>{yes.graph(), no.graph()},
                                  std::vector<ops::BodyPorts>{{{{1, 0, {}, {}}}, {{0, 0, {}}}},
                                                              {{}, {{0, 0, {}}}}}));
    expect_not_lifted(b.graph(), "node 'choice' (If): its condition differs between the rows");
}

}  // namespace
}  // namespace rondo::test::body_rule_test
