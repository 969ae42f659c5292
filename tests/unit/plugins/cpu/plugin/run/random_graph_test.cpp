// Random graphs of elementwise ops, copies and views: a buffer or view in the wrong place shows as
// a wrong number.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/state/variables.hpp"
#include "tests/unit/plugins/stateful_graphs.hpp"

namespace rondo::test::random_graph_test {
namespace {

// Every tensor is [6, 6] again after each addition, so that any two fit together.
class RandomGraph {
public:
    explicit RandomGraph(Rng& rng) : rng_(rng) {
        for (int i = 0; i < 2; ++i) {
            parameters_.push_back(parameter("x" + std::to_string(i), {-1, 6}));
            values_.emplace_back(parameters_.back());
        }
        values_.emplace_back(constant(random_tensor(ElementType::f32, {6, 6}, rng_, -0.3, 0.3)));
    }

    std::shared_ptr<Graph> make(int nodes) {
        add_variables();
        for (int i = 0; i < nodes; ++i) values_.push_back(add());
        assign_variables();
        std::vector<Output> results;
        for (std::int64_t i = uniform_int(rng_, 1, 4); i > 0; --i) {
            results.push_back(any());
            results.push_back(part_of_a_part());
        }
        results.push_back(values_.back());
        const auto graph = graph_of(parameters_, results);
        return std::make_shared<Graph>("test", parameters_, graph->results(), sinks_);
    }

private:
    // Some start from an input, some from a constant, some from zeros.
    void add_variables() {
        variables_ = static_cast<int>(uniform_int(rng_, 0, 3));
        std::vector<Output> read;
        for (int i = 0; i < variables_; ++i) {
            std::vector<Output> init;
            if (const auto from = uniform_int(rng_, 0, 3); from < 3) {
                init.push_back(values_[static_cast<std::size_t>(from)]);
            }
            read.emplace_back(make_node<ops::ReadValue>(init, id_of(i), ElementType::f32,
                                                        PartialShape{Shape{6, 6}}));
        }
        values_.insert(values_.end(), read.begin(), read.end());
    }

    void assign_variables() {
        for (int i = 0; i < variables_; ++i) {
            // Through a node that uses the variable, so that it is read at all.
            const Output& read = values_[static_cast<std::size_t>(3 + i)];
            const Output next =
                uniform_int(rng_, 0, 1) == 0
                    ? bounded(make_node<ops::Binary>(ops::BinaryFunction::add, any(), read))
                    : swapped_rows(read);
            sinks_.push_back(make_node<ops::Assign>(next, id_of(i)));
        }
    }

    static std::string id_of(int variable) { return "v" + std::to_string(variable); }

    const Output& any() {
        const auto last = static_cast<std::int64_t>(values_.size()) - 1;
        // Mostly recent ones, so that chains get long.
        const bool far = uniform_int(rng_, 0, 2) == 0;
        const std::int64_t least = far ? 0 : std::max<std::int64_t>(0, last - 4);
        return values_[static_cast<std::size_t>(uniform_int(rng_, least, last))];
    }

    static Output ints(const std::vector<std::int64_t>& values) {
        return ops::make_i64(values, "ints");
    }
    static Output scalar(std::int64_t value) { return ops::make_i64_scalar(value, "scalar"); }
    // Keeps numbers, and so their errors, from growing.
    static Output bounded(const Output& x) {
        return make_node<ops::Unary>(ops::UnaryFunction::tanh, x);
    }
    static Output square(const Output& x) { return make_node<ops::Reshape>(x, ints({6, 6})); }

    Output add() {
        switch (uniform_int(rng_, 0, 8)) {
            case 0: return make_node<ops::Unary>(ops::UnaryFunction::tanh, any());
            case 1: return bounded(make_node<ops::Binary>(ops::BinaryFunction::add, any(), any()));
            case 2:
                return bounded(make_node<ops::Binary>(ops::BinaryFunction::subtract, any(), any()));
            case 3: return make_node<ops::Transpose>(any(), ints({1, 0}));
            case 4: return square(make_node<ops::Reshape>(any(), ints({4, 9})));
            case 5: return joined_halves();
            case 6: return repeated_row();
            case 7: return swapped_slices();
            default: return bounded(make_node<ops::MatMul>(any(), any()));
        }
    }

    // Views of both halves, the other way round.
    Output joined_halves() {
        const std::int64_t axis = uniform_int(rng_, 0, 1);
        const auto split = make_node<ops::Split>(any(), scalar(axis), 2);
        return make_node<ops::Concat>(std::vector<Output>{split->output(1), split->output(0)},
                                      axis);
    }

    Output repeated_row() {
        const auto row = make_node<ops::Gather>(any(), scalar(uniform_int(rng_, -6, 5)), scalar(0));
        return bounded(make_node<ops::Binary>(ops::BinaryFunction::add, any(), row));
    }

    Output swapped_slices() { return swapped_rows(any()); }

    Output swapped_rows(const Output& x) {
        const std::int64_t cut = uniform_int(rng_, 1, 5);
        const auto head = make_node<ops::Slice>(x, ints({0}), ints({cut}), ints({1}), ints({0}));
        const auto tail = make_node<ops::Slice>(x, ints({cut}), ints({99}), ints({1}), ints({0}));
        return make_node<ops::Concat>(std::vector<Output>{tail, head}, 0);
    }

    // A view inside a view, of a buffer that later nodes may want.
    Output part_of_a_part() {
        const auto rows = make_node<ops::Slice>(any(), ints({uniform_int(rng_, 0, 3)}), ints({99}),
                                                ints({1}), ints({0}));
        return make_node<ops::Gather>(rows, scalar(uniform_int(rng_, -3, 2)), scalar(0));
    }

    Rng& rng_;
    std::vector<NodePtr> parameters_;
    std::vector<Output> values_;
    std::vector<NodePtr> sinks_;
    int variables_ = 0;
};

TEST(RandomGraphs, CpuEqualsReference) {
    auto rng = test_rng();
    for (int round = 0; round < 150 && !::testing::Test::HasFailure(); ++round) {
        SCOPED_TRACE(round);
        const auto graph = RandomGraph(rng).make(static_cast<int>(uniform_int(rng, 1, 40)));
        int number = 0;
        for (const auto& node : graph->ordered_nodes()) {
            if (node->name().empty()) node->set_name("n" + std::to_string(number++));
        }
        const std::vector<Tensor> inputs{random_tensor(ElementType::f32, {6, 6}, rng),
                                         random_tensor(ElementType::f32, {6, 6}, rng)};
        auto reference = on_reference(*graph);
        auto device = on_cpu(*graph);
        for (int run = 0; run < 4; ++run) {  // later ones find used memory and other variables
            const auto expected = reference.run(inputs);
            const auto actual = device.run(inputs);
            for (std::size_t i = 0; i < actual.size(); ++i) {
                expect_near(actual[i], expected[i], 1e-3);
            }
            const auto values = values_of(device);
            const auto expected_values = values_of(reference);
            for (std::size_t i = 0; i < values.size(); ++i) {
                expect_near(values[i], expected_values[i], 1e-3);
            }
        }
    }
}

}  // namespace
}  // namespace rondo::test::random_graph_test
