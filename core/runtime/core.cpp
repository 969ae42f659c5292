#include "rondo/core.hpp"

#include <algorithm>

#include "core/runtime/cache/exported_model.hpp"
#include "core/runtime/compile.hpp"
#include "core/runtime/device.hpp"
#include "core/runtime/device_adapter.hpp"
#include "core/runtime/frontend.hpp"
#include "core/runtime/plugins/plugin_library.hpp"
#include "core/runtime/properties/property_values.hpp"
#include "core/runtime/transforms.hpp"
#include "core/support/api_boundary.hpp"
#include "core/support/process.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"
#include "rondo/version.hpp"

namespace rondo {

struct Core::Impl {
    mutable ForkMutex mutex;
    mutable std::map<std::string, Device> devices;  // filled as devices are first asked for
    std::map<std::string, std::string> registered;  // name -> path

    std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (const auto& plugin : builtin_plugins()) result.emplace_back(plugin.name);
        for (const auto& [name, path] : registered) result.push_back(name);
        return result;
    }

    // A device that is registered under a name such as AUTO is that one.
    std::string meant(const std::string& name) const {
        return registered.contains(name) ? name : device_named(name);
    }

    // The mutex must be held.
    Device& device(const std::string& asked) const {
        const std::string name = meant(asked);
        const auto at = devices.find(name);
        if (at != devices.end()) return at->second;
        return devices.emplace(name, Device(name, make_plugin(name))).first->second;
    }

    CompileTarget target(const std::string& asked, const Properties& properties) const {
        const std::lock_guard lock(mutex);
        const std::string name = meant(asked);
        const Device& chosen = device(name);
        return {name, chosen.plugin(), chosen.merged(properties)};
    }

    // Those that were set for the default device, and `properties`.
    Properties settings_of_reading(const Properties& properties) const {
        if (!properties.empty()) return target("CPU", properties).settings;
        const std::lock_guard lock(mutex);
        const auto at = devices.find("CPU");
        return at == devices.end() ? Properties() : at->second.own_properties();
    }

    Model read(ModelSource& source, const Properties& properties) const {
        configure(source, settings_of_reading(properties));
        return Model(rondo::read_model(source));
    }

    std::vector<NodeSupport> query(ModelSource& source, const Properties& properties) const {
        configure(source, settings_of_reading(properties));
        return rondo::query_model(source);
    }

    std::shared_ptr<Plugin> make_plugin(const std::string& name) const {
        if (const auto at = registered.find(name); at != registered.end()) {
            return adapt_plugin(name, load_plugin(at->second));
        }
        for (const auto& plugin : builtin_plugins()) {
            if (plugin.name == name) return plugin.make();
        }
        throw ModelError("unknown device '" + name + "'; " + known_names(name, names()));
    }
};

namespace {

ModelSource source_in_memory(const void* data, std::size_t size) {
    ModelSource source;
    source.data = static_cast<const std::byte*>(data);
    source.size = data == nullptr ? 0 : size;
    return source;
}

ModelSource source_in_memory(const void* data, std::size_t size, const ExternalData& external) {
    ModelSource source = source_in_memory(data, size);
    for (const auto& [location, file] : external.files()) {
        if (!file) throw ModelError("the external data '" + location + "' is an empty tensor");
        source.external.emplace(location, file.contiguous());
    }
    return source;
}

}  // namespace

Version get_version() { return {RONDO_VERSION, "Rondo"}; }

Core::Core() : impl_(std::make_shared<Impl>()) {}

Model Core::read_model(const std::string& path, const std::string& weights_path) const {
    return read_model(path, weights_path, {});
}

Model Core::read_model(const std::string& path, const std::string& weights_path,
                       const Properties& properties) const {
    return at_api_boundary([&] {
        ModelSource source = source_of(path);
        source.weights_path = weights_path;
        return impl_->read(source, properties);
    });
}

