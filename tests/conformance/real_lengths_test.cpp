// Real models of open length, over thousands of random lengths: the reference's answers, in the
// same memory, and by the same code.
#include <gtest/gtest.h>
#include <algorithm>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "rondo/rondo.hpp"
#include "tests/support/models.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::real_lengths_test {
namespace {

using Tensors = std::vector<Tensor>;

constexpr int kRuns = 2000;
constexpr std::int64_t kLongest = 40;

// A model's inputs depend on the length alone, so that each length has one right answer.
struct OpenModel {
    const char* name;
    std::function<Tensors(std::int64_t length, Rng& rng)> inputs;
};

Tensors picture_columns(std::int64_t length, Rng& rng) {
    return {random_tensor(ElementType::f32, {static_cast<std::size_t>(length), 1, 256}, rng)};
}

// Two lines of text, the second of them shorter.
Tensors characters(std::int64_t length, Rng& rng) {
    const auto width = static_cast<std::size_t>(length);
    return {random_tensor(ElementType::i64, {2, width}, rng, 1, 30),
            tensor_of<std::int64_t>({2}, {length, uniform_int(rng, 1, length)})};
}

Tensors run(InferRequest& request, const Tensors& inputs, std::size_t output_count) {
    for (std::size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
    request.infer();
    Tensors outputs;
    for (std::size_t i = 0; i < output_count; ++i) {
        const Tensor output = request.get_output_tensor(i);
        output.copy_to(outputs.emplace_back(output.element_type(), output.shape()));
    }
    return outputs;
}

// Bytes of memory from which code runs and that no file has filled.
std::size_t generated_code() {
    std::ifstream maps("/proc/self/maps");
    std::size_t bytes = 0;
    for (std::string line; std::getline(maps, line);) {
        std::istringstream parts(line);
        std::string range;
        std::string rights;
        std::string offset;
        std::string device;
        std::string inode;
        parts >> range >> rights >> offset >> device >> inode;
        if (rights.find('x') == std::string::npos || inode != "0") continue;
        const auto dash = range.find('-');
        bytes += std::stoull(range.substr(dash + 1), nullptr, 16) -
                 std::stoull(range.substr(0, dash), nullptr, 16);
    }
    return bytes;
}

std::size_t resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::size_t total = 0;
    std::size_t resident = 0;
    statm >> total >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

class RealLengths : public ::testing::TestWithParam<OpenModel> {};

TEST_P(RealLengths, AreRightInTheSameMemory) {
    const auto models = models_dir();
    if (!models) GTEST_SKIP() << kNoModels;
    const std::string path = *models + "/" + GetParam().name + "/model.onnx";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << kNoModels;
    const Core core;
    CompiledModel truth = core.compile_model(path, "REFERENCE");
    CompiledModel model = core.compile_model(path, "CPU");
    InferRequest true_request = truth.create_infer_request();
    InferRequest request = model.create_infer_request();
    const std::size_t outputs = model.outputs().size();

    std::map<std::int64_t, std::pair<Tensors, Tensors>> cases;  // by length: inputs, right outputs
    Rng rng = test_rng();
    for (std::int64_t length = 1; length <= kLongest; ++length) {
        Tensors inputs = GetParam().inputs(length, rng);
        Tensors expected = run(true_request, inputs, outputs);
        cases[length] = {std::move(inputs), std::move(expected)};
    }
    run(request, cases.at(kLongest).first, outputs);
    const std::size_t code = generated_code();
    std::size_t most[2] = {};  // resident bytes in either half: they go up and down by a megabyte
    for (int k = 0; k < kRuns; ++k) {
        const std::int64_t length = uniform_int(rng, 1, kLongest);
        const auto& [inputs, expected] = cases.at(length);
        const Tensors actual = run(request, inputs, outputs);
        SCOPED_TRACE("run " + std::to_string(k) + ", length " + std::to_string(length));
        for (std::size_t i = 0; i < expected.size(); ++i) {
            expect_near(actual[i], expected[i], 1e-4, 1e-3);
        }
        if (HasFailure()) return;
        std::size_t& peak = most[k < kRuns / 2 ? 0 : 1];
        peak = std::max(peak, resident_bytes());
    }
    EXPECT_EQ(generated_code(), code);
    EXPECT_TRUE(kIsSanitized || most[1] <= most[0] + (1U << 20)) << most[0] << " " << most[1];
}

INSTANTIATE_TEST_SUITE_P(Models, RealLengths,
                         ::testing::Values(OpenModel{"vietocr_encoder", picture_columns},
                                           OpenModel{"libtashkeel_tract_2023_10", characters}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace rondo::test::real_lengths_test
