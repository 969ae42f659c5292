#include "tests/random/state_run.hpp"

#include <algorithm>
#include <vector>

#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/random/run_model.hpp"

namespace rondo::test {
namespace {

constexpr int kInferences = 3;
constexpr double kStateTolerance = 2e-5;

using Outputs = std::vector<Tensor>;

// Up to the first one that is refused: a list that grows may no longer fit what it is joined with.
std::vector<Outputs> infer(InferRequest& request, const RandomModel& random) {
    for (const auto& [name, value] : random.inputs[0]) request.set_tensor(name, value);
    std::vector<Outputs> all;
    for (int i = 0; i < kInferences; ++i) {
        try {
            request.infer();
        } catch (const ModelError&) {
            if (i == 0) throw;
            break;
        }
        Outputs& outputs = all.emplace_back();
        for (std::size_t k = 0; k < random.outputs.size(); ++k) {
            const Tensor output = request.get_output_tensor(k);
            outputs.emplace_back(output.element_type(), output.shape());
            output.copy_to(outputs.back());
        }
    }
    return all;
}

template <typename Compare>
std::string first_difference(const std::vector<Outputs>& actual,
                             const std::vector<Outputs>& expected, const Compare& compare) {
    if (actual.size() != expected.size()) {
        return "inference " + std::to_string(std::min(actual.size(), expected.size())) +
               " is refused by one of two runs";
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        for (std::size_t k = 0; k < expected[i].size(); ++k) {
            const std::string text = compare(actual[i][k], expected[i][k]);
            if (text.empty()) continue;
            return "inference " + std::to_string(i) + ", output " + std::to_string(k) + " " + text;
        }
    }
    return {};
}

}  // namespace

std::string state_difference(const RandomModel& random, const Model& model) {
    auto cpu = Core().compile_model(model, "CPU").create_infer_request();
    auto reference = Core().compile_model(model, "REFERENCE").create_infer_request();
    const auto first = infer(cpu, random);
    const std::string text = first_difference(
        first, infer(reference, random),
        [](const auto& a, const auto& b) { return tensor_difference(a, b, kStateTolerance); });
    if (!text.empty()) return text;
    cpu.reset_state();
    const std::string again = first_difference(infer(cpu, random), first, bits_difference);
    return again.empty() ? again : "behind a reset, " + again;
}

}  // namespace rondo::test
