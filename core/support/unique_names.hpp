// Makes names unique: a name that is taken gets a number or an underscore behind it.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

namespace rondo {

class UniqueNames {
public:
    /// The numbers behind names start with `first_number`.
    explicit UniqueNames(std::size_t first_number = 1) : first_number_(first_number) {}

    /// Takes the name. False where it was taken before.
    bool insert(const std::string& name) { return taken_.emplace(name, first_number_).second; }

    /// Each of these takes the name that it returns: `wanted`, or where that is taken the first
    /// free one of `wanted_1`, `wanted_2` ...
    std::string take(const std::string& wanted);
    /// The first free one of `wanted_1`, `wanted_2` ..., never `wanted` itself.
    std::string take_numbered(const std::string& wanted);
    /// The first free one of `wanted`, `wanted_`, `wanted__` ...
    std::string take_underscored(std::string wanted);

private:
    std::size_t first_number_;
    // Name -> the number to try next, so that many equal names cost no search.
    std::unordered_map<std::string, std::size_t> taken_;
};

}  // namespace rondo
