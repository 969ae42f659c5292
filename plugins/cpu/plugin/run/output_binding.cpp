#include "plugins/cpu/plugin/run/output_binding.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "plugins/cpu/plugin/run/memory_ranges.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

std::string form_text(ElementType type, const Shape& shape) {
    return std::string(to_string(type)) + to_string(shape);
}

// With so few pairs of tensors comparing each is faster than sorting.
constexpr std::size_t kFewPairs = 32;

}  // namespace

bool has_form(const Tensor& tensor, const TensorInfo& form) {
    if (!tensor) return false;
    const auto& impl = Tensor::Impl::of(tensor);
    return impl.type == form.type && same_shape(impl.shape, form.shape);
}

void check_output(const Node& result, const Tensor& output, const TensorInfo& expected) {
    if (has_form(output, expected) && Tensor::Impl::of(output).contiguous) return;
    if (!has_form(output, expected)) {
        throw ModelError(describe(result) + ": the output tensor is " +
                         form_text(output.element_type(), output.shape()) + "; expected " +
                         form_text(expected.type, expected.shape));
    }
    throw ModelError(describe(result) + ": the output tensor has strides; expected row-major");
}

void OutputBinding::bind(std::span<const Tensor> inputs, std::span<Tensor> outputs,
                         std::span<void*> targets, OwnOutputs own_outputs,
                         const OutputAllocator* allocator) {
    has_detours_ = false;
    is_sorted_ = inputs.size() * expected_.size() > kFewPairs;
    if (is_sorted_) ranges_.assign(inputs);
    for (std::size_t i = 0; i < expected_.size(); ++i) {
        const auto& [index, form] = expected_[i];
        Tensor& output = outputs[index];
        if (output) {
            check_output(*graph_.results()[index], output, form);
        } else if (void* memory = allocator ? (*allocator)(index, form.shape) : nullptr) {
            output = {form.type, form.shape, memory};
        } else {
            output = own_output(i, inputs, own_outputs);
        }
        targets[index] = target_of(i, output, inputs);
    }
    if (outputs.size() > 1) check_apart(outputs);
}

const Tensor& OutputBinding::own_output(std::size_t index, std::span<const Tensor> inputs,
                                        OwnOutputs own_outputs) {
    const TensorInfo& form = expected_[index].info;
    Tensor& own = own_[index];
    if (!own) own = {form.type, form.shape};
    if (own_outputs == OwnOutputs::take_turns && overlaps_any(range_of(own), inputs)) {
        std::swap(own, spare_[index]);
        if (!own) own = {form.type, form.shape};
    }
    return own;
}

bool OutputBinding::overlaps_any(const MemoryRange& range, std::span<const Tensor> inputs) const {
    if (is_sorted_) return ranges_.any_overlaps(range);
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const Tensor& input) { return overlap(range_of(input), range); });
}

void* OutputBinding::target_of(std::size_t index, const Tensor& output,
                               std::span<const Tensor> inputs) {
    const MemoryRange range = range_of(output);
    const bool shared = overlaps_any(range, inputs);
    Tensor& detour = detours_[index];
    if (!shared) {
        if (detour) detour = {};
        return const_cast<char*>(range.begin);
    }
    const TensorInfo& form = expected_[index].info;
    if (!detour) detour = {form.type, form.shape};
    has_detours_ = true;
    return detour.data();
}

void OutputBinding::check_apart(std::span<const Tensor> outputs) {
    if (outputs.size() * outputs.size() > kFewPairs) {
        ranges_.assign(outputs);
        if (const auto pair = ranges_.shared()) refuse(pair->second, pair->first);
        return;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!outputs[i] || !outputs[j]) continue;
            if (overlap(range_of(outputs[i]), range_of(outputs[j]))) refuse(i, j);
        }
    }
}

void OutputBinding::refuse(std::size_t output, std::size_t other) const {
    throw ModelError(describe(*graph_.results()[output]) +
                     ": the output tensor shares memory with that of " +
                     describe(*graph_.results()[other]));
}

void OutputBinding::copy_detours(std::span<Tensor> outputs) const {
    for (std::size_t i = 0; i < expected_.size(); ++i) {
        Tensor& output = outputs[expected_[i].index];
        if (!detours_[i] || output.byte_size() == 0) continue;
        std::memcpy(output.data(), detours_[i].data(), output.byte_size());
    }
}

void OutputBinding::release_large() {
    std::size_t bytes = 0;
    for (const auto* tensors : {&own_, &spare_, &detours_}) {
        for (const Tensor& tensor : *tensors) bytes += tensor ? tensor.byte_size() : 0;
    }
    if (bytes <= kWorthKeeping) return;
    std::fill(own_.begin(), own_.end(), Tensor());
    std::fill(spare_.begin(), spare_.end(), Tensor());
    std::fill(detours_.begin(), detours_.end(), Tensor());
}

}  // namespace rondo::cpu
