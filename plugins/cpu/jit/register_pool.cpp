#include "plugins/cpu/jit/register_pool.hpp"

#include <algorithm>

#include "core/support/errors.hpp"

namespace rondo::cpu::jit {

RegisterPool::RegisterPool(std::string kind, std::vector<int> registers) : kind_(std::move(kind)) {
    for (int index : registers) slots_.push_back({index, 0, ""});
}

int RegisterPool::take(const char* role) {
    for (Slot& slot : slots_) {
        if (slot.uses > 0) continue;
        slot.uses = 1;
        slot.role = role;
        return slot.index;
    }
    std::string roles;
    for (const Slot& slot : slots_) roles += std::string(roles.empty() ? "" : ", ") + slot.role;
    internal_error("no " + kind_ + " register left for '" + role + "'; in use: " + roles);
}

int RegisterPool::free_count() const {
    return static_cast<int>(std::count_if(slots_.begin(), slots_.end(),
                                          [](const Slot& slot) { return slot.uses == 0; }));
}

std::size_t RegisterPool::position(int index) const {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (slots_[i].index == index) return i;
    }
    internal_error("register " + std::to_string(index) + " is not in the " + kind_ + " pool");
}

}  // namespace rondo::cpu::jit
