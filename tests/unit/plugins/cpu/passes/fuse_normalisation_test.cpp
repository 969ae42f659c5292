#include "plugins/cpu/passes/passes.hpp"

#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::test::fuse_normalisation_test {
namespace {

using ops::BinaryFunction;

// How a normalisation is written.
struct Spelling {
    std::string shape = "[2,?,8]";
    std::vector<std::int64_t> axes{-1};
    std::vector<std::int64_t> variance_axes{-1};
    ElementType type = ElementType::f32;
    double eps = 0.001953125;      // a float and a half have it exactly
    const char* square = "power";  // or "product", "difference"
    bool root_by_power = false;
    bool eps_first = false;
    bool eps_outside = false;
    const char* last = "divide";  // "power" of -1 or "reciprocal" and a product, "swapped"
    bool keep_dims = true;
    bool other_data = false;  // the variance is that of another tensor
    Shape eps_shape = {};
    Shape one_shape = {};  // of a reciprocal
};

class Writer {
public:
    explicit Writer(Spelling spelling) : is_(std::move(spelling)) {}

    std::shared_ptr<Graph> make() {
        x_ = builder_.input("x", is_.shape, is_.type);
        mean_ = mean_of(x_, is_.axes, "mean");
        const Output centred = difference(x_);
        const Output root = deviation();
        builder_.output("y", last(centred, root));
        return builder_.graph();
    }

private:
    Output binary(BinaryFunction function, const Output& a, const Output& b) {
        return builder_.make<ops::Binary>("", function, a, b);
    }
    Output number(double value, const Shape& shape = {}) {
        return builder_.constant(converted(tensor_of<double>(shape, {value}), is_.type));
    }
    Output difference(const Output& x) { return binary(BinaryFunction::subtract, x, mean_); }

    Output mean_of(const Output& x, const std::vector<std::int64_t>& axes, const char* name) {
        return builder_.make<ops::Reduce>(name, ops::ReduceFunction::mean, x, builder_.ints(axes),
                                          is_.keep_dims);
    }

    Output squares() {
        const std::string_view kind = is_.square;
        const Output x = is_.other_data ? builder_.input("z", is_.shape, is_.type) : x_;
        if (kind == "difference") return binary(BinaryFunction::squared_difference, mean_, x);
        const Output once = difference(x);
        if (kind == "power") return binary(BinaryFunction::power, once, number(2));
        return binary(BinaryFunction::multiply, once, once);
    }

    Output root_of(const Output& x) {
        if (is_.root_by_power) return binary(BinaryFunction::power, x, number(0.5));
        return builder_.make<ops::Unary>("", ops::UnaryFunction::sqrt, x);
    }

    Output with_eps(const Output& x) {
        const Output eps = number(is_.eps, is_.eps_shape);
        return is_.eps_first ? binary(BinaryFunction::add, eps, x)
                             : binary(BinaryFunction::add, x, eps);
    }

    Output deviation() {
        const Output variance = mean_of(squares(), is_.variance_axes, "variance");
        return is_.eps_outside ? with_eps(root_of(variance)) : root_of(with_eps(variance));
    }

    Output last(const Output& centred, const Output& root) {
        const std::string_view kind = is_.last;
        if (kind == "divide") return binary(BinaryFunction::divide, centred, root);
        if (kind == "swapped") return binary(BinaryFunction::divide, root, centred);
        const Output reciprocal =
            kind == "power" ? binary(BinaryFunction::power, root, number(-1))
                            : binary(BinaryFunction::divide, number(1, is_.one_shape), root);
        return kind == "power" ? binary(BinaryFunction::multiply, reciprocal, centred)
                               : binary(BinaryFunction::multiply, centred, reciprocal);
    }

