// The instruction sets of this machine, and one of them for as long as a scope lasts.
#pragma once

#include <string>
#include <vector>

namespace rondo::test {

/// Values of RONDO_ISA that this machine has, up to the one that is set, the best first.
std::vector<std::string> instruction_sets();

/// Sets RONDO_ISA, and puts it back when it goes. Not for tests with threads of their own.
class IsaScope {
public:
    explicit IsaScope(const std::string& isa);
    ~IsaScope();
    IsaScope(const IsaScope&) = delete;
    IsaScope& operator=(const IsaScope&) = delete;

private:
    std::string saved_;
};

}  // namespace rondo::test
