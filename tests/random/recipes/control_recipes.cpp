// Random nodes that have bodies: choices, loops and scans.
#include "tests/random/recipes/body_parts.hpp"

namespace rondo::test {

std::vector<Recipe> control_recipes() {
    std::vector<Recipe> all;
    for (const auto& recipes : {if_recipes(), loop_recipes(), scan_recipes(), scan_recipes()}) {
        all.insert(all.end(), recipes.begin(), recipes.end());
    }
    return all;
}

}  // namespace rondo::test
