#include "tests/random/run_model.hpp"

#include <cmath>

#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

// What f32 loses over the few dozen nodes of a model whose values stay near 1.
constexpr double kTolerance = 2e-4;

// Random loops are short. One whose condition was taken away would run for hours.
constexpr const char* kMostIterations = "1000";

struct Outcome {
    std::vector<std::vector<Tensor>> runs;
    std::string error;
};

Outcome outcome_on(const RandomModel& model, const std::string& device) {
    try {
        return {run_model(model, device), {}};
    } catch (const Error& error) {
        return {{}, error.what()};
    }
}

Tensor copy_of(const Tensor& tensor) {
    Tensor copy(tensor.element_type(), tensor.shape());
    tensor.copy_to(copy);
    return copy;
}

}  // namespace

std::string tensor_difference(const Tensor& actual, const Tensor& expected, double tolerance) {
    if (actual.element_type() != expected.element_type() || actual.shape() != expected.shape()) {
        return "is " + std::string(to_string(actual.element_type())) + to_string(actual.shape()) +
               "; expected " + std::string(to_string(expected.element_type())) +
               to_string(expected.shape());
    }
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const auto got = static_cast<double>(element_at(actual, i));
        const auto wanted = static_cast<double>(element_at(expected, i));
        const bool same = got == wanted || (std::isnan(got) && std::isnan(wanted)) ||
                          std::abs(got - wanted) <= tolerance * std::max(1.0, std::abs(wanted));
        if (!same) {
            return "element " + std::to_string(i) + " of " + to_string(actual.shape()) + " is " +
                   std::to_string(got) + "; expected " + std::to_string(wanted);
        }
    }
    return {};
}

std::vector<std::vector<Tensor>> run_model(const RandomModel& model, const std::string& device) {
    const Core core;
    auto compiled = core.compile_model(core.read_model(model.bytes.data(), model.bytes.size()),
                                       device, {{property::kMaxIterations, kMostIterations}});
    auto request = compiled.create_infer_request();
    std::vector<std::vector<Tensor>> runs;
    for (int round = 0; round < 2; ++round) {
        for (const auto& inputs : model.inputs) {
            for (const auto& [name, value] : inputs) request.set_tensor(name, value);
            request.infer();
            auto& outputs = runs.emplace_back();
            for (std::size_t i = 0; i < model.outputs.size(); ++i) {
                outputs.push_back(copy_of(request.get_output_tensor(i)));
            }
        }
    }
    return runs;
}

std::string run_difference(const RandomModel& model, const std::vector<std::vector<Tensor>>& actual,
                           const std::vector<std::vector<Tensor>>& expected) {
    for (std::size_t run = 0; run < expected.size(); ++run) {
        for (std::size_t i = 0; i < model.outputs.size(); ++i) {
            const std::string text =
                tensor_difference(actual[run][i], expected[run][i], kTolerance);
            if (!text.empty()) {
                return "run " + std::to_string(run) + ", output '" + model.outputs[i] + "' " + text;
            }
        }
    }
    return {};
}

std::string device_difference(const RandomModel& model) {
    const Outcome cpu = outcome_on(model, "CPU");
    const Outcome reference = outcome_on(model, "REFERENCE");
    if (!cpu.error.empty() || !reference.error.empty()) {
        // The models are valid: a refusal is a fault, even where both agree on it.
        return "CPU: '" + cpu.error + "', REFERENCE: '" + reference.error + "'";
    }
    return run_difference(model, cpu.runs, reference.runs);
}

}  // namespace rondo::test
