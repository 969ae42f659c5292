#include "transformations/simplify/passes.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/runtime/transforms.hpp"
#include "rondo/core.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::passes::loop_concat_to_output_test {
namespace {

using namespace test;  // NOLINT: tests only

// What else may be read of the list that grows.
enum class Use { none, now, next, twice, joined, two_rounds };

// A loop in which h [N,2] becomes h + 1, or h + x[t], and is joined to the list y along an axis.
struct Form {
    bool by_slices = false;  // a TensorIterator over x [N,T,2]; else a Loop of n iterations
    std::int64_t axis = 0;
    bool in_front = false;
    std::int64_t size = 1;  // of a part, or 2
    std::string h = "?,2";
    std::string y = "0,?,2";
    Use use = Use::none;
    bool stops = false;             // after the third iteration, by its condition
    bool open_part = false;         // the part is an input
    bool two_lists = false;         // also one along the other axis, at its other end
    std::int64_t known_count = -1;  // in place of n
};

class FormMaker {
public:
    explicit FormMaker(Form form) : form_(std::move(form)) {}

    std::shared_ptr<Graph> make() {
        add_own_inputs();
        const Output now = add_round(form_.h, "h", 1);
        const Output list = add_round(form_.y, "y", 2);
        const Output next = add(body_, now, step_);
        body_.output("more", more_);
        body_.output("next", next);
        const Output longer = joined(list, part_of(next, form_.axis), form_.axis, form_.in_front);
        body_.output("longer", longer);
        outputs_ = {{0, 1, {}}, {1, 2, {}}};
        if (form_.two_lists) add_second_list(next);
        add_use(list, longer);
        return graph();
    }

private:
    void add_own_inputs() {
        if (form_.by_slices) {
            inputs_ = {b_.input("x", "?,?,2")};
            ports_.push_back({0, 0, ops::PartRange{1}, {}});
            step_ = body_.squeeze(body_.input("part", "?,1,2"), {1});
            more_ = flag(body_, true);
            return;
        }
        const Output count = form_.known_count < 0 ? b_.input("n", "", ElementType::i64)
                                                   : i64(b_, form_.known_count);
        inputs_ = {count, flag(b_, true)};
        const Output i = body_.input("i", "", ElementType::i64);
        step_ = body_.constant(scalar_of<float>(1));
        more_ = form_.stops ? body_.make<ops::Convert>("", add(body_, i, i64(body_, -2)),
                                                       ElementType::boolean)
                            : flag(body_, true);
    }

    // A value that is carried; its shape in the body is what the loop finds.
    Output add_round(const std::string& shape, const std::string& name, std::size_t result) {
        const std::size_t number = ports_.size() + (form_.by_slices ? 0 : 1);
        ports_.push_back({inputs_.size(), number, {}, result});
        inputs_.push_back(b_.input(name, shape));
        return body_.input("b" + name, name == "h" ? "?,?" : "?,?,?");
    }

    Output part_of(const Output& next, std::int64_t axis) {
        if (form_.open_part) {
            const std::size_t number = ports_.size() + (form_.by_slices ? 0 : 1);
            ports_.push_back({inputs_.size(), number, {}, {}});
            inputs_.push_back(b_.input("p", "?,?,2"));
            return body_.input("bp", "?,?,2");
        }
        const Output row = body_.unsqueeze(next, {axis});
        if (form_.size == 1) return row;
        const std::vector<Output> rows{row, add(body_, row, row)};
        return body_.make<ops::Concat>("", rows, axis);
    }

    Output joined(const Output& list, const Output& part, std::int64_t axis, bool in_front) {
        std::vector<Output> both{list, part};
        if (in_front) std::swap(both[0], both[1]);
        return body_.make<ops::Concat>("", both, axis - 3);
    }

    void add_second_list(const Output& next) {
        const std::int64_t axis = 1 - form_.axis;
        const Output list = add_round(axis == 0 ? "0,?,2" : "?,0,2", "z", 3);
        body_.output("longer_too", joined(list, part_of(next, axis), axis, !form_.in_front));
        outputs_.push_back({2, 3, {}});
    }

