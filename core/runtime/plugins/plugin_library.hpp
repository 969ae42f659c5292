// Loads the shared library of a plugin.
#pragma once

#include <memory>
#include <string>

#include "rondo/plugin.hpp"

namespace rondo {

/// The device of a library that RONDO_DEFINE_PLUGIN made a plugin. The library stays loaded until
/// the process ends: tensors and errors that its code made may outlive the device. A path without
/// a slash is looked for where the system looks for libraries. Throws ModelError with the loader's
/// reason, and for a library that is no plugin or was built for another version; what the plugin's
/// constructor throws names the path.
std::unique_ptr<DevicePlugin> load_plugin(const std::string& path);

}  // namespace rondo
