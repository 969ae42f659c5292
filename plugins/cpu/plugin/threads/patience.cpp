#include "plugins/cpu/plugin/threads/patience.hpp"

#include <algorithm>

namespace rondo::cpu {

void Patience::note_late(Clock::time_point now) {
    const bool again = alone_ && now < end_ + kMemory * length_;
    length_ = again ? std::min<Clock::duration>(2 * length_, kMost) : Clock::duration(kFirst);
    end_ = now + length_;
    alone_ = true;
}

}  // namespace rondo::cpu