    void add_use(const Output& list, const Output& longer) {
        if (form_.use == Use::now || form_.use == Use::next) {
            const Output& read = form_.use == Use::now ? list : longer;
            body_.output("read", add(body_, read, read));
            outputs_.push_back({2, 3, {}});
        }
        if (form_.use == Use::twice) outputs_.push_back({2, 2, {}});
        if (form_.use == Use::joined) outputs_.push_back({2, 2, ops::PartRange{}});
        if (form_.use == Use::two_rounds) {
            body_.output("other", add_round("0,?,2", "z", 2));
            outputs_.push_back({2, 3, {}});
        }
    }

    std::shared_ptr<Graph> graph() {
        const ops::BodyPorts ports{ports_, outputs_};
        std::shared_ptr<Node> loop;
        if (form_.by_slices) {
            loop = b_.make<ops::TensorIterator>("loop", inputs_, body_.graph(), ports);
        } else {
            loop = b_.make<ops::Loop>("loop", inputs_, body_.graph(), ports, ops::LoopPorts{0, 0});
        }
        for (std::size_t i = 0; i < loop->output_count(); ++i) {
            b_.output("out" + std::to_string(i), loop->output(i));
        }
        return b_.graph();
    }

    Form form_;
    GraphBuilder body_, b_;
    std::vector<Output> inputs_;
    std::vector<ops::BodyInput> ports_;
    std::vector<ops::BodyOutput> outputs_;
    Output step_, more_;
};

std::shared_ptr<Graph> growing(const Form& form) { return FormMaker(form).make(); }

// h has 3 rows; lists may be declared for other rows.
std::vector<Tensor> inputs_of(const Form& form, std::size_t count, std::size_t list_rows = 3) {
    Rng rng = test_rng();
    const auto list = [&](std::int64_t axis) {
        Shape shape{list_rows, list_rows, 2};
        shape[static_cast<std::size_t>(axis)] = 0;
        return Tensor(ElementType::f32, shape);
    };
    std::vector<Tensor> inputs;
    if (form.by_slices) {
        inputs.push_back(random_tensor(ElementType::f32, {3, count, 2}, rng));
    } else if (form.known_count < 0) {
        inputs.push_back(scalar_of(static_cast<std::int64_t>(count)));
    }
    inputs.push_back(random_tensor(ElementType::f32, {3, 2}, rng));
    inputs.push_back(list(form.axis));
    if (form.two_lists) inputs.push_back(list(1 - form.axis));
    return inputs;
}

// Both devices, which run the pass, give what the graph as it was written gives.
void expect_same_on_devices(const Graph& graph, const std::vector<Tensor>& inputs) {
    const auto expected = evaluate_graph(graph, inputs);
    for (const char* device : {"REFERENCE", "CPU"}) {
        SCOPED_TRACE(device);
        auto request = Core().compile_model(Model(graph.clone()), device).create_infer_request();
        for (std::size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
        request.infer();
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expect_same(request.get_output_tensor(i), expected[i]);
        }
    }
}

// The pass takes all lists out of the round, whatever the number of iterations is.
void expect_joined(const Form& form) {
    for (const std::size_t count : {0U, 1U, 4U}) {
        SCOPED_TRACE(count);
        const auto graph = growing(form);
        const auto inputs = inputs_of(form, count);
        expect_same_on_devices(*graph, inputs);
        expect_rewritten(*graph, loop_concat_to_output, inputs);
        const auto& ports = find<ops::IteratedOp>(*graph, "loop").body_ports();
        for (const auto& port : ports.inputs) {
            EXPECT_TRUE(!port.back_edge || *port.back_edge == 1U);
        }
        EXPECT_FALSE(ports.outputs[0].concat);
        for (std::size_t i = 1; i < ports.outputs.size(); ++i) EXPECT_TRUE(ports.outputs[i].concat);
    }
}

// y -> Loop [y = Concat(y, h)] -> y   becomes   Loop [h] joined -> Reshape(.., extents of y) -> y
TEST(JoinGrownValues, PartsAreJoinedBehindTheLoop) {
    for (const bool by_slices : {false, true}) {
        for (const std::int64_t axis : {0, 1}) {
            for (const std::int64_t size : {1, 2}) {
                for (const bool in_front : {false, true}) {
                    Form form;
                    form.by_slices = by_slices;
                    form.axis = axis;
                    form.size = size;
                    form.in_front = in_front;
                    if (axis == 1) form.y = "?,0,2";
                    SCOPED_TRACE(testing::Message() << by_slices << axis << size << in_front);
                    expect_joined(form);
                }
            }
        }
    }
}

TEST(JoinGrownValues, WhatTheLoopHasIsWhatItNeeds) {
    const auto graph = growing({});
    loop_concat_to_output(*graph);
    const auto& loop = find<ops::Loop>(*graph, "loop");
    EXPECT_EQ(loop.input_count(), 3u);
    EXPECT_EQ(loop.body().parameters().size(), 2u);
    EXPECT_EQ(loop.body_ports().inputs, (std::vector<ops::BodyInput>{{2, 1, {}, 1}}));
    EXPECT_EQ(loop.body_ports().outputs,
              (std::vector<ops::BodyOutput>{{0, 1, {}}, {1, 2, ops::PartRange{}}}));
    EXPECT_EQ(count_nodes(loop.body(), "Concat"), 0u);
    EXPECT_EQ(count_nodes(*graph, "Reshape"), 1u);
}

TEST(JoinGrownValues, TheLimitOfIterationsStays) {
    const auto graph = growing({});
    find<ops::Loop>(*graph, "loop").set_most_iterations(5);
    loop_concat_to_output(*graph);
    EXPECT_EQ(find<ops::Loop>(*graph, "loop").most_iterations(), 5u);
}

// Where the parts have the first value's extents for certain, nothing is after the loop.
TEST(JoinGrownValues, KnownExtentsNeedNoReshape) {
    Form form;
    form.h = "3,2";
    form.y = "0,3,2";
    expect_joined(form);
    const auto graph = growing(form);
    loop_concat_to_output(*graph);
    EXPECT_EQ(count_nodes(*graph, "Reshape"), 0u);
}

TEST(JoinGrownValues, SeveralListsOfOneLoop) {
    for (const bool by_slices : {false, true}) {
        Form form;
        form.by_slices = by_slices;
        form.two_lists = true;
        expect_joined(form);
        form.size = 2;
        form.in_front = true;
        expect_joined(form);
    }
}

TEST(JoinGrownValues, AConditionMayEndTheLoop) {
    Form form;
    form.stops = true;
    expect_joined(form);
}

// The rows of the list are all that there is where nothing is joined to it.
TEST(JoinGrownValues, AnEmptyListKeepsItsExtents) {
    for (const bool by_slices : {false, true}) {
        Form form;
        form.by_slices = by_slices;
        const auto graph = growing(form);
        const auto inputs = inputs_of(form, 0, 5);
        expect_same_on_devices(*graph, inputs);
        expect_rewritten(*graph, loop_concat_to_output, inputs);
        EXPECT_EQ(evaluate_graph(*graph, inputs)[1].shape(), (Shape{0, 5, 2}));
    }
}

TEST(JoinGrownValues, PartsThatDontFitTheListAreRefused) {
    const auto graph = growing({});
    const auto inputs = inputs_of({}, 2, 5);
    expect_error<ModelError>([&] { evaluate_graph(*graph, inputs); }, "of axis 1");
    ASSERT_TRUE(loop_concat_to_output(*graph));
    expect_error<ModelError>([&] { evaluate_graph(*graph, inputs); }, "can't be reshaped");
}

TEST(JoinGrownValues, LeavesAValueThatIsReadElsewhere) {
    for (const Use use : {Use::now, Use::next, Use::twice, Use::joined, Use::two_rounds}) {
        SCOPED_TRACE(static_cast<int>(use));
        Form form;
        form.use = use;
        expect_unchanged(*growing(form), loop_concat_to_output);
    }
}

TEST(JoinGrownValues, LeavesAListThatMayHoldSomething) {
    for (const char* y : {"1,?,2", "?,?,2", "...", "?,0,2"}) {
        SCOPED_TRACE(y);
        Form form;
        form.y = y;
        expect_unchanged(*growing(form), loop_concat_to_output);
    }
}

TEST(JoinGrownValues, LeavesPartsOfAnOpenExtent) {
    Form form;
    form.open_part = true;
    expect_unchanged(*growing(form), loop_concat_to_output);
}

// Two extents of the same product would pass for two that fit.
TEST(JoinGrownValues, LeavesSeveralOpenExtents) {
    Form form;
    form.h = "?,?";
    form.y = "0,?,?";
    expect_unchanged(*growing(form), loop_concat_to_output);
}

// unroll_loop makes the list of it.
TEST(JoinGrownValues, LeavesALoopThatNeverRuns) {
    Form form;
    form.known_count = 0;
    expect_unchanged(*growing(form), loop_concat_to_output);
}

// A list that only is carried, and two of them in one Concat.
TEST(JoinGrownValues, LeavesOtherRounds) {
    GraphBuilder body, b;
    body.input("i", "", ElementType::i64);
    const Output y = body.input("by", "?,2"), z = body.input("bz", "?,2");
    body.output("more", flag(body, true));
    body.output("next_y", body.make<ops::Concat>("", std::vector<Output>{y, y}, 0));
    body.output("next_z", z);
    const std::vector<Output> inputs{b.input("n", "", ElementType::i64), flag(b, true),
                                     b.input("y", "0,2"), b.input("z", "0,2")};
    const auto loop =
        b.make<ops::Loop>("loop", inputs, body.graph(),
                          ops::BodyPorts{{{2, 1, {}, 1}, {3, 2, {}, 2}}, {{0, 1, {}}, {1, 2, {}}}},
                          ops::LoopPorts{0, 0});
    b.output("y_out", loop->output(0));
    b.output("z_out", loop->output(1));
    expect_unchanged(*b.graph(), loop_concat_to_output);
}

// As PyTorch writes it: h = tanh(x[t] W + h R), y = cat([y, h]).
std::shared_ptr<Graph> written_rnn() {
    Rng rng = test_rng();
    GraphBuilder body, b;
    const Output i = body.input("i", "", ElementType::i64);
    const Output h = body.input("bh", "2,4"), y = body.input("by", "?,2,4");
    const Output x = body.input("bx", "5,2,3");
    const auto weights = [&](const Shape& shape) {
        return body.constant(random_tensor(ElementType::f32, shape, rng));
    };
    const Output part = body.make<ops::Gather>("", x, i, i64(body, 0));
    const Output sum = add(body, body.make<ops::MatMul>("", part, weights({3, 4})),
                           body.make<ops::MatMul>("", h, weights({4, 4})));
    const Output next = body.make<ops::Unary>("", ops::UnaryFunction::tanh, sum);
    const std::vector<Output> both{y, body.unsqueeze(next, {0})};
    body.output("more", flag(body, true));
    body.output("next", next);
    body.output("longer", body.make<ops::Concat>("", both, 0));
    const std::vector<Output> inputs{
        i64(b, 5), flag(b, true), b.constant(Tensor(ElementType::f32, {2, 4})),
        b.constant(Tensor(ElementType::f32, {0, 2, 4})), b.input("x", "5,2,3")};
    const auto loop = b.make<ops::Loop>(
        "loop", inputs, body.graph(),
        ops::BodyPorts{{{2, 1, {}, 1}, {3, 2, {}, 2}, {4, 3, {}, {}}}, {{0, 2, {}}}},
        ops::LoopPorts{0, 0});
    b.output("y", loop->output(0));
    return b.graph();
}

TEST(JoinGrownValues, LetsACellBecomeASequence) {
    const auto graph = written_rnn();
    const auto inputs = random_inputs(*graph);
    const auto before = evaluate_graph(*graph, inputs);
    run_portable_passes(*graph, {});
    EXPECT_EQ(count_nodes(*graph, "Loop"), 0u);
    EXPECT_EQ(count_nodes(*graph, "RNNSequence"), 1u);
    expect_near(evaluate_graph(*graph, inputs)[0], before[0], 2e-6);
}

}  // namespace
}  // namespace rondo::passes::loop_concat_to_output_test
