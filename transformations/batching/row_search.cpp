#include "transformations/batching/row_search.hpp"

#include <utility>

namespace rondo::passes {
namespace {

constexpr int kMaxAttempts = 2000;

}  // namespace

std::size_t RowSearch::choose(std::size_t count, RowChoices& causes) {
    if (made_ == choices_.size()) choices_.push_back({0, count, causes});
    causes.insert(made_);
    return choices_[made_++].taken;
}

// The last choice among the conflicts takes its next possibility. Where there is none, the choices
// that led to it are in conflict.
bool RowSearch::go_back(RowChoices conflicts) {
    while (!conflicts.empty()) {
        const std::size_t last = *conflicts.rbegin();
        conflicts.erase(last);
        choices_.resize(last + 1);
        Choice& choice = choices_[last];
        choice.causes.insert(conflicts.begin(), conflicts.end());
        if (++choice.taken < choice.count) return true;
        conflicts = std::move(choice.causes);
        choices_.pop_back();
    }
    return false;
}

std::optional<RowObstacle> RowSearch::run(FunctionRef<void()> attempt,
                                          FunctionRef<std::size_t()> progress) {
    std::optional<RowObstacle> farthest;
    std::size_t best = 0;
    for (int i = 0; i < kMaxAttempts; ++i) {
        made_ = 0;
        try {
            attempt();
            return {};
        } catch (RowObstacle& obstacle) {
            const RowChoices conflicts = obstacle.choices;
            if (!farthest || progress() > best) {
                best = progress();
                farthest = std::move(obstacle);
            }
            if (!go_back(conflicts)) break;
        }
    }
    return farthest;
}

}  // namespace rondo::passes
