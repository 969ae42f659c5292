// 200 random whole models whose inputs are declared with the shapes of one run, reshaped to those
// of the others: the outputs are those of the model with open shapes.
#include <gtest/gtest.h>
#include <rondo_onnx.pb.h>

#include <map>

#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"

namespace rondo::test::random_reshapes_test {
namespace {

constexpr int kShards = 10;
constexpr int kModelsAShard = 20;

// The model with inputs of these shapes.
std::string declared(const RandomModel& model, const std::vector<NamedTensor>& inputs) {
    std::map<std::string, Shape> shapes;
    for (const auto& [name, value] : inputs) shapes[name] = value.shape();
    rondo_onnx::ModelProto message;
    EXPECT_TRUE(message.ParseFromString(model.bytes));
    for (auto& input : *message.mutable_graph()->mutable_input()) {
        const auto at = shapes.find(input.name());
        if (at == shapes.end()) continue;  // an initializer
        auto& shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
        shape.Clear();
        for (const std::size_t extent : at->second) {
            shape.add_dim()->set_dim_value(static_cast<std::int64_t>(extent));
        }
    }
    return message.SerializeAsString();
}

std::vector<Tensor> run(const Model& model, const std::vector<NamedTensor>& inputs) {
    auto request = Core().compile_model(model, "REFERENCE").create_infer_request();
    for (const auto& [name, value] : inputs) request.set_tensor(name, value);
    request.infer();
    std::vector<Tensor> outputs;
    for (std::size_t i = 0; i < model.outputs().size(); ++i) {
        outputs.push_back(request.get_output_tensor(i));
    }
    return outputs;
}

void expect_same_when_reshaped(std::uint64_t seed) {
    const RandomModel random = random_model(seed);
    auto expected = run_model(random, "REFERENCE");
    expected.resize(random.inputs.size());
    const std::string bytes = declared(random, random.inputs[seed % random.inputs.size()]);
    Model model = Core().read_model(bytes.data(), bytes.size());
    std::vector<std::vector<Tensor>> actual;
    for (const auto& inputs : random.inputs) {
        std::map<std::string, PartialShape> shapes;
        for (const auto& [name, value] : inputs) shapes[name] = value.shape();
        model.reshape(shapes);
        actual.push_back(run(model, inputs));
    }
    EXPECT_EQ(run_difference(random, actual, expected), "")
        << "seed " << seed << "\n  replay: RONDO_TEST_SEED=" << seed
        << " random_models_tests --gtest_filter=RandomReshapes.OneSeed";
}

class RandomReshapes : public ::testing::TestWithParam<int> {};

TEST_P(RandomReshapes, GiveTheSameOutputs) {
    for (int k = 0; k < kModelsAShard; ++k) {
        expect_same_when_reshaped(static_cast<std::uint64_t>(GetParam() * kModelsAShard + k));
    }
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomReshapes, ::testing::Range(0, kShards));

TEST(RandomReshapes, OneSeed) { with_one_seed(expect_same_when_reshaped); }
TEST(RandomReshapes, ManySeeds) { with_many_seeds(expect_same_when_reshaped); }

}  // namespace
}  // namespace rondo::test::random_reshapes_test
