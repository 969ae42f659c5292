// The kernels' team over oneTBB.
#pragma once

#include <memory>

#include "plugins/cpu/kernels/team.hpp"

namespace rondo::cpu {

/// Cores that this process may run on (its affinity mask); at least 1.
int available_cores();

/// A team of `threads` threads, the caller among them; 1 gives a team without TBB. Its threads come
/// from TBB's pool when there is work, so idle teams cost nothing. One caller at a time.
std::unique_ptr<Team> make_team(int threads);

}  // namespace rondo::cpu
