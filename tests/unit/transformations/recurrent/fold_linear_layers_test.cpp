#include "transformations/recurrent/passes.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"
#include "transformations/simplify/passes.hpp"

namespace rondo::passes::fold_linear_layers_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::BinaryFunction;

constexpr double kTolerance = 1e-5;

Output numbers(GraphBuilder& b, Shape shape, double low = -1, double high = 1) {
    Rng rng(11);
    return b.constant(random_tensor(ElementType::f32, shape, rng, low, high));
}

Output binary(GraphBuilder& b, BinaryFunction function, const Output& x, const Output& y) {
    return b.make<ops::Binary>("", function, x, y);
}

Output product(GraphBuilder& b, const Output& x, std::size_t in, std::size_t out,
               bool transposed = false) {
    const auto node =
        std::make_shared<ops::MatMul>(x, numbers(b, transposed ? Shape{out, in} : Shape{in, out}));
    node->set_transpose_b(transposed);
    node->set_name("product");
    node->validate();
    return node;
}

// What is between x [T,N,3] and a layer of 6 features; the layer transposes to [N,T,6].
using Linear = std::function<Output(GraphBuilder&, const Output& x)>;

struct Form {
    std::string x = "[?,?,3]";
    ops::Direction direction = ops::Direction::forward;
    bool linear_before_reset = false;
    bool reads_linear = false;
};

std::shared_ptr<Graph> layer_behind(const Linear& linear, const Form& form = {}) {
    GraphBuilder b;
    const Output x = linear(b, b.input("x", form.x));
    const auto gru = make_gru(b, "gru", x, 6, 4, form.direction);
    if (form.linear_before_reset) {
        auto attributes = gru->attributes();
        attributes.linear_before_reset = true;
        gru->set_attributes(attributes);
        const std::size_t directions = gru->num_directions();
        gru->set_input(gru->b_port(), numbers(b, {directions, 16}));
        gru->validate();
    }
    b.output("all", gru->output(0));
    b.output("last", gru->output(1));
    if (form.reads_linear) b.output("linear", b.transpose(x, {2, 1, 0}));
    const auto graph = b.graph();
    simplify_extents(*graph);  // which are read from the layer's input
    graph->validate();
    return graph;
}

void expect_folded(const Linear& linear, const Form& form = {}) {
    const auto graph = layer_behind(linear, form);
    const auto inputs = random_inputs(*graph);
    const auto expected = evaluate_graph(*graph, inputs);
    EXPECT_TRUE(fold_linear_layers(*graph));
    graph->validate();
    const auto actual = evaluate_graph(*graph, inputs);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        expect_near(actual[i], expected[i], kTolerance);
    }
    for (const char* type : {"MatMul", "Add", "Multiply", "Subtract", "Divide"}) {
        EXPECT_EQ(count_nodes(*graph, type), 0u) << type;
    }
    expect_unchanged(*graph, fold_linear_layers);
}

Output plain(GraphBuilder& b, const Output& x) { return product(b, x, 3, 6); }

//  x -> MatMul -> Add -> Transpose -> GRUSequence
TEST(FoldLinearLayers, TakesProductAndBiasIntoTheWeights) {
    expect_folded(plain);
    expect_folded([](GraphBuilder& b, const Output& x) {
        return binary(b, BinaryFunction::add, product(b, x, 3, 6, true), numbers(b, {6}));
    });
    expect_folded([](GraphBuilder& b, const Output& x) {
        return binary(b, BinaryFunction::add, numbers(b, {1, 1, 6}), plain(b, x));
    });
    expect_folded([](GraphBuilder& b, const Output& x) {
        return product(b, binary(b, BinaryFunction::add, product(b, x, 3, 5), numbers(b, {5})), 5,
                       6);
    });
}

TEST(FoldLinearLayers, FoldsIntoEachFormOfALayer) {
    for (const bool linear_before_reset : {false, true}) {
        Form form;
        form.linear_before_reset = linear_before_reset;
        form.direction = ops::Direction::bidirectional;
        expect_folded(
            [](GraphBuilder& b, const Output& x) {
                return binary(b, BinaryFunction::add, plain(b, x), numbers(b, {6}));
            },
            form);
        form.direction = ops::Direction::reverse;
        form.x = "[5,2,3]";
        expect_folded(plain, form);
    }
}

