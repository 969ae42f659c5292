// Makes a device of this library out of one that implements the public interface.
#pragma once

#include <memory>
#include <string>

#include "core/runtime/plugin.hpp"
#include "rondo/plugin.hpp"

namespace rondo {

/// The device `name`, which calls `plugin`. It keeps the variables, names the device in every
/// error, and checks what the plugin gives: an Error if objects, outputs or values of variables
/// are missing, or are of another type or shape than the model's.
std::unique_ptr<Plugin> adapt_plugin(const std::string& name, std::unique_ptr<DevicePlugin> plugin);

}  // namespace rondo
