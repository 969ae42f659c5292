// When steps of live streams were late: now and then for a while, or all the time.
#pragma once

#include <cstddef>
#include <vector>

namespace rondo::tool {

/// A step that was late, in milliseconds of one clock.
struct LateStep {
    double due;
    double end;
};

struct LateSpells {
    std::size_t count = 0;
    double longest_ms = 0;
};

/// A spell holds the late steps of which each was due before all in front of it had ended; it lasts
/// from the first one's due time to the last end. The steps may be in any order.
LateSpells spells_of(std::vector<LateStep> steps);

}  // namespace rondo::tool
