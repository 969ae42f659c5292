#include "tests/stress/stress_models.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"
#include "tests/unit/plugins/cpu/stacked_graph.hpp"

namespace rondo::test {
namespace {

const Properties kShared = {{property::kNumStreams, "2"}, {property::kInferenceNumThreads, "4"}};
const Properties kAlone = {{property::kNumStreams, "1"}, {property::kInferenceNumThreads, "1"}};
constexpr int kAnswers = 4;

struct Sizes {
    std::int64_t hidden;
    std::size_t batch;
    std::size_t time;
    ops::Direction direction = ops::Direction::forward;
};

RecurrentCase case_of(const Sizes& sizes) {
    RecurrentCase test;
    test.attributes.hidden_size = sizes.hidden;
    test.attributes.direction = sizes.direction;
    test.batch = sizes.batch;
    test.time = sizes.time;
    test.input_size = 8;
    test.open_shapes = false;
    return test;
}

std::vector<Tensor> random_like(const std::vector<Tensor>& forms, Rng& rng) {
    std::vector<Tensor> tensors;
    for (const Tensor& form : forms) {
        tensors.push_back(random_tensor(form.element_type(), form.shape(), rng));
    }
    return tensors;
}

// Compiles the graph twice: the model that threads share, and the one for the expected outputs.
class Maker {
public:
    Maker(std::string name, const std::shared_ptr<Graph>& graph)
        : alone_(Core().compile_model(Model(graph), "CPU", kAlone).create_infer_request()) {
        made_.name = std::move(name);
        made_.compiled = Core().compile_model(Model(graph), "CPU", kShared);
    }

    Maker& add(std::vector<Tensor> inputs) {
        for (std::size_t i = 0; i < inputs.size(); ++i) alone_.set_input_tensor(i, inputs[i]);
        alone_.infer();
        Answer answer{std::move(inputs), {}};
        for (std::size_t i = 0; i < made_.compiled.outputs().size(); ++i) {
            const Tensor output = alone_.get_output_tensor(i);
            answer.outputs.emplace_back(output.element_type(), output.shape());
            output.copy_to(answer.outputs.back());
        }
        made_.answers.push_back(std::move(answer));
        return *this;
    }

    StressModel finish() { return std::move(made_); }

private:
    InferRequest alone_;
    StressModel made_;
};

template <typename Op>
StressModel with_strategy(const char* strategy, const Sizes& sizes, Rng& rng) {
    const auto layer = make_recurrent<Op>(case_of(sizes), rng);
    Maker maker(strategy, layer.graph);
    for (int i = 0; i < kAnswers; ++i) maker.add(random_like(layer.inputs, rng));
    StressModel model = maker.finish();
    const std::string reason = model.compiled.kernels().at(0).reason;
    EXPECT_NE(reason.find(std::string("; ") + strategy), std::string::npos) << reason;
    return model;
}

// Plans are made, evicted and made again.
StressModel with_many_shapes(Rng& rng) {
    RecurrentCase test = case_of({16, 1, 1});
    test.open_shapes = true;
    const auto layer = make_recurrent<ops::LSTMSequence>(test, rng);
    Maker maker("many_shapes", layer.graph);
    for (std::size_t batch = 1; batch <= 3; ++batch) {
        for (std::size_t time = 1; time <= 5; ++time) {
            maker.add({random_tensor(ElementType::f32, {batch, time, 8}, rng),
                       random_tensor(ElementType::f32, {batch, 1, 16}, rng),
                       random_tensor(ElementType::f32, {batch, 1, 16}, rng)});
        }
    }
    StressModel model = maker.finish();
    EXPECT_GT(model.answers.size(), cpu::PlannedProgram::kPlans);
    return model;
}

// Two layers as one node, on threads that exchange tiles.
StressModel with_wavefront(Rng& rng) {
    StackedCase test;
    test.batch = 1;
    test.time = 80;
    test.hidden = test.input = 64;
    test.open = false;
    const auto stack = make_stacked(test);
    Maker maker("wavefront", stack.graph);
    for (int i = 0; i < kAnswers; ++i) maker.add(random_like(stack.inputs, rng));
    StressModel model = maker.finish();
    const std::string reason = model.compiled.kernels().at(0).reason;
    EXPECT_NE(reason.find("; wavefront 2"), std::string::npos) << reason;
    return model;
}

StressModel without_layers(Rng& rng) {
    const auto x = parameter("x", {2, 3});
    Maker maker("relu", graph_of({x}, {make_node<ops::Unary>(ops::UnaryFunction::relu, x)}));
    for (int i = 0; i < kAnswers; ++i) maker.add({random_tensor(ElementType::f32, {2, 3}, rng)});
    return maker.finish();
}

// Runs step by step, inferring shapes on the way.
StressModel with_shapes_from_elements(Rng& rng) {
    const auto x = parameter("x", {6, 4});
    const auto pattern = parameter("pattern", {2}, ElementType::i64);
    const auto view = make_node<ops::Reshape>(x, pattern);
    Maker maker("shapes_from_elements",
                graph_of({x, pattern}, {make_node<ops::Unary>(ops::UnaryFunction::tanh, view)}));
    for (const std::int64_t rows : {1, 2, 8, 24}) {
        maker.add({random_tensor(ElementType::f32, {6, 4}, rng),
                   tensor_of<std::int64_t>({2}, {rows, -1})});
    }
    return maker.finish();
}

}  // namespace

std::vector<StressModel> make_stress_models() {
    Rng rng = test_rng();
    std::vector<StressModel> models;
    models.push_back(with_strategy<ops::LSTMSequence>("serial", {16, 1, 5}, rng));
    models.push_back(with_strategy<ops::LSTMSequence>("hidden_split", {192, 1, 12}, rng));
    models.push_back(with_strategy<ops::GRUSequence>("batch_split", {48, 12, 16}, rng));
    models.push_back(with_strategy<ops::LSTMSequence>(
        "direction_split", {32, 2, 32, ops::Direction::bidirectional}, rng));
    models.push_back(with_wavefront(rng));
    models.push_back(with_many_shapes(rng));
    models.push_back(without_layers(rng));
    models.push_back(with_shapes_from_elements(rng));
    return models;
}

}  // namespace rondo::test
