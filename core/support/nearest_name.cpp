#include "rondo/nearest_name.hpp"

#include <algorithm>
#include <cstddef>

#include "core/support/strings.hpp"

namespace rondo {
namespace {

// Longer names aren't compared: the time grows with the square.
constexpr std::size_t kMostLetters = 200;
constexpr std::size_t kFewestContained = 3;
constexpr std::size_t kFewestChanged = 4;  // GPU isn't CPU

// Letters to change, leave out, add, or swap with their neighbour: the distance of Damerau and
// Levenshtein, each letter in one change at most. A row of the table for each letter of `a`.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({changed, above[j] + 1, row[j - 1] + 1});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(above);
        above.swap(row);
    }
    return above[b.size()];
}

std::string nearest_by_letters(const std::string& name, const std::vector<std::string>& known) {
    std::string nearest;
    std::size_t least = name.size() < kFewestChanged ? 1 : name.size() / 3 + 1;
    for (const auto& candidate : known) {
        const std::size_t longer = std::max(candidate.size(), name.size());
        const std::size_t shorter = std::min(candidate.size(), name.size());
        if (longer > kMostLetters || longer - shorter >= least) continue;
        const std::size_t letters = distance(name, to_lower(candidate));
        if (letters >= least) continue;
        least = letters;
        nearest = candidate;
    }
    return nearest;
}

std::string shortest_that_contains(const std::string& name, const std::vector<std::string>& known) {
    std::string shortest;
    if (name.size() < kFewestContained) return shortest;
    for (const auto& candidate : known) {
        const bool shorter = shortest.empty() || candidate.size() < shortest.size();
        const bool contains = to_lower(candidate).find(name) != std::string::npos;
        if (shorter && contains) shortest = candidate;
    }
    return shortest;
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
    const std::string lower = to_lower(name);
    if (lower.empty()) return {};
    const std::string nearest = nearest_by_letters(lower, known);
    return nearest.empty() ? shortest_that_contains(lower, known) : nearest;
}

std::string known_names(const std::string& name, const std::vector<std::string>& known) {
    const std::string nearest = nearest_name(name, known);
    const std::string list = "here are: " + quoted_list(known);
    return nearest.empty() ? "t" + list : "did you mean '" + nearest + "'? T" + list;
}

std::string known_inputs(const std::string& name, const std::vector<std::string>& known,
                         const std::vector<std::string>& constants) {
    if (std::find(constants.begin(), constants.end(), name) == constants.end()) {
        return known_names(name, known);
    }
    return "it has an initializer, so that reading made it a constant; read the model with "
           "KEEP_INPUTS=YES (rondo: --keep-inputs) to keep it an input; there are: " +
           quoted_list(known);
}

}  // namespace rondo
