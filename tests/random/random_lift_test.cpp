// Random whole models with a batch axis in front: several rows give, bit for bit, what the model
// gives for each alone, on the CPU device and on REFERENCE.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "rondo/rondo.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/stacked.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::random_lift_test {
namespace {

constexpr int kShards = 10;
constexpr int kModelsAShard = 40;
constexpr std::size_t kRows = 3;

Tensor dense(const Tensor& tensor) {
    Tensor copy(tensor.element_type(), tensor.shape());
    tensor.copy_to(copy);
    return copy;
}

// The same elements in another order, so that they stay what the model may be given.
Tensor rotated(const Tensor& tensor, std::size_t by) {
    Tensor result = dense(tensor);
    const std::size_t count = result.size();
    if (count == 0 || result.byte_size() % count != 0) return result;
    auto* first = static_cast<char*>(result.data());
    const std::size_t width = result.byte_size() / count;
    std::rotate(first, first + by % count * width, first + result.byte_size());
    return result;
}

class LiftRun {
public:
    LiftRun(const Model& model, const Model& lifted, const std::string& device)
        : inputs_(model.inputs()),
          lifted_inputs_(lifted.inputs()),
          batch_(Core().compile_model(lifted, device).create_infer_request()),
          outputs_(model.outputs().size()) {
        CompiledModel compiled = Core().compile_model(model, device);
        for (std::size_t row = 0; row < kRows; ++row) {
            alone_.push_back(compiled.create_infer_request());
        }
    }

    // The first difference in a new sequence of `steps` equal inputs.
    std::string difference(const std::vector<NamedTensor>& given, int steps) {
        for (InferRequest& request : alone_) request.reset_state();
        batch_.reset_state();
        for (int step = 0; step < steps; ++step) {
            std::string text = difference(given);
            if (!text.empty()) return "step " + std::to_string(step) + ": " + text;
        }
        return {};
    }
    int compared() const { return compared_; }

private:
    // The first difference; empty where there is none, and where a row alone is refused.
    std::string difference(const std::vector<NamedTensor>& given) {
        std::vector<std::vector<Tensor>> rows(inputs_.size());
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const Tensor& value = named(given, inputs_[i]);
            const bool shared = is_shared(i);
            for (std::size_t row = 0; row < kRows; ++row) {
                rows[i].push_back(rotated(value, shared ? 0 : row));
            }
        }
        std::vector<std::vector<Tensor>> expected(outputs_);
        try {
            for (std::size_t row = 0; row < kRows; ++row) run_alone(rows, row, expected);
        } catch (const Error&) {
            return {};
        }
        for (const auto& parts : expected) {
            for (const Tensor& part : parts) {
                if (part.shape() != parts[0].shape()) return {};  // no batch has both
            }
        }
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            batch_.set_input_tensor(i, is_shared(i) ? rows[i][0] : stacked(rows[i]));
        }
        batch_.infer();
        ++compared_;
        for (std::size_t i = 0; i < outputs_; ++i) {
            const std::string text =
                tensor_difference(dense(batch_.get_output_tensor(i)), stacked(expected[i]), 0);
            if (!text.empty()) return "output " + std::to_string(i) + " " + text;
        }
        return {};
    }
    static const Tensor& named(const std::vector<NamedTensor>& given, const PortInfo& port) {
        const std::string& name = port.any_name();
        return std::find_if(given.begin(), given.end(),
                            [&](const NamedTensor& input) { return input.name == name; })
            ->value;
    }

    bool is_shared(std::size_t input) const {
        return lifted_inputs_[input].shape.rank() == inputs_[input].shape.rank();
    }

    void run_alone(const std::vector<std::vector<Tensor>>& rows, std::size_t row,
                   std::vector<std::vector<Tensor>>& outputs) {
        InferRequest& request = alone_[row];
        for (std::size_t i = 0; i < rows.size(); ++i) request.set_input_tensor(i, rows[i][row]);
        request.infer();
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            outputs[i].push_back(dense(request.get_output_tensor(i)));
        }
    }

    std::vector<PortInfo> inputs_;
    std::vector<PortInfo> lifted_inputs_;
    std::vector<InferRequest> alone_;  // of each row
    InferRequest batch_;
    std::size_t outputs_;
    int compared_ = 0;
};

struct Count {
    int lifted = 0;
    int stateful = 0;
    int compared = 0;
    std::map<std::string, int> refusals{};
};

// False where the model is refused.
bool check(const RandomModel& random, const Model& model, std::uint64_t seed, int steps,
           Count& count) {
    const Dimension batch = seed % 3 == 0 ? Dimension(kRows) : Dimension();
    Model lifted = model.clone();
    try {
        lifted.add_batch_axis(batch);
    } catch (const UnsupportedError& error) {
        EXPECT_NE(std::string(error.what()).find("no batch axis can be added"), std::string::npos);
        EXPECT_EQ(lifted.to_text(), model.to_text()) << "a refusal changes the graph";
        ++count.refusals[error.what()];
        return false;
    }
    for (const char* device : {"CPU", "REFERENCE"}) {
        LiftRun run(model, lifted, device);
        for (const auto& inputs : random.inputs) {
            EXPECT_EQ(run.difference(inputs, steps), "")
                << "seed " << seed << " on " << device << "\n  replay: RONDO_TEST_SEED=" << seed
                << " random_models_tests --gtest_filter=RandomLift.OneSeed";
        }
        count.compared += run.compared();
    }
    return true;
}

void check(std::uint64_t seed, Count& count) {
    const RandomModel random = random_model(seed);
    Model model = Core().read_model(random.bytes.data(), random.bytes.size());
    count.lifted += check(random, model, seed, 1, count) ? 1 : 0;
    const std::string before = model.to_text();
    try {
        model.make_stateful();
    } catch (const Error&) {
        return;
    }
    if (model.to_text() != before) count.stateful += check(random, model, seed, 3, count) ? 1 : 0;
}

class RandomLift : public ::testing::TestWithParam<int> {};

TEST_P(RandomLift, GivesEachRowWhatItGetsAlone) {
    Count count;
    for (int k = 0; k < kModelsAShard; ++k) {
        check(static_cast<std::uint64_t>(GetParam() * kModelsAShard + k), count);
    }
    RecordProperty("lifted", count.lifted);
    RecordProperty("stateful", count.stateful);
    RecordProperty("compared", count.compared);
    EXPECT_GT(count.lifted, 0) << "no model was given a batch axis";
    EXPECT_GT(count.compared, 0) << "no run was compared";
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomLift, ::testing::Range(0, kShards));

// Prints why a model is refused.
TEST(RandomLift, OneSeed) {
    Count count;
    with_one_seed([&](std::uint64_t seed) { check(seed, count); });
    for (const auto& [why, number] : count.refusals) std::cout << why << '\n';
}

TEST(RandomLift, ManySeeds) {
    Count count;
    with_many_seeds([&](std::uint64_t seed) { check(seed, count); });
}

}  // namespace
}  // namespace rondo::test::random_lift_test
