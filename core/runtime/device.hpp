// A device as Core knows it: its plugin and the properties that were set for it.
#pragma once

#include <memory>
#include <string>

#include "core/runtime/plugin.hpp"

namespace rondo {

/// The device that a name means: AUTO, MULTI:CPU, CPU.0 and the like, and no name, are CPU.
std::string device_named(const std::string& name);

/// Not thread-safe by itself: Core guards it.
class Device {
public:
    Device(std::string name, std::shared_ptr<Plugin> plugin);

    const std::string& name() const { return name_; }
    const std::shared_ptr<Plugin>& plugin() const { return plugin_; }

    void set_properties(const Properties& properties);
    /// Those that were set.
    const Properties& own_properties() const { return set_; }
    std::string property(const std::string& name) const;
    /// Every property of the device: its defaults, what was set, then `properties`. Throws
    /// ModelError for an unknown or read-only name, listing the known ones.
    Properties merged(const Properties& properties) const;

private:
    std::string name_;
    std::shared_ptr<Plugin> plugin_;
    Properties set_;
};

}  // namespace rondo
