#include "streams/late_spells.hpp"

#include <algorithm>

namespace rondo::tool {

LateSpells spells_of(std::vector<LateStep> steps) {
    std::sort(steps.begin(), steps.end(),
              [](const LateStep& a, const LateStep& b) { return a.due < b.due; });
    LateSpells spells;
    double begin = 0;
    double end = 0;
    for (const LateStep& step : steps) {
        if (spells.count == 0 || step.due > end) {
            ++spells.count;
            begin = step.due;
            end = step.end;
        }
        end = std::max(end, step.end);
        spells.longest_ms = std::max(spells.longest_ms, end - begin);
    }
    return spells;
}

}  // namespace rondo::tool
