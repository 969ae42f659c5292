// A search through choices that depend on each other, which goes back to the one that was wrong.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

namespace rondo::passes {

/// Choices by number, in the order in which they are made.
using Choices = std::set<std::size_t>;

/// Serves attempts, one after another. Each attempt makes its choices in the same order, as long as
/// those before had the same result.
class Search {
public:
    /// Which of `count` (> 0) possibilities to take, which exist because of the choices in
    /// `causes`. Adds the new choice to `causes`.
    std::size_t choose(std::size_t count, Choices& causes);
    /// The same for possibilities that may depend on all choices so far.
    std::size_t choose(std::size_t count);

    /// Ends an attempt that failed because of the choices in `conflicts`: the last of them that has
    /// another possibility takes it in the next attempt. False if none has.
    bool go_back(Choices conflicts);
    /// The same if all choices of the attempt may be wrong.
    bool go_back() { return go_back(made()); }

private:
    struct Choice {
        std::size_t taken = 0;
        std::size_t count = 0;
        Choices causes{};  // of the choice itself, and of the obstacles that it met
    };
    Choices made() const;

    std::vector<Choice> choices_;
    std::size_t made_ = 0;  // in this attempt
};

}  // namespace rondo::passes
