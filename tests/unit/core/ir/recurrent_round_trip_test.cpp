// Every recurrent op with everything that it can say, written as IR and read again.
#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tests/unit/core/ops/recurrent/recurrent_nodes.hpp"

namespace rondo::recurrent_round_trip_test {
namespace {

using ops::CellType;
using ops::Direction;
using ops::RecurrentAttributes;
using test::random_tensor;

constexpr std::size_t kN = 2, kT = 3, kI = 3;

struct RoundTripCase {
    RecurrentAttributes attributes;
    bool peepholes = false;
    bool open = false;          // extents of X and the states
    bool weights_vary = false;  // Parameters instead of constants
    ElementType type = ElementType::f32;
    bool hidden_absent = false;  // rondo1: H follows the weights, whose shapes are open
};

struct Made {
    std::shared_ptr<Graph> graph;
    std::vector<Tensor> inputs;
};

template <typename T>
Made make(const RoundTripCase& test) {
    auto rng = test::test_rng();
    auto attributes = test.attributes;
    const auto shapes =
        test::input_shapes(*test::recurrent_node<T>(attributes), kN, kT, kI, test.peepholes);
    if (test.hidden_absent) attributes.hidden_size = 0;
    const auto op = test::recurrent_node<T>(attributes);
    std::vector<Output> inputs;
    Made made;
    std::vector<NodePtr> parameters, results;
    for (std::size_t port = 0; port < shapes.size(); ++port) {
        const bool lengths = port == op->lengths_port();
        const Tensor value = lengths ? test::tensor_of<std::int32_t>({kN}, {3, 2})
                                     : random_tensor(test.type, shapes[port], rng);
        const std::string name = "in" + std::to_string(port);
        if (port >= op->w_port() && !test.weights_vary) {
            const auto constant = make_node<ops::Constant>(value);
            constant->set_name(name);
            inputs.emplace_back(constant);
            continue;
        }
        PartialShape shape = shapes[port];
        if (test.open && port < op->w_port()) shape[0] = Dimension();
        if (test.hidden_absent) shape = PartialShape();
        const auto parameter = make_node<ops::Parameter>(value.element_type(), shape);
        parameter->set_name(name);
        parameters.push_back(parameter);
        made.inputs.push_back(value);
        inputs.emplace_back(parameter);
    }
    op->set_inputs(std::move(inputs));
    op->validate();
    for (std::size_t k = 0; k < op->output_count(); ++k) {
        results.push_back(make_node<ops::Result>(op->output(k)));
        results.back()->set_name("out" + std::to_string(k));
    }
    made.graph = std::make_shared<Graph>("test", std::move(parameters), std::move(results));
    return made;
}

// rondo1 if and only if OpenVINO's op doesn't say it; the same graph, weights and numbers after.
template <typename T>
void expect_round_trip(const RoundTripCase& test, bool standard) {
    const Made made = make<T>(test);
    const test::TemporaryFolder folder;
    ir::write(*made.graph, folder / "m.xml");
    const auto again = test::read_file(folder / "m.xml");
    check_graph(*again);
    const std::string text = to_text(*made.graph);
    EXPECT_EQ(to_text(*again), text);
    EXPECT_EQ(text.find("-rondo1(") == std::string::npos, standard) << text;
    const auto expected = test::evaluate_graph(*made.graph, made.inputs);
    const auto actual = test::evaluate_graph(*again, made.inputs);
    for (std::size_t k = 0; k < expected.size(); ++k) test::expect_same(actual[k], expected[k]);
}

struct Functions {
    std::vector<std::string> names;
    std::vector<float> alpha, beta;
    bool standard;
};

// One set: the default, another standard one, those that take parameters, all given or some.
std::vector<Functions> one_set(std::size_t size) {
    const auto cut = [&](std::vector<std::string> names) {
        names.resize(size);
        return names;
    };
    std::vector<Functions> sets = {{{}, {}, {}, true},
                                   {cut({"relu", "sigmoid", "relu"}), {}, {}, true},
                                   {cut({"elu", "softplus", "softsign"}), {}, {}, false},
                                   {cut({"leakyrelu", "tanh", "relu"}), {0.3f}, {}, false},
                                   {cut({"scaledtanh", "tanh", "relu"}), {0.1f}, {1e-7f}, false},
                                   {cut({"hardsigmoid", "tanh", "relu"}), {}, {0.7f}, false},
                                   {cut({"affine", "tanh", "relu"}), {}, {}, false},
                                   {cut({"thresholdedrelu", "tanh", "relu"}), {0.2f}, {}, false}};
    return sets;
}

// A set for each direction: equal ones are written as one.
std::vector<Functions> two_sets(std::size_t size) {
    auto sets = one_set(size);
    for (const auto& first : one_set(size)) {
        if (first.names.empty()) continue;
        Functions both = first;
        both.names.insert(both.names.end(), size, "tanh");
        both.standard = false;
        sets.push_back(both);
    }
    return sets;
}

template <typename T>
void walk_functions(const RoundTripCase& test, bool standard) {
    const auto op = test::recurrent_node<T>(test.attributes);
    const std::size_t size = op->resolved_activations()[0].size();
    for (const auto& functions : op->num_directions() == 2 ? two_sets(size) : one_set(size)) {
        RoundTripCase one = test;
        one.attributes.activations = functions.names;
        one.attributes.activations_alpha = functions.alpha;
        one.attributes.activations_beta = functions.beta;
        expect_round_trip<T>(one, standard && functions.standard);
    }
}

// Clip, and what each cell has of its own.
template <typename T>
void walk_options(RoundTripCase test) {
    const CellType cell = T().cell_type();
    for (const float clip : {0.0f, 0.3f}) {
        test.attributes.clip = clip;
        walk_functions<T>(test, true);
        if (cell == CellType::gru) {
            test.attributes.linear_before_reset = true;
            walk_functions<T>(test, true);
            test.attributes.linear_before_reset = false;
        }
        if (cell != CellType::lstm) continue;
        for (const int own : {1, 2, 3}) {
            RoundTripCase one = test;
            one.peepholes = (own & 1) != 0;
            one.attributes.input_forget = (own & 2) != 0;
            walk_functions<T>(one, false);
        }
    }
}

template <typename T>
void walk() {
    RoundTripCase test;
    test.attributes.hidden_size = 2;
    if (!T().is_sequence()) return walk_options<T>(test);
    for (const Direction direction :
         {Direction::forward, Direction::reverse, Direction::bidirectional}) {
        test.attributes.direction = direction;
        walk_options<T>(test);
    }
}

TEST(RecurrentRoundTrip, LstmSequence) { walk<ops::LSTMSequence>(); }
TEST(RecurrentRoundTrip, GruSequence) { walk<ops::GRUSequence>(); }
TEST(RecurrentRoundTrip, RnnSequence) { walk<ops::RNNSequence>(); }
TEST(RecurrentRoundTrip, LstmCell) { walk<ops::LSTMCell>(); }
TEST(RecurrentRoundTrip, GruCell) { walk<ops::GRUCell>(); }
TEST(RecurrentRoundTrip, RnnCell) { walk<ops::RNNCell>(); }

template <typename T>
void walk_ports() {
    for (const auto type :
         {ElementType::f32, ElementType::f64, ElementType::f16, ElementType::bf16}) {
        for (const bool open : {false, true}) {
            for (const bool weights_vary : {false, true}) {
                RoundTripCase test;
                test.attributes.hidden_size = 2;
                test.type = type;
                test.open = open;
                test.weights_vary = weights_vary;
                expect_round_trip<T>(test, true);
            }
        }
    }
}

TEST(RecurrentRoundTrip, EveryTypeOpenExtentsAndWeightsAtRunTime) {
    walk_ports<ops::LSTMSequence>();
    walk_ports<ops::GRUSequence>();
    walk_ports<ops::RNNSequence>();
    walk_ports<ops::LSTMCell>();
    walk_ports<ops::GRUCell>();
    walk_ports<ops::RNNCell>();
}

template <typename T>
void walk_hidden_absent() {
    RoundTripCase test;
    test.attributes.hidden_size = 2;
    test.hidden_absent = true;
    for (const bool weights_vary : {false, true}) {
        test.weights_vary = weights_vary;
        expect_round_trip<T>(test, false);
    }
}

TEST(RecurrentRoundTrip, AHiddenSizeThatFollowsR) {
    walk_hidden_absent<ops::LSTMSequence>();
    walk_hidden_absent<ops::GRUSequence>();
    walk_hidden_absent<ops::RNNSequence>();
    walk_hidden_absent<ops::LSTMCell>();
    walk_hidden_absent<ops::GRUCell>();
    walk_hidden_absent<ops::RNNCell>();
}

}  // namespace
}  // namespace rondo::recurrent_round_trip_test
