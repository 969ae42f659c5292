#include "plugins/cpu/plugin/run/output_binding.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

std::string form_text(ElementType type, const Shape& shape) {
    return std::string(to_string(type)) + to_string(shape);
}

bool overlap(const Tensor& a, const Tensor& b) {
    const auto* first = static_cast<const char*>(a.data());
    const auto* second = static_cast<const char*>(b.data());
    const std::less<const char*> before;
    return before(first, second + b.byte_size()) && before(second, first + a.byte_size());
}

}  // namespace

bool has_form(const Tensor& tensor, const TensorInfo& form) {
    return tensor && tensor.element_type() == form.type && tensor.shape() == form.shape;
}

void check_output(const Node& result, const Tensor& output, const TensorInfo& expected) {
    if (!has_form(output, expected)) {
        throw ModelError(describe(result) + ": the output tensor is " +
                         form_text(output.element_type(), output.shape()) + "; expected " +
                         form_text(expected.type, expected.shape));
    }
    if (!output.is_contiguous()) {
        throw ModelError(describe(result) + ": the output tensor has strides; expected row-major");
    }
}

void OutputBinding::bind(std::span<const Tensor> inputs, std::span<Tensor> outputs,
                         std::span<const PlannedEnd> expected, std::span<void*> targets) {
    own_.resize(expected.size());
    detours_.resize(expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const TensorInfo& form = expected[i].info;
        Tensor& output = outputs[expected[i].index];
        if (!output) {
            if (!has_form(own_[i], form)) own_[i] = {form.type, form.shape};
            output = own_[i];
        }
        check_output(*graph_.results()[expected[i].index], output, form);
        const bool shared = std::any_of(inputs.begin(), inputs.end(), [&](const Tensor& input) {
            return overlap(input, output);
        });
        if (shared && !has_form(detours_[i], form)) detours_[i] = {form.type, form.shape};
        if (!shared && detours_[i]) detours_[i] = {};
        targets[expected[i].index] = shared ? detours_[i].data() : output.data();
    }
    check_apart(outputs);
}

void OutputBinding::check_apart(std::span<const Tensor> outputs) const {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!outputs[i] || !outputs[j] || !overlap(outputs[i], outputs[j])) continue;
            throw ModelError(describe(*graph_.results()[i]) +
                             ": the output tensor shares memory with that of " +
                             describe(*graph_.results()[j]));
        }
    }
}

void OutputBinding::finish(std::span<Tensor> outputs,
                           std::span<const PlannedEnd> expected) const {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        Tensor& output = outputs[expected[i].index];
        if (!detours_[i] || output.byte_size() == 0) continue;
        std::memcpy(output.data(), detours_[i].data(), output.byte_size());
    }
}

void OutputBinding::release_large() {
    std::size_t bytes = 0;
    for (const auto* tensors : {&own_, &detours_}) {
        for (const Tensor& tensor : *tensors) bytes += tensor ? tensor.byte_size() : 0;
    }
    if (bytes <= kWorthKeeping) return;
    std::fill(own_.begin(), own_.end(), Tensor());
    std::fill(detours_.begin(), detours_.end(), Tensor());
}

}  // namespace rondo::cpu
