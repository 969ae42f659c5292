#include "plugins/cpu/plugin/run/floating_memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "plugins/cpu/nodes/common/memory_limit.hpp"
#include "plugins/cpu/plugin/run/output_binding.hpp"

namespace rondo::cpu {

FloatingMemory::FloatingMemory(const Plan& plan, std::size_t values, const ModelLimits& limits)
    : part_(plan.floating),
      arena_bytes_(plan.arena_bytes),
      limits_(limits),
      values_(values),
      results_(plan.floating.results.size()),
      written_(plan.floating.results.size()) {}

void FloatingMemory::start(std::span<const Tensor> inputs) {
    pool_.give_back_all();  // an error may have ended the last run
    std::fill(written_.begin(), written_.end(), Tensor());
    inputs_ = inputs;
    for (std::size_t i = 0; i < part_.inputs.size(); ++i) {
        if (!part_.inputs[i].floats) continue;
        set_tensor(part_.inputs[i].value, inputs[i]);
    }
}

void* FloatingMemory::give_memory(ValueId id, ElementType type, const Shape& shape) {
    FloatingValue& value = values_[id];
    value.type = type;
    value.shape = shape;
    value.block.reset();
    if (const auto result = result_of(id)) {
        const std::size_t old = results_[*result].bytes();
        written_[*result] = results_[*result].take(inputs_, type, shape);
        if (results_[*result].bytes() > old) check_memory(0);
        value.data = static_cast<char*>(written_[*result].data());
        return value.data;
    }
    const std::size_t bytes = element_count(shape) * size_of(type);
    check_memory(bytes);
    value.block = pool_.take(bytes);
    value.data = static_cast<char*>(pool_.data(*value.block));
    return value.data;
}

void FloatingMemory::set_view(ValueId id, const TensorInfo& form, char* data,
                              std::optional<std::size_t> block) {
    FloatingValue& value = values_[id];
    value.type = form.type;
    value.shape = form.shape;
    value.data = data;
    value.block = block;
    if (block) pool_.hold(*block);
}

void FloatingMemory::set_tensor(ValueId id, const Tensor& tensor) {
    const auto& source = Tensor::Impl::of(tensor);
    FloatingValue& value = values_[id];
    value.type = source.type;
    value.shape = source.shape;
    value.data = static_cast<char*>(source.data);
    value.block.reset();
}

void FloatingMemory::release(ValueId id) {
    auto& block = values_[id].block;
    if (block) pool_.give_back(*block);
    block.reset();
}

void* FloatingMemory::scratch(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    check_memory(bytes);
    const std::size_t block = pool_.take(bytes);
    pool_.give_back(block);
    return pool_.data(block);
}

void FloatingMemory::finish(std::span<Tensor> outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const FloatingPort& port = part_.results[i];
        if (!port.floats) continue;
        const FloatingValue& value = values_[port.value];
        Tensor& output = outputs[i] = std::exchange(written_[i], Tensor());
        if (output && output.data() == value.data) continue;
        output = results_[i].take(inputs_, value.type, value.shape);
        check_memory(0);
        if (output.byte_size() > 0) std::memcpy(output.data(), value.data, output.byte_size());
    }
}

void FloatingMemory::release_large() {
    std::size_t bytes = pool_.bytes();
    for (const GrowingResult& result : results_) bytes += result.bytes();
    if (bytes <= OutputBinding::kWorthKeeping) return;
    pool_.clear();
    for (GrowingResult& result : results_) result.clear();
}

std::optional<std::size_t> FloatingMemory::result_of(ValueId id) const {
    for (std::size_t i = 0; i < part_.results.size(); ++i) {
        if (part_.results[i].floats && part_.results[i].value == id) return i;
    }
    return std::nullopt;
}

void FloatingMemory::check_memory(std::size_t more) const {
    std::size_t bytes = arena_bytes_ + std::max(pool_.bytes(), more);
    for (const GrowingResult& result : results_) bytes += result.bytes();
    check_total(bytes, limits_);
}

}  // namespace rondo::cpu
