#include "plugins/cpu/plugin/threads/team_pool.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <unistd.h>

#include "plugins/cpu/kernels/machine/shared_bytes.hpp"

namespace rondo::cpu {
namespace {

// More teams than fill the cores only take time from each other; but a few callers at once may each
// want all cores.
std::size_t teams_for(const TeamOptions& options) {
    const int cores = available_cores();
    if (std::min(options.threads, cores) <= 1) return 0;
    constexpr int kFewCallers = 4;
    return static_cast<std::size_t>(
        std::max(kFewCallers, (2 * cores + options.threads - 1) / options.threads));
}

// A forked child has the memory of its parent's teams, but none of their threads.
using Key = std::tuple<int, std::vector<int>, bool, pid_t>;

}  // namespace

TeamPool::TeamPool(const TeamOptions& options) : options_(options), slots_(teams_for(options)) {
    if (!slots_.empty()) threads_ = options.threads;
}

Team& TeamPool::Lease::take() {
    team_ = &alone_;
    if (pool_.made_at_.load(std::memory_order_acquire) != fork_count()) pool_.leave_parents_teams();
    const std::size_t count = pool_.slots_.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t index = (last_ + i) % count;
        Slot& slot = pool_.slots_[index];
        if (slot.taken.load(std::memory_order_relaxed) ||
            slot.taken.exchange(true, std::memory_order_acquire)) {
            continue;
        }
        slot_ = &slot;
        last_ = index;
        if (!slot.team) slot.team = make_team(pool_.options_);
        team_ = slot.team.get();
        break;
    }
    return *team_;
}

// A thread of the parent may have been at work with a team when the process was forked: neither its
// end nor what it left half-way is known here.
void TeamPool::leave_parents_teams() {
    const std::lock_guard lock(leaving_);
    if (made_at_.load(std::memory_order_relaxed) == fork_count()) return;
    for (Slot& slot : slots_) {
        static_cast<void>(slot.team.release());
        slot.taken.store(false, std::memory_order_relaxed);
    }
    made_at_.store(fork_count(), std::memory_order_release);
}

void TeamPool::Lease::give_back() { slot_->taken.store(false, std::memory_order_release); }

std::shared_ptr<TeamPool> shared_team_pool(const TeamOptions& options) {
    static AliveCache<Key, TeamPool> alive;
    return alive.find_or_make({options.threads, options.pins, options.flush_denormals, ::getpid()},
                              [&] { return std::make_shared<TeamPool>(options); });
}

}  // namespace rondo::cpu
