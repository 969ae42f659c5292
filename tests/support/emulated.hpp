// Whether an emulator runs the tests, as qemu-user does after cross-compiling.
#pragma once

namespace rondo::test {

/// qemu-user runs no threads in a forked child, starts no program of the emulated processor, and
/// shows the host's /proc/cpuinfo.
bool is_emulated();

}  // namespace rondo::test
