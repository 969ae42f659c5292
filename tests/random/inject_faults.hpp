// Random models that are fed what their declarations let pass and their nodes can't take.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "tests/random/random_model.hpp"

namespace rondo::test {

/// The model with some of its initializers, also those of bodies, as inputs of open shape, and with
/// one or two inputs of each run changed: other open extents, or other integers, such as lengths,
/// indices, axes, shapes and trip counts below 0, too large or just beside the right ones.
RandomModel with_faults(const RandomModel& model, std::uint64_t seed);

/// The names of nodes and tensors in the file, also those of bodies.
std::set<std::string> names_in(const std::string& bytes);

/// What the model's errors are like on both devices, as it is, reshaped to the inputs of its first
/// run, and written as IR.
struct FaultReport {
    std::string failure;     ///< the first error that doesn't begin with a name of the file
    int errors_of_runs = 0;  ///< of those of the model as it is that name a node
};
FaultReport report_of_faults(const RandomModel& model);

}  // namespace rondo::test
