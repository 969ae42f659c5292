// Help for a name that isn't known: the one that was meant, and those there are.
#pragma once

#include <string>
#include <vector>

#include "rondo/export.hpp"

namespace rondo {

/// The known name that `name` was probably meant to be: the one with the fewest changed, missing,
/// added or swapped letters, a third of them at most and none in names of three, else the shortest
/// one that contains `name`. Case makes no difference. Empty if none is near.
RONDO_API std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

/// The end of a message on an unknown name: "did you mean 'a'? There are: 'a', 'b'", or
/// "there are: 'a', 'b'" if none is near. It lists twenty names at most.
RONDO_API std::string known_names(const std::string& name, const std::vector<std::string>& known);

/// The same for the name of an input. If reading made that input one of `constants`, it says so,
/// and how it stays an input.
RONDO_API std::string known_inputs(const std::string& name, const std::vector<std::string>& known,
                                   const std::vector<std::string>& constants);

}  // namespace rondo
