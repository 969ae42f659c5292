// The copy of the data that a scatter starts from.
#pragma once

#include <cstring>

#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu {

/// Copies `bytes`, shared among the team.
inline void copy_shared(Team& team, const void* from, void* to, std::int64_t bytes) {
    constexpr std::int64_t kGrainBytes = 1 << 18;
    share(team, bytes, kGrainBytes, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                    static_cast<std::size_t>(end - begin));
    });
}

}  // namespace rondo::cpu
