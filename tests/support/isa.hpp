// The instruction sets of this machine, and a limit to one of them within a scope.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/environment_variable.hpp"

namespace rondo::test {

/// Values of RONDO_ISA that this machine has, up to the one that is set, best first.
std::vector<std::string> instruction_sets();

/// The one that a test of many seeds uses with this seed: they take turns.
std::string isa_of(std::uint64_t seed);

/// Sets RONDO_ISA until its destruction. Not for tests that start threads.
class IsaScope : public EnvironmentVariable {
public:
    explicit IsaScope(const std::string& isa) : EnvironmentVariable("RONDO_ISA", isa) {}
};

}  // namespace rondo::test
