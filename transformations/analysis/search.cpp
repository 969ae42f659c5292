#include "transformations/analysis/search.hpp"

#include <utility>

namespace rondo::passes {

Choices Search::made() const {
    Choices all;
    for (std::size_t i = 0; i < made_; ++i) all.insert(i);
    return all;
}

std::size_t Search::choose(std::size_t count, Choices& causes) {
    if (made_ == choices_.size()) choices_.push_back({0, count, causes});
    causes.insert(made_);
    return choices_[made_++].taken;
}

std::size_t Search::choose(std::size_t count) {
    Choices causes = made();
    return choose(count, causes);
}

// If the last choice among the conflicts has no other possibility, the choices that led to it are
// in conflict.
bool Search::go_back(Choices conflicts) {
    made_ = 0;
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

}  // namespace rondo::passes
