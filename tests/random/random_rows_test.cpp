// Random whole models whose rows are proven to be independent: several rows in one batch give, bit
// for bit, what each gives alone, on the CPU device and on REFERENCE.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/runtime/transforms.hpp"
#include "plugins/cpu/passes/cpu_passes.hpp"
#include "rondo/core.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::random_rows_test {
namespace {

constexpr int kShards = 10;
constexpr int kModelsAShard = 40;

using Axes = std::vector<std::optional<std::size_t>>;

// Elements [row, row + 1) along an axis.
Tensor row_of(const Tensor& whole, std::size_t axis, std::size_t row) {
    Shape shape = whole.shape();
    shape[axis] = 1;
    const auto strides = whole.strides();
    char* first = static_cast<char*>(const_cast<void*>(whole.data())) +
                  static_cast<std::ptrdiff_t>(row) * strides[axis];
    return Tensor(whole.element_type(), shape, first, strides).contiguous();
}

// Tensors joined along an axis.
Tensor joined(const std::vector<Tensor>& parts, std::size_t axis) {
    Shape shape = parts[0].shape();
    shape[axis] *= parts.size();
    Tensor whole(parts[0].element_type(), shape);
    std::size_t outer = 1;
    for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
    auto* to = static_cast<char*>(whole.data());
    for (std::size_t i = 0; i < outer; ++i) {
        for (const Tensor& part : parts) {
            const std::size_t bytes = outer == 0 ? 0 : part.byte_size() / outer;
            std::memcpy(to, static_cast<const char*>(part.data()) + i * bytes, bytes);
            to += bytes;
        }
    }
    return whole;
}

// The graph as it is read, as the portable passes leave it, and as the CPU device has it.
std::vector<RowAxes> proofs(const RandomModel& model) {
    const auto graph = Core().read_model(model.bytes.data(), model.bytes.size()).graph();
    std::vector<RowAxes> found{builtin_transforms().find_row_axes(*graph)};
    run_portable_passes(*graph, {});
    found.push_back(builtin_transforms().find_row_axes(*graph));
    cpu::run_cpu_passes(*graph, {});
    found.push_back(builtin_transforms().find_row_axes(*graph));
    return found;
}

class RowRun {
public:
    RowRun(const RandomModel& model, const std::string& device)
        : model_(model),
          request_(
              Core()
                  .compile_model(Core().read_model(model.bytes.data(), model.bytes.size()), device)
                  .create_infer_request()),
          inputs_(Core().read_model(model.bytes.data(), model.bytes.size()).inputs()) {}

    // The first difference in any run; empty where there is none.
    std::string difference(const RowAxes& axes) {
        for (std::size_t run = 0; run < model_.inputs.size(); ++run) {
            const std::size_t rows = rows_of(run, axes);
            if (rows < 2) continue;
            std::string text = difference(run, rows, axes);
            if (!text.empty()) return "run " + std::to_string(run) + ": " + text;
        }
        return {};
    }
    int compared() const { return compared_; }

private:
    const Tensor& input(std::size_t run, std::size_t index) const {
        const auto& inputs = model_.inputs[run];
        return std::find_if(inputs.begin(), inputs.end(),
                            [&](const NamedTensor& input) {
                                return input.name == inputs_[index].any_name();
                            })
            ->value;
    }

    // As many as all inputs that have rows have; 0 where they differ.
    std::size_t rows_of(std::size_t run, const RowAxes& axes) const {
        std::optional<std::size_t> rows;
        for (std::size_t i = 0; i < axes.inputs.size(); ++i) {
            if (!axes.inputs[i]) continue;
            const std::size_t extent = input(run, i).shape()[*axes.inputs[i]];
            if (rows && *rows != extent) return 0;
            rows = extent;
        }
        return rows.value_or(0);
    }

    std::vector<Tensor> infer(std::size_t run, const RowAxes& axes,
                              std::optional<std::size_t> row) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const Tensor& whole = input(run, i);
            const auto axis = axes.inputs[i];
            request_.set_tensor(inputs_[i].any_name(),
                                row && axis ? row_of(whole, *axis, *row) : whole);
        }
        request_.infer();
        std::vector<Tensor> outputs;
        for (std::size_t i = 0; i < axes.outputs.size(); ++i) {
            const Tensor result = request_.get_output_tensor(i).contiguous();
            outputs.emplace_back(result.element_type(), result.shape());
            result.copy_to(outputs.back());
        }
        return outputs;
    }

    std::string difference(std::size_t run, std::size_t rows, const RowAxes& axes) {
        std::vector<std::vector<Tensor>> alone(axes.outputs.size());
        for (std::size_t row = 0; row < rows; ++row) {
            const auto outputs = infer(run, axes, row);
            for (std::size_t i = 0; i < outputs.size(); ++i) alone[i].push_back(outputs[i]);
        }
        const auto batch = infer(run, axes, {});
        ++compared_;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const Tensor expected =
                axes.outputs[i] ? joined(alone[i], *axes.outputs[i]) : alone[i][0];
            const std::string text = tensor_difference(batch[i], expected, 0);
            if (!text.empty()) return "output " + std::to_string(i) + " " + text;
        }
        return {};
    }

    const RandomModel& model_;
    InferRequest request_;
    std::vector<PortInfo> inputs_;
    int compared_ = 0;
};

struct Count {
    int proven = 0;
    int compared = 0;
};

Count check(std::uint64_t seed) {
    const RandomModel model = random_model(seed);
    Count count;
    for (const RowAxes& axes : proofs(model)) {
        if (!axes.obstacle.empty()) continue;
        ++count.proven;
        for (const char* device : {"CPU", "REFERENCE"}) {
            RowRun run(model, device);
            EXPECT_EQ(run.difference(axes), "")
                << "seed " << seed << " on " << device << "\n  replay: RONDO_TEST_SEED=" << seed
                << " random_models_tests --gtest_filter=RandomRows.OneSeed";
            count.compared += run.compared();
        }
    }
    return count;
}

class RandomRows : public ::testing::TestWithParam<int> {};

TEST_P(RandomRows, GiveInABatchWhatTheyGiveAlone) {
    Count sum;
    for (int k = 0; k < kModelsAShard; ++k) {
        const Count count = check(static_cast<std::uint64_t>(GetParam() * kModelsAShard + k));
        sum.proven += count.proven;
        sum.compared += count.compared;
    }
    RecordProperty("proven", sum.proven);
    RecordProperty("compared", sum.compared);
    EXPECT_GT(sum.proven, 0) << "no model was proven";
    EXPECT_GT(sum.compared, 0) << "no run had several rows";
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomRows, ::testing::Range(0, kShards));

TEST(RandomRows, OneSeed) { with_one_seed(check); }
TEST(RandomRows, ManySeeds) { with_many_seeds(check); }

}  // namespace
}  // namespace rondo::test::random_rows_test
