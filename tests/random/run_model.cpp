#include "tests/random/run_model.hpp"

#include <cmath>
#include <functional>
#include <iomanip>
#include <sstream>

#include "tests/random/exact_ops.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

// What f32 loses in sums of some hundred terms, over a few dozen nodes whose values stay near 1:
// 160 roundings of 6e-8.
constexpr double kTolerance = 1e-5;

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

bool same_bits(double a, double b) {
    return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
}

bool close(double a, double b, double tolerance) {
    return a == b || (std::isnan(a) && std::isnan(b)) ||
           std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

std::string type_and_shape(const Tensor& tensor) {
    return std::string(to_string(tensor.element_type())) + to_string(tensor.shape());
}

// The first pair of elements that doesn't agree.
std::string difference_by(const Tensor& actual, const Tensor& expected,
                          const std::function<bool(double, double)>& agree) {
    if (actual.element_type() != expected.element_type() || actual.shape() != expected.shape()) {
        return "is " + type_and_shape(actual) + "; expected " + type_and_shape(expected);
    }
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const long double got = element_at(actual, i), wanted = element_at(expected, i);
        const bool same = is_floating(actual.element_type())
                              ? agree(static_cast<double>(got), static_cast<double>(wanted))
                              : got == wanted;
        if (same) continue;
        std::ostringstream text;
        text << std::setprecision(is_floating(actual.element_type()) ? 9 : 20) << "element " << i
             << " of " << to_string(actual.shape()) << " is " << got << "; expected " << wanted;
        return text.str();
    }
    return {};
}

// A plan that runs again computes the same.
std::string rounds_difference(const RandomModel& model,
                              const std::vector<std::vector<Tensor>>& runs) {
    const std::size_t count = runs.size() / 2;
    for (std::size_t run = 0; run < count; ++run) {
        for (std::size_t i = 0; i < model.outputs.size(); ++i) {
            const auto text = bits_difference(runs[run + count][i], runs[run][i]);
            if (text.empty()) continue;
            return "run " + std::to_string(run) + ", the second time, output '" + model.outputs[i] +
                   "' " + text;
        }
    }
    return {};
}

std::set<std::string> exact_values_of(const RandomModel& model) {
    rondo_onnx::ModelProto message;
    if (!message.ParseFromString(model.bytes)) return {};
    return exact_values(message.graph());
}

Tensor copy_of(const Tensor& tensor) {
    Tensor copy(tensor.element_type(), tensor.shape());
    tensor.copy_to(copy);
    return copy;
}

}  // namespace

std::string tensor_difference(const Tensor& actual, const Tensor& expected, double tolerance) {
    return difference_by(actual, expected,
                         [&](double a, double b) { return close(a, b, tolerance); });
}

std::string bits_difference(const Tensor& actual, const Tensor& expected) {
    return difference_by(actual, expected, same_bits);
}

std::vector<std::vector<Tensor>> run_model(const RandomModel& model, const std::string& device,
                                           const Numbers& numbers) {
    const EnvironmentVariable settled("RONDO_MUST_SETTLE", "1");
    const Core core;
    Model read = core.read_model(model.bytes.data(), model.bytes.size());
    if (numbers.change) numbers.change(*read.graph());
    if (numbers.integers) read.quantize(*numbers.integers);
    Properties properties = numbers.properties;
    properties[property::kMaxIterations] = kMostIterations;
    auto compiled = core.compile_model(read, device, properties);
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
    const std::set<std::string> exact = exact_values_of(model);
    for (std::size_t run = 0; run < expected.size(); ++run) {
        for (std::size_t i = 0; i < model.outputs.size(); ++i) {
            const bool is_exact = exact.count(model.outputs[i]) > 0;
            const std::string text =
                is_exact ? bits_difference(actual[run][i], expected[run][i])
                         : tensor_difference(actual[run][i], expected[run][i], kTolerance);
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
    const std::string text = run_difference(model, cpu.runs, reference.runs);
    return text.empty() ? rounds_difference(model, cpu.runs) : text;
}

}  // namespace rondo::test
