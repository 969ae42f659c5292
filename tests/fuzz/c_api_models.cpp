// The calls that ask and change models, and compiled ones.
#include "tests/fuzz/c_api_session.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test {
namespace {

void reshape(CallSession& session) {
    CallBytes& bytes = session.bytes;
    const rondo_input_shape_t shape = {bytes.text(), bytes.text()};
    checked(rondo_model_reshape(session.models.any(bytes), &shape, bytes.below(2)));
}

void drop_text(const char* text, void* /*data*/) { internal_check(text != nullptr, "no text"); }

void transform(CallSession& session, rondo_model_t* model) {
    CallBytes& bytes = session.bytes;
    rondo_transform_options_t options = RONDO_TRANSFORM_OPTIONS_INIT;
    options.struct_size = bytes.one_in(4) ? bytes.below(100) : options.struct_size;
    options.print = bytes.one_in(2) ? drop_text : nullptr;
    options.dump = bytes.one_in(2) ? drop_text : nullptr;
    options.dump_after = bytes.one_in(2) ? "fold_constants" : bytes.text();
    options.stop_after = bytes.one_in(2) ? nullptr : bytes.text();
    options.validate = 1;
    checked(
        rondo_core_transform(session.cores.newest(), model, bytes.one_in(2) ? nullptr : &options));
}

void change(CallSession& session) {
    CallBytes& bytes = session.bytes;
    rondo_model_t* model = session.models.any(bytes);
    const rondo_state_pair_t pair = {bytes.text(), bytes.text()};
    const auto use_initializer = static_cast<int>(bytes.below(2));
    switch (bytes.below(4)) {
        case 0: checked(rondo_model_make_stateful(model, &pair, bytes.below(2))); return;
        case 1: checked(rondo_model_apply_low_latency(model, use_initializer)); return;
        case 2: transform(session, model); return;
        default:
            session.models.take(
                [&](rondo_model_t** copy) { return rondo_model_clone(model, copy); });
    }
}

// Any options; where the model has no recurrent layer, nothing is done.
void quantize(CallSession& session) {
    constexpr std::array kFormats = {"w8r16", "w8r8", "w16r16", "w1", ""};
    CallBytes& bytes = session.bytes;
    rondo_model_t* model = session.models.any(bytes);
    rondo_quantization_options_t options = RONDO_QUANTIZATION_OPTIONS_INIT;
    options.format = kFormats[bytes.below(kFormats.size())];
    const char* const names[] = {"layer", nullptr};
    options.keep = bytes.one_in(4) ? nullptr : names;
    options.keep_count = bytes.below(3);
    options.least_decibels = static_cast<double>(bytes.below(100));
    rondo_quantization_list_t* layers = nullptr;
    checked(rondo_model_quantize(model, bytes.one_in(4) ? nullptr : &options, &layers));
    read_list(layers, rondo_quantization_list_size, rondo_quantization_list_at);
    rondo_quantization_list_free(layers);
}

// What is saved can be read again, unless it isn't there.
void save(CallSession& session) {
    static const TemporaryFolder folder;
    constexpr std::array kNames = {"m.xml", "m.onnx", "m.txt", "nowhere/m.xml"};
    CallBytes& bytes = session.bytes;
    const std::string path = folder / kNames[bytes.below(kNames.size())];
    const rondo_model_t* model = session.models.any(bytes);
    const auto way = static_cast<int>(bytes.below(4));
    const char* given = bytes.one_in(8) ? nullptr : path.c_str();
    rondo_save_options_t options = RONDO_SAVE_OPTIONS_INIT;
    options.external_data = way - 2;
    const rondo_status_t saved = way < 2 ? rondo_model_save(model, given, way)
                                         : rondo_model_save_with(model, given, &options);
    if (checked(saved) != RONDO_OK) return;
    session.models.take([&](rondo_model_t** again) {
        return rondo_core_read_model(session.cores.newest(), given, nullptr, again);
    });
}

template <typename Owner>
void ask_ports(const Owner* owner, rondo_status_t (*ports_of)(const Owner*, rondo_port_list_t**)) {
    rondo_port_list_t* ports = nullptr;
    checked(ports_of(owner, &ports));
    read_list(ports, rondo_port_list_size, rondo_port_list_at);
    rondo_port_list_free(ports);
}

void ask_model(CallSession& session) {
    CallBytes& bytes = session.bytes;
    const rondo_model_t* model = session.models.any(bytes);
    ask_ports(model, rondo_model_inputs);
    ask_ports(model, rondo_model_outputs);
    rondo_node_list_t* nodes = nullptr;
    checked(rondo_model_nodes(model, &nodes));
    read_list(nodes, rondo_node_list_size, rondo_node_list_at);
    rondo_node_list_free(nodes);
    std::size_t index = 0;
    checked(rondo_model_find_input(model, bytes.text(), &index));
    checked(rondo_model_find_output(model, bytes.text(), &index));
    int known = 0;
    std::int64_t least = 0, most = 0;
    checked(rondo_model_value_range(model, bytes.text(), &known, &least, &most));
    const char* name = nullptr;
    checked(rondo_model_name(model, &name));
    char* text = nullptr;
    checked(rondo_model_to_text(model, &text));
    rondo_string_free(text);
}

void ask_compiled(CallSession& session) {
    CallBytes& bytes = session.bytes;
    const rondo_compiled_model_t* compiled = session.compiled.any(bytes);
    ask_ports(compiled, rondo_compiled_model_inputs);
    ask_ports(compiled, rondo_compiled_model_outputs);
    rondo_kernel_list_t* kernels = nullptr;
    checked(rondo_compiled_model_kernels(compiled, &kernels));
    read_list(kernels, rondo_kernel_list_size, rondo_kernel_list_at);
    rondo_kernel_list_free(kernels);
    std::size_t index = 0;
    checked(rondo_compiled_model_find_input(compiled, bytes.text(), &index));
    checked(rondo_compiled_model_find_output(compiled, bytes.text(), &index));
    char* value = nullptr;
    checked(rondo_compiled_model_get_property(compiled, bytes.text(), &value));
    rondo_string_free(value);
    rondo_metrics_info_t* metrics = nullptr;
    checked(rondo_compiled_model_metrics(compiled, &metrics));
    rondo_metrics_info_free(metrics);
    session.models.take(
        [&](rondo_model_t** model) { return rondo_compiled_model_runtime_model(compiled, model); });
}

void free_model(CallSession& session) {
    switch (session.bytes.below(2)) {
        case 0: session.models.drop(session.bytes); return;
        default: session.compiled.drop(session.bytes);
    }
}

}  // namespace

std::span<const SessionCall> model_calls() {
    static constexpr SessionCall kCalls[] = {reshape,   change,       save,      quantize,
                                             ask_model, ask_compiled, free_model};
    return kCalls;
}

}  // namespace rondo::test
