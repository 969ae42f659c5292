// Loads the shared library of a plugin, and turns whatever its code throws into errors that name
// it.
#pragma once

#include <memory>
#include <string>

#include "rondo/plugin.hpp"

namespace rondo {

/// Throws the exception that is being handled as an Error of the same kind whose message begins
/// with `place`: a lack of memory as OutOfMemoryError, what is no Error as one of no other kind.
/// The new one is Rondo's own: no code of the plugin is needed to read or destroy it.
[[noreturn]] void rethrow_from_plugin(const std::string& place);

/// Runs `action`, which calls a plugin; an exception leaves as rethrow_from_plugin() says.
template <typename Action>
auto at_plugin(const std::string& place, const Action& action) -> decltype(action()) {
    try {
        return action();
    } catch (...) {
        rethrow_from_plugin(place);
    }
}

/// The device of a library that RONDO_DEFINE_PLUGIN made a plugin. The library stays loaded until
/// the process ends: tensors and errors that its code made may outlive the device. A path without
/// a slash is looked for where the system looks for libraries. Throws ModelError with the loader's
/// reason, and for a library that is no plugin or was built for another version; what the plugin's
/// constructor throws names the path.
std::unique_ptr<DevicePlugin> load_plugin(const std::string& path);

}  // namespace rondo
