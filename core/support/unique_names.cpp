#include "core/support/unique_names.hpp"

namespace rondo {

std::string UniqueNames::take(const std::string& wanted) {
    return insert(wanted) ? wanted : take_numbered(wanted);
}

std::string UniqueNames::take_numbered(const std::string& wanted) {
    insert(wanted);
    while (true) {
        std::string name = wanted + "_" + std::to_string(taken_[wanted]++);
        if (insert(name)) return name;
    }
}

std::string UniqueNames::take_underscored(std::string wanted) {
    while (!insert(wanted)) wanted += "_";
    return wanted;
}

}  // namespace rondo