//  x [T,6,N] -> Multiply [6,1], Add [6,1] -> Transpose -> [T,N,6]
TEST(FoldLinearLayers, TakesFactorsOfFeatures) {
    Form form;
    form.x = "[?,6,?]";
    expect_folded(
        [](GraphBuilder& b, const Output& x) {
            const Output scaled =
                binary(b, BinaryFunction::multiply, x, numbers(b, {6, 1}, 0.5, 2));
            return b.transpose(binary(b, BinaryFunction::add, scaled, numbers(b, {6, 1})),
                               {0, 2, 1});
        },
        form);
    form.x = "[?,?,6]";
    expect_folded(
        [](GraphBuilder& b, const Output& x) {
            const Output moved = binary(b, BinaryFunction::subtract, x, numbers(b, {6}));
            return binary(b, BinaryFunction::divide, moved, b.constant(scalar_of<float>(3)));
        },
        form);
}

TEST(FoldLinearLayers, LeavesWhatWouldCostMoreOrIsReadElsewhere) {
    Form wide;
    wide.x = "[?,?,7]";
    expect_unchanged(
        *layer_behind([](GraphBuilder& b, const Output& x) { return product(b, x, 7, 6); }, wide),
        fold_linear_layers);
    Form read;
    read.reads_linear = true;
    expect_unchanged(*layer_behind(plain, read), fold_linear_layers);
}

TEST(FoldLinearLayers, LeavesWhatIsNotLinear) {
    const std::vector<Linear> forms{
        [](GraphBuilder& b, const Output& x) {
            return b.make<ops::Unary>("", ops::UnaryFunction::relu, plain(b, x));
        },
        [](GraphBuilder& b, const Output& x) {
            return binary(b, BinaryFunction::power, plain(b, x), b.constant(scalar_of<float>(2)));
        },
        [](GraphBuilder& b, const Output& x) {
            return binary(b, BinaryFunction::add, plain(b, x), b.input("other", "[6]"));
        },
        [](GraphBuilder& b, const Output& x) {
            return binary(b, BinaryFunction::divide, numbers(b, {6}, 1, 2), plain(b, x));
        },
    };
    for (const Linear& form : forms) {
        const auto graph = layer_behind(form);
        expect_unchanged(*graph, fold_linear_layers);
    }
    Form rows;
    rows.x = "[2,5,6]";  // a factor for each row
    expect_unchanged(*layer_behind(
                         [](GraphBuilder& b, const Output& x) {
                             return binary(b, BinaryFunction::multiply, x, numbers(b, {5, 1}));
                         },
                         rows),
                     fold_linear_layers);
}

TEST(FoldLinearLayers, LeavesWeightsThatOverflow) {
    const auto graph = layer_behind([](GraphBuilder& b, const Output& x) {
        const Output large = b.constant(scalar_of<float>(3e38F));
        const Output small = b.constant(scalar_of<float>(1e-30F));
        const Output scaled = binary(b, BinaryFunction::divide, plain(b, x), small);
        return binary(b, BinaryFunction::multiply, scaled, large);
    });
    expect_unchanged(*graph, fold_linear_layers);
}

Linear moved_by(float offset, float factor) {
    return [=](GraphBuilder& b, const Output& x) {
        const Output moved =
            binary(b, BinaryFunction::subtract, x, b.constant(scalar_of<float>(offset)));
        return binary(b, BinaryFunction::multiply, moved, b.constant(scalar_of<float>(factor)));
    };
}

// x - offset is exact where x is near it; W x - W offset isn't.
TEST(FoldLinearLayers, LeavesOffsetsWhoseRoundingWouldShow) {
    Form form;
    form.x = "[?,?,6]";
    EXPECT_TRUE(fold_linear_layers(*layer_behind(moved_by(10, 1), form)));
    expect_unchanged(*layer_behind(moved_by(1e6F, 1), form), fold_linear_layers);
    EXPECT_TRUE(fold_linear_layers(*layer_behind(moved_by(1e6F, 1e-5F), form)));
}

TEST(FoldLinearLayers, LeavesWeightsThatUnderflow) {
    Form form;
    form.x = "[?,?,6]";
    expect_unchanged(*layer_behind(moved_by(0, 1e-38F), form), fold_linear_layers);
}

}  // namespace
}  // namespace rondo::passes::fold_linear_layers_test
