// The list of devices that are part of the library.
#include <array>

#include "core/runtime/plugin.hpp"
#include "plugins/cpu/plugin/cpu_plugin.hpp"
#include "plugins/reference/reference_plugin.hpp"

namespace rondo {

std::span<const BuiltinPlugin> builtin_plugins() {
    static constexpr std::array kPlugins = {
        BuiltinPlugin{"CPU", cpu::make_cpu_plugin},
        BuiltinPlugin{"REFERENCE", reference::make_reference_plugin},
    };
    return kPlugins;
}

}  // namespace rondo
