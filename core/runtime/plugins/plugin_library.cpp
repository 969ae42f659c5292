#include "core/runtime/plugins/plugin_library.hpp"

#include <dlfcn.h>
#include <exception>
#include <new>
#include <string_view>

#include "core/support/errors.hpp"
#include "rondo/error.hpp"
#include "rondo/version.hpp"

namespace rondo {

void rethrow_from_plugin(const std::string& place) {
    try {
        throw;
    } catch (const ModelError& error) {
        throw ModelError(placed(place, error.what()));
    } catch (const UnsupportedError& error) {
        throw UnsupportedError(placed(place, error.what()));
    } catch (const CancelledError& error) {
        throw CancelledError(placed(place, error.what()));
    } catch (const OutOfMemoryError& error) {
        throw OutOfMemoryError(placed(place, error.what()));
    } catch (const QueueFullError& error) {
        throw QueueFullError(placed(place, error.what()));
    } catch (const InternalError& error) {
        throw InternalError(placed(place, error.what()));
    } catch (const std::bad_alloc&) {
        throw OutOfMemoryError(placed(place, "out of memory"));
    } catch (const std::exception& error) {
        throw Error(placed(place, error.what()));
    } catch (...) {
        throw Error(placed(place, "threw what is neither an Error nor a std::exception"));
    }
}

namespace {

using Library = std::unique_ptr<void, int (*)(void*)>;

Library open(const std::string& path) {
    Library library(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), ::dlclose);
    if (library != nullptr) return library;
    const char* reason = ::dlerror();
    throw ModelError(path + ": can't load the plugin: " + (reason == nullptr ? "" : reason));
}

template <typename Function>
Function* find(const Library& library, const std::string& path, const char* name) {
    void* const symbol = ::dlsym(library.get(), name);
    if (symbol != nullptr) return reinterpret_cast<Function*>(symbol);
    throw ModelError(path + ": is not a plugin: it doesn't define " + name +
                     "(), as RONDO_DEFINE_PLUGIN does");
}

// "0.1" of "0.1.0": within it the headers keep their classes.
std::string_view minor_version(std::string_view version) {
    return version.substr(0, version.find('.', version.find('.') + 1));
}

void check_version(const std::string& path, const char* built_with) {
    const std::string_view version = built_with == nullptr ? "" : built_with;
    if (minor_version(version) == minor_version(RONDO_VERSION)) return;
    throw ModelError(path + ": the plugin was built with Rondo '" + std::string(version) +
                     "', but this is " + RONDO_VERSION + "; build it again with these headers");
}

}  // namespace

std::unique_ptr<DevicePlugin> load_plugin(const std::string& path) {
    Library library = open(path);
    const auto version = find<const char*()>(library, path, "rondo_plugin_version");
    check_version(path, at_plugin(path, version));
    const auto create = find<DevicePlugin*()>(library, path, "rondo_create_plugin");
    static_cast<void>(library.release());  // it stays, even if the constructor throws
    std::unique_ptr<DevicePlugin> plugin(at_plugin(path, create));
    if (plugin == nullptr) throw ModelError(path + ": rondo_create_plugin() made no plugin");
    return plugin;
}

}  // namespace rondo
