// The device "CPU": compiles graphs to programs of native kernels.
#pragma once

#include <memory>

#include "core/runtime/plugin.hpp"

namespace rondo::cpu {

std::unique_ptr<Plugin> make_cpu_plugin();

}  // namespace rondo::cpu
