// The calls that read and compile models, set properties and write messages.
#include <algorithm>

#include "core/ir/weights_file.hpp"
#include "tests/fuzz/c_api_session.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test {
namespace {

void read_model(CallSession& session) {
    CallBytes& bytes = session.bytes;
    const char* path = bytes.one_in(4) ? bytes.text() : kDetector;
    const char* weights = bytes.one_in(4) ? bytes.text() : nullptr;
    session.models.take([&](rondo_model_t** model) {
        return rondo_core_read_model(session.cores.newest(), path, weights, model);
    });
}

// The detector's files, whole, damaged or cut, with its weights or any tensor.
void read_from_memory(CallSession& session) {
    static const std::string xml = bytes_of(kDetector);
    static const std::string bin = bytes_of(ir::weights_path_of(kDetector));
    CallBytes& bytes = session.bytes;
    std::string text = xml;
    if (bytes.one_in(4)) text[std::min(bytes.byte() * 64, text.size() - 1)] ^= 1;
    if (bytes.one_in(4)) text.resize(std::min(bytes.byte() * 64, text.size()));
    rondo_tensor_t* weights = nullptr;
    const std::size_t size = bin.size();
    checked(rondo_tensor_create_borrowed(RONDO_U8, &size, 1, const_cast<char*>(bin.data()), nullptr,
                                         &weights));
    const rondo_tensor_t* given = bytes.one_in(4) ? session.tensors.any(bytes) : weights;
    const void* data = bytes.one_in(8) ? nullptr : text.data();
    session.models.take([&](rondo_model_t** model) {
        return rondo_core_read_model_from_memory(session.cores.newest(), data, text.size(), given,
                                                 model);
    });
    rondo_tensor_free(weights);
}

// A file's rows, or a message of any bytes with files that are any tensors.
void query(CallSession& session) {
    CallBytes& bytes = session.bytes;
    const rondo_core_t* core = session.cores.newest();
    const rondo_property_t property = {bytes.text(), bytes.text()};
    const std::size_t properties = bytes.one_in(8) ? 1 : 0;
    const std::string noise = bytes.one_in(2) ? bytes_of(kDetector) : std::string("\x08\x07:\0", 4);
    const rondo_named_tensor_t file = {bytes.text(), session.tensors.any(bytes)};
    const rondo_onnx_message_t message = {bytes.one_in(8) ? nullptr : noise.data(), noise.size(),
                                          &file, bytes.below(2)};
    rondo_node_support_list_t* rows = nullptr;
    if (bytes.one_in(2)) {
        checked(rondo_core_query_model(core, bytes.text(), &property, properties, &rows));
    } else {
        checked(rondo_core_query_message(core, &message, &property, properties, &rows));
    }
    read_list(rows, rondo_node_support_list_size, rondo_node_support_list_at);
    rondo_node_support_list_free(rows);
    session.models.take([&](rondo_model_t** model) {
        return rondo_core_read_message(core, &message, &property, properties, model);
    });
    checked(rondo_set_default_threads(bytes.below(3)));
}

void compile(CallSession& session) {
    CallBytes& bytes = session.bytes;
    const rondo_property_t property = {bytes.text(), bytes.text()};
    const std::size_t count = bytes.one_in(8) ? 1 : 0;
    const char* device = bytes.one_in(8) ? bytes.text() : "CPU";
    const rondo_model_t* model = session.models.any(bytes);
    const char* path = bytes.one_in(2) ? kStatefulModel : bytes.text();
    const bool from_file = bytes.one_in(4);
    session.compiled.take([&](rondo_compiled_model_t** compiled) {
        const rondo_core_t* core = session.cores.newest();
        if (from_file) {
            return rondo_core_compile_model_from_file(core, path, device, &property, count,
                                                      compiled);
        }
        return rondo_core_compile_model(core, model, device, &property, count, compiled);
    });
}

void set_property(CallSession& session) {
    CallBytes& bytes = session.bytes;
    const rondo_property_t property = {bytes.text(), bytes.text()};
    checked(
        rondo_core_set_property(session.cores.newest(), bytes.text(), &property, bytes.below(2)));
}

void ask_core(CallSession& session) {
    CallBytes& bytes = session.bytes;
    rondo_core_t* core = session.cores.newest();
    rondo_string_list_t* devices = nullptr;
    checked(rondo_core_get_available_devices(core, &devices));
    read_list(devices, rondo_string_list_size, rondo_string_list_at);
    rondo_string_list_free(devices);
    char* value = nullptr;
    checked(rondo_core_get_property(core, bytes.text(), bytes.text(), &value));
    rondo_string_free(value);
    char *number = nullptr, *description = nullptr;
    checked(rondo_core_get_version(core, bytes.text(), &number, &description));
    rondo_string_free(number);
    rondo_string_free(description);
    // No text is the path of a plugin.
    const rondo_status_t status =
        checked(rondo_core_register_plugin(core, bytes.text(), bytes.text()));
    internal_check(status != RONDO_OK, "something was a plugin");
}

void drop_line(rondo_log_level_t /*level*/, const char* message, void* /*data*/) {
    internal_check(message != nullptr, "a line without text");
}

// Messages of all levels while a model is compiled.
void log_lines(CallSession& session) {
    rondo_core_t* core = session.cores.newest();
    checked(rondo_set_log_callback(drop_line, nullptr));
    const rondo_property_t all = {"LOG_LEVEL", "LOG_DEBUG"}, none = {"LOG_LEVEL", "LOG_NONE"};
    checked(rondo_core_set_property(core, "CPU", &all, 1));
    compile(session);
    checked(rondo_core_set_property(core, "CPU", &none, 1));
    checked(rondo_set_log_callback(nullptr, nullptr));
}

void ask_library(CallSession& session) {
    CallBytes& bytes = session.bytes;
    internal_check(*rondo_version() != '\0', "no version");
    internal_check(*rondo_status_name(static_cast<rondo_status_t>(bytes.byte())) != '\0',
                   "no name");
    rondo_element_type_t type = RONDO_DYNAMIC;
    if (checked(rondo_element_type_from_name(bytes.text(), &type)) == RONDO_OK) {
        internal_check(rondo_element_size(type) > 0, rondo_element_type_name(type));
    }
    const rondo_element_type_t any = bytes.type();
    rondo_element_size(any);
    internal_check(*rondo_element_type_name(any) != '\0', "no name");
    const auto bits = static_cast<std::uint16_t>(bytes.byte() << 8 | bytes.byte());
    const float half = rondo_f16_to_float(bits), brain = rondo_bf16_to_float(bits);
    internal_check(half != half || rondo_f16_from_float(half) == bits, "f16 has changed");
    internal_check(brain != brain || rondo_bf16_from_float(brain) == bits, "bf16 has changed");
}

}  // namespace

std::span<const SessionCall> core_calls() {
    static constexpr SessionCall kCalls[] = {read_model, read_from_memory, compile,
                                             compile,    set_property,     ask_core,
                                             log_lines,  ask_library,      query};
    return kCalls;
}

}  // namespace rondo::test
