// A team over threads of its own, for forked children: TBB there waits for threads of the parent.
#pragma once

#include <memory>

#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// `threads` with the caller among them, at least 2. Threads that have no work for long end; they
/// aren't pinned. `flush_denormals` as in TeamOptions.
std::unique_ptr<Team> make_own_team(int threads, bool flush_denormals);

}  // namespace rondo::cpu
