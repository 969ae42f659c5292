// Shares a range of items among a team where that pays.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// Calls body(begin, end) for pieces that cover [0, count), each of `grain` items or more.
template <typename Body>
void share(Team& team, std::int64_t count, std::int64_t grain, Body&& body) {
    const std::int64_t most = count / std::max<std::int64_t>(grain, 1);
    const std::int64_t slices = std::min<std::int64_t>(team.size(), most);
    if (slices < 2) {
        if (count > 0) body(std::int64_t{0}, count);
        return;
    }
    team.run(static_cast<int>(slices),
             [&](int slice) { body(count * slice / slices, count * (slice + 1) / slices); });
}

}  // namespace rondo::cpu