Model Core::read_model(const void* data, std::size_t size, const Tensor& weights) const {
    return read_model(data, size, weights, {});
}

Model Core::read_model(const void* data, std::size_t size, const Tensor& weights,
                       const Properties& properties) const {
    return at_api_boundary([&] {
        ModelSource source = source_in_memory(data, size);
        source.weights = weights;
        return impl_->read(source, properties);
    });
}

Model Core::read_model(const void* data, std::size_t size, const ExternalData& external,
                       const Properties& properties) const {
    return at_api_boundary([&] {
        ModelSource source = source_in_memory(data, size, external);
        return impl_->read(source, properties);
    });
}

std::vector<NodeSupport> Core::query_model(const std::string& path,
                                           const Properties& properties) const {
    return at_api_boundary([&] {
        ModelSource source = source_of(path);
        return impl_->query(source, properties);
    });
}

std::vector<NodeSupport> Core::query_model(const void* data, std::size_t size,
                                           const ExternalData& external,
                                           const Properties& properties) const {
    return at_api_boundary([&] {
        ModelSource source = source_in_memory(data, size, external);
        return impl_->query(source, properties);
    });
}

void Core::transform(Model& model, const TransformOptions& options) const {
    if (!model) throw ModelError("the model is empty; read one with Core::read_model()");
    at_api_boundary([&] {
        const DefaultFloatModes modes;
        run_portable_passes(*model.graph(), options);
    });
}

CompiledModel Core::compile_model(const Model& model, const std::string& device,
                                  const Properties& properties) const {
    if (!model) throw ModelError("the model is empty; read one with Core::read_model()");
    return at_api_boundary(
        [&] { return CompiledModel(compile(impl_->target(device, properties), *model.graph())); });
}

CompiledModel Core::compile_model(const std::string& path, const std::string& device,
                                  const Properties& properties) const {
    return at_api_boundary(
        [&] { return CompiledModel(compile(impl_->target(device, properties), path)); });
}

CompiledModel Core::import_model(std::istream& stream, const std::string& device,
                                 const Properties& properties) const {
    return at_api_boundary([&] {
        const ModelLimits limits = limits_of(impl_->target(device, properties).settings);
        ExportedModel exported = read_exported(stream, limits);
        Properties all = properties;
        for (const auto& [name, value] : impl_->target(device, {}).settings) {
            const auto at = exported.properties.find(name);
            if (at != exported.properties.end()) all.insert(*at);
        }
        return CompiledModel(compile(impl_->target(device, all), *exported.graph));
    });
}

std::vector<std::string> Core::get_available_devices() const {
    return at_api_boundary([&] {
        const std::lock_guard lock(impl_->mutex);
        return impl_->names();
    });
}

std::map<std::string, Version> Core::get_versions(const std::string& device) const {
    return at_api_boundary([&]() -> std::map<std::string, Version> {
        const std::lock_guard lock(impl_->mutex);
        return {{impl_->meant(device), impl_->device(device).plugin()->version()}};
    });
}

void Core::set_property(const std::string& device, const Properties& properties) {
    at_api_boundary([&] {
        const std::lock_guard lock(impl_->mutex);
        impl_->device(device).set_properties(properties);
    });
}

std::string Core::get_property(const std::string& device, const std::string& name) const {
    return at_api_boundary([&] {
        const std::lock_guard lock(impl_->mutex);
        return impl_->device(device).property(name);
    });
}

void Core::register_plugin(const std::string& path, const std::string& name) {
    at_api_boundary([&] {
        const std::lock_guard lock(impl_->mutex);
        const auto names = impl_->names();
        if (std::find(names.begin(), names.end(), name) != names.end()) {
            throw ModelError("there is a device '" + name + "' already");
        }
        impl_->registered[name] = path;
        try {
            impl_->device(name);
        } catch (...) {
            impl_->registered.erase(name);
            throw;
        }
    });
}

}  // namespace rondo
