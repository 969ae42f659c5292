// The device "REFERENCE": runs the reference evaluators node by node, the oracle of every test.
#pragma once

#include <memory>

#include "core/runtime/plugin.hpp"

namespace rondo::reference {

/// It is slow and obvious: no rewrites, no memory plan, one thread.
std::unique_ptr<Plugin> make_reference_plugin();

}  // namespace rondo::reference