    Spelling is_;
    GraphBuilder builder_;
    Output x_, mean_;
};

double tolerance(ElementType type) { return type == ElementType::f64 ? 1e-13 : 2e-6; }

void expect_fused(const Spelling& spelling, const ops::MvnAttributes& wanted) {
    const auto graph = Writer(spelling).make();
    const auto inputs = random_inputs(*graph);
    const Tensor before = evaluate_graph(*graph, inputs)[0];
    EXPECT_TRUE(cpu::fuse_normalisation(*graph));
    graph->validate();
    check_graph(*graph);
    expect_unchanged(*graph, cpu::fuse_normalisation);
    const auto fused = as<ops::Mvn>(graph->results()[0]->input(0));
    ASSERT_NE(fused, nullptr);
    EXPECT_EQ(fused->attributes().eps, wanted.eps);
    EXPECT_TRUE(fused->attributes().normalize_variance);
    EXPECT_EQ(fused->attributes().eps_mode, wanted.eps_mode);
    EXPECT_EQ(fused->output(0).names(), std::set<std::string>{"y"});
    const double allowed = tolerance(spelling.type);
    expect_near(evaluate_graph(*graph, inputs)[0], before, allowed, allowed);
}

constexpr ops::MvnAttributes kInside{0.001953125F, true, ops::EpsMode::inside_sqrt};
constexpr ops::MvnAttributes kOutside{0.001953125F, true, ops::EpsMode::outside_sqrt};

// x - ReduceMean(x) over Sqrt(ReduceMean((x - mean)^2) + eps)  =>  MVN
TEST(FuseNormalisation, ReadsEverySpelling) {
    for (const char* square : {"power", "product", "difference"}) {
        for (const char* last : {"divide", "power", "reciprocal"}) {
            for (int bits = 0; bits < 8; ++bits) {
                Spelling spelling;
                spelling.square = square;
                spelling.last = last;
                spelling.root_by_power = (bits & 1) != 0;
                spelling.eps_first = (bits & 2) != 0;
                spelling.eps_outside = (bits & 4) != 0;
                SCOPED_TRACE(std::string(square) + " " + last + " " + std::to_string(bits));
                expect_fused(spelling, spelling.eps_outside ? kOutside : kInside);
            }
        }
    }
}

TEST(FuseNormalisation, AnyLastAxesAndBothTypes) {
    for (const ElementType type : {ElementType::f32, ElementType::f64}) {
        expect_fused({.axes = {2, 1}, .variance_axes = {-2, -1}, .type = type}, kInside);
        expect_fused({.axes = {0, 1, 2}, .variance_axes = {2, 0, 1}, .type = type}, kInside);
    }
}

TEST(FuseNormalisation, OthersStay) {
    std::vector<Spelling> others(8);
    others[0].axes = others[0].variance_axes = {0};       // not the last axes
    others[1].variance_axes = {1, 2};                     // another mean
    others[2].last = "swapped";                           // its reciprocal
    others[3].other_data = true;                          // variance of other data
    others[4].eps = -0.25;                                // MVN has none below 0
    others[5].type = ElementType::f16;                    // rounded at each step
    others[6] = {.type = ElementType::f64, .eps = 1e-5};  // MVN's eps is a float
    others[7] = {.shape = "[8]", .axes = {0}, .variance_axes = {0}, .keep_dims = false};
    for (std::size_t i = 0; i < others.size(); ++i) {
        SCOPED_TRACE(i);
        const auto graph = Writer(others[i]).make();
        expect_unchanged(*graph, cpu::fuse_normalisation);
    }
}

// The result has an axis that x doesn't have.
TEST(FuseNormalisation, AReciprocalOfMoreAxesStays) {
    const Spelling spelling{.shape = "[?,8]", .last = "reciprocal", .one_shape = {1, 1, 1}};
    expect_unchanged(*Writer(spelling).make(), cpu::fuse_normalisation);
}

// MVN would be [1,8] here: eps has more axes than the data.
TEST(FuseNormalisation, EpsThatBroadcastsStays) {
    const Spelling spelling{.shape = "[8]", .axes = {0}, .variance_axes = {0}, .eps_shape = {1, 1}};
    expect_unchanged(*Writer(spelling).make(), cpu::fuse_normalisation);
}

}  // namespace
}  // namespace rondo::test::fuse_normalisation_test
