// Functions of rondo/c/core.h.
#include "rondo/c/core.h"

#include <cstddef>
#include <memory>
#include <string>

#include "bindings/c/handles.hpp"

using namespace rondo::c;

struct rondo_node_support_list : PointingList<rondo::NodeSupport, rondo_node_support_t> {};

namespace rondo::c {

Properties properties(const rondo_property_t* properties, std::size_t count) {
    Properties all;
    for (const rondo_property_t& entry : elements(properties, count, "properties")) {
        const std::string name = text(entry.name, "name");
        if (!all.emplace(name, text(entry.value, "value")).second) {
            throw InvalidArgument("property '" + name + "' is named twice");
        }
    }
    return all;
}

namespace {

std::function<void(const std::string&)> text_function(rondo_text_fn function, void* user_data) {
    if (function == nullptr) return nullptr;
    return [=](const std::string& text) { function(text.c_str(), user_data); };
}

TransformOptions transform_options(const rondo_transform_options_t* given) {
    TransformOptions options;
    if (given == nullptr) return options;
    check_size(*given, "RONDO_TRANSFORM_OPTIONS_INIT");
    options.print = text_function(given->print, given->user_data);
    options.dump = text_function(given->dump, given->user_data);
    if (given->dump_after != nullptr) options.dump_after = given->dump_after;
    if (given->stop_after != nullptr) options.stop_after = given->stop_after;
    options.validate = given->validate != 0;
    return options;
}

const rondo_onnx_message_t& checked(const rondo_onnx_message_t* message) {
    required(static_cast<const char*>(required(message, "message").data), "message->data");
    return *message;
}

ExternalData files_of(const rondo_onnx_message_t& message) {
    return named_tensors(message.files, message.file_count, "message->files");
}

rondo_node_support_list_t* support_list(std::vector<NodeSupport> rows) {
    return pointing_list<rondo_node_support_list>(
        std::move(rows), [](const NodeSupport& row) -> rondo_node_support_t {
            return {row.name.c_str(), row.op_type.c_str(), row.supported ? 1 : 0,
                    row.reason.c_str()};
        });
}

}  // namespace
}  // namespace rondo::c

rondo_status_t rondo_core_create(rondo_core_t** core) {
    return produce(core, "core", [&] { return new rondo_core; });
}

void rondo_core_free(rondo_core_t* core) { delete core; }

rondo_status_t rondo_core_read_model(const rondo_core_t* core, const char* path,
                                     const char* weights_path, rondo_model_t** model) {
    return produce(model, "model", [&] {
        const std::string weights = weights_path == nullptr ? "" : weights_path;
        return new rondo_model{core_of(core).read_model(text(path, "path"), weights)};
    });
}

rondo_status_t rondo_core_read_model_from_memory(const rondo_core_t* core, const void* data,
                                                 size_t size, const rondo_tensor_t* weights,
                                                 rondo_model_t** model) {
    return produce(model, "model", [&] {
        required(static_cast<const char*>(data), "data");
        const rondo::Tensor tensor = weights == nullptr ? rondo::Tensor() : weights->tensor;
        return new rondo_model{core_of(core).read_model(data, size, tensor)};
    });
}

rondo_status_t rondo_core_read_message(const rondo_core_t* core,
                                       const rondo_onnx_message_t* message,
                                       const rondo_property_t* given, size_t property_count,
                                       rondo_model_t** model) {
    return produce(model, "model", [&] {
        const rondo_onnx_message_t& bytes = checked(message);
        return new rondo_model{core_of(core).read_model(bytes.data, bytes.size, files_of(bytes),
                                                        properties(given, property_count))};
    });
}

size_t rondo_node_support_list_size(const rondo_node_support_list_t* list) {
    return entry_count(list);
}

const rondo_node_support_t* rondo_node_support_list_at(const rondo_node_support_list_t* list,
                                                       size_t index) {
    return entry_at(list, index);
}

void rondo_node_support_list_free(rondo_node_support_list_t* list) { delete list; }

rondo_status_t rondo_core_query_model(const rondo_core_t* core, const char* path,
                                      const rondo_property_t* given, size_t property_count,
                                      rondo_node_support_list_t** rows) {
    return produce(rows, "rows", [&] {
        return support_list(
            core_of(core).query_model(text(path, "path"), properties(given, property_count)));
    });
}

rondo_status_t rondo_core_query_message(const rondo_core_t* core,
                                        const rondo_onnx_message_t* message,
                                        const rondo_property_t* given, size_t property_count,
                                        rondo_node_support_list_t** rows) {
    return produce(rows, "rows", [&] {
        const rondo_onnx_message_t& bytes = checked(message);
        return support_list(core_of(core).query_model(bytes.data, bytes.size, files_of(bytes),
                                                      properties(given, property_count)));
    });
}

rondo_status_t rondo_set_default_threads(size_t threads) {
    return translate([&] { rondo::set_default_threads(threads); });
}

rondo_status_t rondo_core_transform(const rondo_core_t* core, rondo_model_t* model,
                                    const rondo_transform_options_t* options) {
    return translate([&] { core_of(core).transform(model_of(model), transform_options(options)); });
}

rondo_status_t rondo_core_compile_model(const rondo_core_t* core, const rondo_model_t* model,
                                        const char* device, const rondo_property_t* properties,
                                        size_t property_count, rondo_compiled_model_t** compiled) {
    return produce(compiled, "compiled", [&] {
        return new rondo_compiled_model{
            core_of(core).compile_model(model_of(model), text(device, "device"),
                                        rondo::c::properties(properties, property_count))};
    });
}

rondo_status_t rondo_core_compile_model_from_file(const rondo_core_t* core, const char* path,
                                                  const char* device,
                                                  const rondo_property_t* properties,
                                                  size_t property_count,
                                                  rondo_compiled_model_t** compiled) {
    return produce(compiled, "compiled", [&] {
        return new rondo_compiled_model{
            core_of(core).compile_model(text(path, "path"), text(device, "device"),
                                        rondo::c::properties(properties, property_count))};
    });
}

rondo_status_t rondo_core_get_available_devices(const rondo_core_t* core,
                                                rondo_string_list_t** devices) {
    return produce(devices, "devices",
                   [&] { return new rondo_string_list{core_of(core).get_available_devices()}; });
}

rondo_status_t rondo_core_get_version(const rondo_core_t* core, const char* device,
                                      char** build_number, char** description) {
    return translate([&] {
        auto& number = cleared(build_number, "build_number");
        auto& what = cleared(description, "description");
        const std::string name = text(device, "device");
        const auto versions = core_of(core).get_versions(name);
        const rondo::Version& version = versions.begin()->second;  // AUTO has that of CPU
        std::unique_ptr<char, decltype(&rondo_string_free)> first(copy_text(version.build_number),
                                                                  rondo_string_free);
        what = copy_text(version.description);
        number = first.release();
    });
}

rondo_status_t rondo_core_set_property(rondo_core_t* core, const char* device,
                                       const rondo_property_t* properties, size_t property_count) {
    return translate([&] {
        core_of(core).set_property(text(device, "device"),
                                   rondo::c::properties(properties, property_count));
    });
}

rondo_status_t rondo_core_get_property(const rondo_core_t* core, const char* device,
                                       const char* name, char** value) {
    return produce(value, "value", [&] {
        return copy_text(core_of(core).get_property(text(device, "device"), text(name, "name")));
    });
}

rondo_status_t rondo_core_register_plugin(rondo_core_t* core, const char* path, const char* name) {
    return translate(
        [&] { core_of(core).register_plugin(text(path, "path"), text(name, "name")); });
}
