#include "core/support/unique_names.hpp"

namespace rondo {

bool UniqueNames::insert(const std::string& name) {
    if (!taken_.emplace(name, first_number_).second) return false;
    changes_.push_back({name, std::nullopt});
    return true;
}

void UniqueNames::go_back_to(Mark mark) {
    for (; changes_.size() > mark; changes_.pop_back()) {
        const Change& change = changes_.back();
        if (change.number) {
            taken_[change.name] = *change.number;
        } else {
            taken_.erase(change.name);
        }
    }
}

std::string UniqueNames::take(const std::string& wanted) {
    return insert(wanted) ? wanted : take_numbered(wanted);
}

std::string UniqueNames::take_numbered(const std::string& wanted) {
    insert(wanted);
    while (true) {
        std::size_t& number = taken_[wanted];
        changes_.push_back({wanted, number});
        std::string name = wanted + "_" + std::to_string(number++);
        if (insert(name)) return name;
    }
}

std::string UniqueNames::take_underscored(std::string wanted) {
    while (!insert(wanted)) wanted += "_";
    return wanted;
}

}  // namespace rondo
