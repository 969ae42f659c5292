// Runs a model for several steps: with its states fed by hand, or as a model that keeps them.
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rondo/rondo.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {

using StateNames = std::vector<std::pair<std::string, std::string>>;
using NamedTensors = std::map<std::string, Tensor>;

inline Tensor copy_of(const Tensor& tensor) {
    Tensor copy(tensor.element_type(), tensor.shape());
    tensor.copy_to(copy);
    return copy;
}

/// The outputs of an inference, by their first names.
inline NamedTensors outputs_of(const Model& model, InferRequest& request) {
    NamedTensors outputs;
    for (std::size_t i = 0; i < model.outputs().size(); ++i) {
        outputs[model.outputs()[i].any_name()] = copy_of(request.get_output_tensor(i));
    }
    return outputs;
}

/// The value of an output, or of a part of one: "state[2]" is the third of its first axis.
inline Tensor state_of(const NamedTensors& outputs, const std::string& name) {
    const auto found = outputs.find(name);
    if (found != outputs.end()) return found->second;
    const std::size_t open = name.rfind('[');
    const Tensor& whole = outputs.at(name.substr(0, open));
    Shape shape = whole.shape();
    shape[0] = 1;
    Tensor part(whole.element_type(), shape);
    const auto* bytes = static_cast<const char*>(whole.data());
    std::memcpy(part.data(), bytes + std::stoul(name.substr(open + 1)) * part.byte_size(),
                part.byte_size());
    return part;
}

/// A step for each element of `inputs`, which holds the inputs that are no states. `states` are
/// those of the first step, by the inputs' names; each next one is the output of the step before.
/// Outputs that are states are left out of the result.
inline std::vector<NamedTensors> steps_by_hand(const Model& model, const std::string& device,
                                               const StateNames& pairs, NamedTensors states,
                                               const std::vector<NamedTensors>& inputs) {
    InferRequest request = Core().compile_model(model, device).create_infer_request();
    std::vector<NamedTensors> steps;
    for (const NamedTensors& step : inputs) {
        for (const auto& [name, tensor] : step) request.set_tensor(name, tensor);
        for (const auto& [name, tensor] : states) request.set_tensor(name, tensor);
        request.infer();
        NamedTensors outputs = outputs_of(model, request);
        for (const auto& [input, output] : pairs) states[input] = state_of(outputs, output);
        for (const auto& [input, output] : pairs) {
            outputs.erase(output);
            if (output.back() == ']') outputs.erase(output.substr(0, output.rfind('[')));
        }
        steps.push_back(std::move(outputs));
    }
    return steps;
}

/// The same of a model that keeps its states.
inline std::vector<NamedTensors> steps_of(const Model& model, const std::string& device,
                                          const std::vector<NamedTensors>& inputs) {
    return steps_by_hand(model, device, {}, {}, inputs);
}

/// Fails unless all outputs are equal, or near where a tolerance is given.
inline void expect_same_steps(const std::vector<NamedTensors>& actual,
                              const std::vector<NamedTensors>& expected, double tolerance = 0,
                              SourceLocation where = SourceLocation::current()) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        SCOPED_TRACE("step " + std::to_string(i));
        ASSERT_EQ(actual[i].size(), expected[i].size());
        for (const auto& [name, tensor] : expected[i]) {
            SCOPED_TRACE(name);
            ASSERT_TRUE(actual[i].count(name) == 1);
            if (tolerance == 0) {
                expect_same(actual[i].at(name), tensor, where);
            } else {
                expect_near(actual[i].at(name), tensor, tolerance, tolerance, where);
            }
        }
    }
}

}  // namespace rondo::test
