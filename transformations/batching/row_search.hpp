// A search through choices that depend on each other, which goes back to the one that was wrong.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/support/function_ref.hpp"
#include "transformations/batching/row_value.hpp"

namespace rondo::passes {

/// Repeats an attempt until it meets no obstacle. Each attempt makes its choices in the same order,
/// as long as those before came out the same.
class RowSearch {
public:
    /// Which of `count` (> 0) possibilities to take, which exist because of the choices in
    /// `causes`. Adds the new choice to `causes`.
    std::size_t choose(std::size_t count, RowChoices& causes);

    /// Runs `attempt`, which throws RowObstacle, until one succeeds: then nothing is returned. Else
    /// returns the obstacle of the attempt that got farthest, by `progress` after each.
    std::optional<RowObstacle> run(FunctionRef<void()> attempt,
                                   FunctionRef<std::size_t()> progress);

private:
    struct Choice {
        std::size_t taken = 0;
        std::size_t count = 0;
        RowChoices causes{};  // of the choice itself, and of the obstacles that it met
    };
    bool go_back(RowChoices conflicts);

    std::vector<Choice> choices_;
    std::size_t made_ = 0;  // in this attempt
};

}  // namespace rondo::passes
