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
                         std::span<const TensorInfo> expected) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!outputs[i]) {
            if (!has_form(own_[i], expected[i])) own_[i] = {expected[i].type, expected[i].shape};
            outputs[i] = own_[i];
        }
        check_output(*graph_.results()[i], outputs[i], expected[i]);
        const bool shared = std::any_of(inputs.begin(), inputs.end(), [&](const Tensor& input) {
            return overlap(input, outputs[i]);
        });
        if (shared && !has_form(detours_[i], expected[i])) {
            detours_[i] = {expected[i].type, expected[i].shape};
        }
        if (!shared && detours_[i]) detours_[i] = {};
        targets_[i] = shared ? detours_[i].data() : outputs[i].data();
    }
    check_apart(outputs);
}

void OutputBinding::check_apart(std::span<const Tensor> outputs) const {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!overlap(outputs[i], outputs[j])) continue;
            throw ModelError(describe(*graph_.results()[i]) +
                             ": the output tensor shares memory with that of " +
                             describe(*graph_.results()[j]));
        }
    }
}

void OutputBinding::finish(std::span<Tensor> outputs) const {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!detours_[i] || outputs[i].byte_size() == 0) continue;
        std::memcpy(outputs[i].data(), detours_[i].data(), outputs[i].byte_size());
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
