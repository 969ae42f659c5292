// Real models whose rows are independent, in a stream pool: each stream has the bits that it has
// alone. RONDO_POOL_STREAMS: how many streams of each model (1000 for a thorough run).
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>

#include "core/support/process.hpp"
#include "core/support/strings.hpp"
#include "rondo/rondo.hpp"
#include "tests/conformance/reference_cases.hpp"
#include "tests/support/files/npy.hpp"
#include "tests/support/models.hpp"
#include "tests/support/rng.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::pooled_models_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSteps = 3;

std::size_t stream_count() {
    const auto text = env("RONDO_POOL_STREAMS");
    long long count = 40;
    if (text && !parse_int(*text, count)) ADD_FAILURE() << "no number: " << *text;
    return static_cast<std::size_t>(count);
}

bool same_bits(const Tensor& a, const Tensor& b) {
    return a.element_type() == b.element_type() && a.shape() == b.shape() &&
           (a.byte_size() == 0 || std::memcmp(a.data(), b.data(), a.byte_size()) == 0);
}

class PooledModels : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        const auto models = models_dir();
        if (!models) GTEST_SKIP() << kNoModels;
        folder = fs::path(*models) / GetParam();
        if (!fs::exists(folder)) GTEST_SKIP() << kNoModels;
        model = Core().read_model((folder / "model.onnx").string());
        const auto states = model.find_states().pairs;
        if (!states.empty()) model.make_stateful(states);
        if (gets_new_axis()) {
            model.add_batch_axis();
        } else {
            model.set_batch(-1);
        }
        for (const PortInfo& port : model.inputs()) {
            const Tensor input = read_npy(reference_file(folder / "ref", 0, "in", port));
            inputs.push_back(gets_new_axis() ? with_row_axis(input) : input);
        }
    }

    // Models without a batch axis, or with one that they walk along.
    static bool gets_new_axis() {
        const std::string name = GetParam();
        return name == "fw_silero_vad_v6" || name == "gtcrn_simple";
    }

    static Tensor with_row_axis(const Tensor& tensor) {
        Shape shape = tensor.shape();
        shape.insert(shape.begin(), 1);
        Tensor row(tensor.element_type(), shape);
        std::memcpy(row.data(), tensor.contiguous().data(), row.byte_size());
        return row;
    }

    // The first reference case, every stream and step with other numbers.
    std::vector<Tensor> inputs_of(std::size_t stream, std::size_t step) const {
        std::vector<Tensor> changed;
        Rng rng(stream * kSteps + step);
        for (const Tensor& input : inputs) {
            changed.emplace_back(input.element_type(), input.shape());
            input.copy_to(changed.back());
            if (input.element_type() != ElementType::f32) continue;
            auto* elements = changed.back().data<float>();
            for (std::size_t i = 0; i < input.size(); ++i) {
                elements[i] *= static_cast<float>(uniform(rng, 0.5, 1));
            }
        }
        return changed;
    }

    fs::path folder;
    Model model;
    std::vector<Tensor> inputs;
};

TEST_P(PooledModels, AreAmongOthersAsTheyAreAlone) {
    CompiledModel compiled = Core().compile_model(model);
    // However slow the making of inputs is, a step finds others to go with.
    StreamPool pool =
        compiled.create_stream_pool({.max_delay = std::chrono::milliseconds(200), .threads = 1});
    ASSERT_EQ(pool.stats().why_not_batched, "");
    std::vector<Stream> streams;
    std::vector<StreamStep> steps;
    for (std::size_t i = 0; i < stream_count(); ++i) streams.push_back(pool.open());
    for (std::size_t step = 0; step < kSteps; ++step) {
        for (std::size_t i = 0; i < streams.size(); ++i) {
            steps.push_back(streams[i].push(inputs_of(i, step)));
        }
    }
    for (std::size_t i = 0; i < streams.size(); ++i) {
        InferRequest alone = compiled.create_infer_request();
        for (std::size_t step = 0; step < kSteps; ++step) {
            const auto given = inputs_of(i, step);
            for (std::size_t at = 0; at < given.size(); ++at) alone.set_input_tensor(at, given[at]);
            alone.infer();
            for (std::size_t at = 0; at < compiled.outputs().size(); ++at) {
                EXPECT_TRUE(same_bits(steps[step * streams.size() + i].get_output_tensor(at),
                                      alone.get_output_tensor(at)))
                    << "stream " << i << ", step " << step << ", output " << at;
            }
        }
    }
    EXPECT_LT(pool.stats().batches, kSteps * streams.size());
}

INSTANTIATE_TEST_SUITE_P(Models, PooledModels,
                         testing::Values("anr_decoder", "dfn3_df_dec", "dfn3_enc", "dfn3_erb_dec",
                                         "dtln_1", "dtln_pytorch_p1", "dtln_pytorch_p2",
                                         "fw_silero_vad_v6", "gtcrn_simple",
                                         "silero_vad_openvino_16k", "silero_vad_v4",
                                         "silero_vad_v6"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace rondo::test::pooled_models_test
