// Shares a range of items among a team where that pays.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// Calls body(begin, end, slice) for pieces that cover [0, count), each of `grain` items or more.
/// Slices are numbered from 0 and are at most team.size().
template <typename Body>
void share_slices(Team& team, std::int64_t count, std::int64_t grain, Body&& body) {
    const std::int64_t most = count / std::max<std::int64_t>(grain, 1);
    const std::int64_t slices = std::min<std::int64_t>(team.size(), most);
    if (slices < 2) {
        if (count > 0) body(std::int64_t{0}, count, 0);
        return;
    }
    team.run(static_cast<int>(slices),
             [&](int slice) { body(count * slice / slices, count * (slice + 1) / slices, slice); });
}

/// Calls body(begin, end) for such pieces.
template <typename Body>
void share(Team& team, std::int64_t count, std::int64_t grain, Body&& body) {
    share_slices(team, count, grain,
                 [&](std::int64_t begin, std::int64_t end, int) { body(begin, end); });
}

}  // namespace rondo::cpu
