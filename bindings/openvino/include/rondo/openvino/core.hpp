// OpenVINO's Core, for rondo/openvino.hpp.
#pragma once

#include <filesystem>
#include <istream>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rondo/core.hpp"
#include "rondo/openvino/compiled_model.hpp"

namespace rondo::ov {

struct Version {
    std::string buildNumber;
    std::string description;
};

inline std::ostream& operator<<(std::ostream& stream, const Version& version) {
    return stream << version.description << ": " << version.buildNumber;
}
inline std::ostream& operator<<(std::ostream& stream,
                                const std::map<std::string, Version>& versions) {
    for (const auto& [name, version] : versions) stream << name << "\n    " << version << "\n";
    return stream;
}

/// Rondo's own version.
inline Version get_openvino_version() {
    const auto version = get_version();
    return {version.build_number, version.description};
}

/// Node -> device.
using SupportedOpsMap = std::map<std::string, std::string>;

/// R if all of Ps are properties with values: ov::num_streams(2).
template <typename R, typename... Ps>
using IfProperties = std::enable_if_t<
    (sizeof...(Ps) > 0) && (std::is_convertible_v<Ps, std::pair<std::string, Any>> && ...), R>;

/// Thread-safe. Properties may be given one by one or as an AnyMap; without a device they are for
/// CPU. Devices: CPU, which AUTO means too, and REFERENCE.
class Core {
public:
    /// Reads ONNX models and IR. Throws ov::Exception that names file and place.
    std::shared_ptr<Model> read_model(const std::filesystem::path& path,
                                      const std::filesystem::path& weights = {}) const {
        return made(core_.read_model(path.string(), weights.string()));
    }
    /// From memory: the XML of an IR or an ONNX message, and the IR's weights.
    std::shared_ptr<Model> read_model(const std::string& model, const Tensor& weights) const {
        return made(core_.read_model(model.data(), model.size(),
                                     weights ? weights.native() : rondo::Tensor()));
    }

    CompiledModel compile_model(const std::shared_ptr<const Model>& model,
                                const AnyMap& properties = {}) const {
        return compile_model(model, "CPU", properties);
    }
    CompiledModel compile_model(const std::shared_ptr<const Model>& model,
                                const std::string& device, const AnyMap& properties = {}) const {
        return CompiledModel(
            core_.compile_model(checked(model).native(), device, properties_from(properties)));
    }
    CompiledModel compile_model(const std::filesystem::path& path,
                                const AnyMap& properties = {}) const {
        return compile_model(path, "CPU", properties);
    }
    CompiledModel compile_model(const std::filesystem::path& path, const std::string& device,
                                const AnyMap& properties = {}) const {
        return CompiledModel(
            core_.compile_model(path.string(), device, properties_from(properties)));
    }
    CompiledModel compile_model(const std::string& model, const Tensor& weights,
                                const std::string& device, const AnyMap& properties = {}) const {
        return compile_model(std::shared_ptr<const Model>(read_model(model, weights)), device,
                             properties);
    }
    template <typename... Ps>
    IfProperties<CompiledModel, Ps...> compile_model(const std::shared_ptr<const Model>& model,
                                                     const Ps&... properties) const {
        return compile_model(model, AnyMap{properties...});
    }
    template <typename... Ps>
    IfProperties<CompiledModel, Ps...> compile_model(const std::shared_ptr<const Model>& model,
                                                     const std::string& device,
                                                     const Ps&... properties) const {
        return compile_model(model, device, AnyMap{properties...});
    }
    template <typename... Ps>
    IfProperties<CompiledModel, Ps...> compile_model(const std::filesystem::path& path,
                                                     const Ps&... properties) const {
        return compile_model(path, AnyMap{properties...});
    }
    template <typename... Ps>
    IfProperties<CompiledModel, Ps...> compile_model(const std::filesystem::path& path,
                                                     const std::string& device,
                                                     const Ps&... properties) const {
        return compile_model(path, device, AnyMap{properties...});
    }

    /// Compiles what CompiledModel::export_model() of Rondo wrote.
    CompiledModel import_model(std::istream& stream, const std::string& device,
                               const AnyMap& properties = {}) const {
        return CompiledModel(core_.import_model(stream, device, properties_from(properties)));
    }
    template <typename... Ps>
    IfProperties<CompiledModel, Ps...> import_model(std::istream& stream, const std::string& device,
                                                    const Ps&... properties) const {
        return import_model(stream, device, AnyMap{properties...});
    }

    /// All nodes if the device compiles the model, else none: Rondo runs a model on one device.
    SupportedOpsMap query_model(const std::shared_ptr<const Model>& model,
                                const std::string& device, const AnyMap& properties = {}) const {
        SupportedOpsMap supported;
        try {
            const CompiledModel compiled = compile_model(model, device, properties);
            const std::string name = compiled.native().get_property(property::kExecutionDevices);
            for (const auto& node : model->get_ops()) supported[node->get_friendly_name()] = name;
        } catch (const UnsupportedError&) {
        }
        return supported;
    }
    template <typename... Ps>
    IfProperties<SupportedOpsMap, Ps...> query_model(const std::shared_ptr<const Model>& model,
                                                     const std::string& device,
                                                     const Ps&... properties) const {
        return query_model(model, device, AnyMap{properties...});
    }

    void set_property(const AnyMap& properties) { set_property("CPU", properties); }
    void set_property(const std::string& device, const AnyMap& properties) {
        core_.set_property(device, properties_from(properties));
    }
    template <typename... Ps>
    IfProperties<void, Ps...> set_property(const Ps&... properties) {
        set_property(AnyMap{properties...});
    }
    template <typename... Ps>
    IfProperties<void, Ps...> set_property(const std::string& device, const Ps&... properties) {
        set_property(device, AnyMap{properties...});
    }

    Any get_property(const std::string& name) const { return get_property("CPU", name); }
    Any get_property(const std::string& device, const std::string& name) const {
        return core_.get_property(device, name);
    }
    template <typename T, PropertyMutability mutability>
    T get_property(const std::string& device, const Property<T, mutability>& property) const {
        return get_property(device, std::string(property.name())).template as<T>();
    }

    std::vector<std::string> get_available_devices() const { return core_.get_available_devices(); }
    std::map<std::string, Version> get_versions(const std::string& device) const {
        std::map<std::string, Version> versions;
        for (const auto& [name, version] : core_.get_versions(device)) {
            versions[name] = {version.build_number, version.description};
        }
        return versions;
    }
    void register_plugin(const std::filesystem::path& plugin, const std::string& device) {
        core_.register_plugin(plugin.string(), device);
    }

private:
    static std::shared_ptr<Model> made(rondo::Model model) {
        return std::make_shared<Model>((std::move)(model));
    }

    rondo::Core core_;
};

}  // namespace rondo::ov
