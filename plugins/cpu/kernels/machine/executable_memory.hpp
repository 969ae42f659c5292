// Whether the system lets a process run code that it has written itself.
#pragma once

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

/// Tries it with one page: seccomp, SELinux or a process's own choice may forbid it, and may begin
/// to do so at any time.
bool can_generate_code();

/// best_isa(), or `plain` where no code can be generated. Throws UnsupportedError where RONDO_ISA
/// names another set then.
Isa usable_isa();

}  // namespace rondo::cpu
