// Makes names unique: a name that is taken gets a number or an underscore at its end.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace rondo {

class UniqueNames {
public:
    /// The numbers at the end of names start with `first_number`.
    explicit UniqueNames(std::size_t first_number = 1) : first_number_(first_number) {}

    /// Takes the name. False if it was taken before.
    bool insert(const std::string& name);

    /// Each of these takes the name that it returns: `wanted`, or if that is taken the first
    /// free one of `wanted_1`, `wanted_2` ...
    std::string take(const std::string& wanted);
    /// The first free one of `wanted_1`, `wanted_2` ..., never `wanted` itself.
    std::string take_numbered(const std::string& wanted);
    /// The first free one of `wanted`, `wanted_`, `wanted__` ...
    std::string take_underscored(std::string wanted);

    /// A state to go back to, so that names can be given again.
    using Mark = std::size_t;
    Mark mark() const { return changes_.size(); }
    void go_back_to(Mark mark);

private:
    // A name and the number that it had before; empty if it was free.
    struct Change {
        std::string name;
        std::optional<std::size_t> number;
    };

    std::size_t first_number_;
    // Name -> the number to try next, so that many equal names cost no search.
    std::unordered_map<std::string, std::size_t> taken_;
    std::vector<Change> changes_;
};

}  // namespace rondo
