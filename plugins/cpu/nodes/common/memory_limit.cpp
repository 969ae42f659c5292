#include "plugins/cpu/nodes/common/memory_limit.hpp"

#include <unistd.h>

#include "rondo/error.hpp"
#include "rondo/properties.hpp"

namespace rondo::cpu {

std::size_t machine_memory() {
    static const std::size_t bytes = [] {
        const long pages = sysconf(_SC_PHYS_PAGES);
        const long page = sysconf(_SC_PAGE_SIZE);
        constexpr std::size_t kWhenUnknown = std::size_t{1} << 40;
        return pages > 0 && page > 0
                   ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                   : kWhenUnknown;
    }();
    return bytes;
}

void check_tensor(std::size_t bytes, const ModelLimits& limits) {
    check_total(bytes);
    if (limits.tensor_bytes == 0 || bytes <= limits.tensor_bytes) return;
    throw ModelError("it has " + std::to_string(bytes) + " bytes; " +
                     limit_text(limits.tensor_bytes, property::kMaxTensorBytes));
}

std::size_t checked_bytes(const Node& node, const TensorInfo& output, const ModelLimits& limits) {
    try {
        const std::size_t bytes = element_count(output.shape) * size_of(output.type);
        check_tensor(bytes, limits);
        return bytes;
    } catch (const ModelError& error) {
        throw ModelError(describe(node) + ": the output of shape " + to_string(output.shape) +
                         " is too large: " + error.what());
    }
}

void check_bytes(const Node& node, const Tensor& output, const ModelLimits& limits) {
    if (limits.tensor_bytes == 0 || output.byte_size() <= limits.tensor_bytes) return;
    checked_bytes(node, {output.element_type(), output.shape(), {}, true}, limits);  // throws
}

void check_total(std::size_t bytes, const ModelLimits& limits, FunctionRef<std::string()> largest) {
    const bool within_limit = limits.plan_bytes == 0 || bytes <= limits.plan_bytes;
    if (within_limit && bytes <= machine_memory()) return;
    throw ModelError("these input shapes need " + std::to_string(bytes) + " bytes of memory; " +
                     (within_limit ? "this machine has " + std::to_string(machine_memory())
                                   : limit_text(limits.plan_bytes, property::kMaxPlanBytes)) +
                     largest());
}

}  // namespace rondo::cpu
