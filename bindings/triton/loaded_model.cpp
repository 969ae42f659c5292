#include "bindings/triton/loaded_model.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "bindings/triton/server_error.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo::triton {
namespace {

std::vector<std::string> names_of(const std::vector<PortInfo>& ports) {
    std::vector<std::string> names;
    for (const PortInfo& port : ports) {
        names.insert(names.end(), port.names.begin(), port.names.end());
    }
    return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> parts_of(const std::string& list) {
    std::vector<std::string> parts;
    std::istringstream text(list);
    for (std::string part; std::getline(text, part, ',');) parts.push_back(part);
    return parts;
}

// An input and what follows its colon; names may hold colons, too.
std::pair<std::string, std::string> split_entry(const char* parameter, const std::string& entry,
                                                const Model& model) {
    const auto inputs = names_of(model.inputs());
    for (auto at = entry.find(':'); at != std::string::npos; at = entry.find(':', at + 1)) {
        const std::string input = entry.substr(0, at);
        if (has(inputs, input)) return {input, entry.substr(at + 1)};
    }
    const std::string input = entry.substr(0, entry.find(':'));
    throw ModelError(std::string("parameter '") + parameter + "': '" + entry +
                     "' doesn't begin with an input and a colon; " +
                     known_inputs(input, inputs, model.constant_inputs()));
}

// "auto", or "h:hn,c:cn".
void make_stateful(Model& model, const std::string& asked) {
    if (asked == "auto") return model.make_stateful();
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string& part : parts_of(asked)) {
        pairs.push_back(split_entry("stateful", part, model));
    }
    model.make_stateful(pairs);
}

// "auto", or "x:1,y:2".
void make_streaming(Model& model, const std::string& asked) {
    StreamingOptions options;
    for (const std::string& part : parts_of(asked == "auto" ? "" : asked)) {
        const auto [input, number] = split_entry("streaming", part, model);
        char* end = nullptr;
        options.time_axes[input] = std::strtol(number.c_str(), &end, 10);
        if (number.empty() || *end != '\0') {
            throw ModelError("parameter 'streaming': '" + part + "' is not INPUT:AXIS");
        }
    }
    model.make_streaming(options);
}

bool keeps_states(const Model& model) {
    const auto nodes = model.nodes();
    return std::any_of(nodes.begin(), nodes.end(),
                       [](const NodeInfo& node) { return node.type == "ReadValue"; });
}

void open_batch(Model& model, const Settings& settings) {
    if (settings.has_new_batch_axis) return model.add_batch_axis();
    if (settings.batch == "?") return model.set_batch(Dimension());
    if (settings.batch != "auto" || !keeps_states(model)) return;
    const BatchRows rows = model.batch_rows();
    if (!rows.obstacle.empty() || rows.is_open) return;
    try {
        model.set_batch(Dimension());
    } catch (const UnsupportedError& error) {
        log_line(TRITONSERVER_LOG_WARN,
                 "'" + model.name() + "': its batch stays as it is: " + error.what());
    }
}

Model read_changed(const Core& core, const std::string& file, const Settings& settings) {
    Model model = core.read_model(file, "", settings.properties);
    if (!settings.stateful.empty()) make_stateful(model, settings.stateful);
    if (!settings.streaming.empty()) make_streaming(model, settings.streaming);
    open_batch(model, settings);
    const StateSearch states = keeps_states(model) ? StateSearch() : model.find_states();
    for (const auto& [input, output] : states.pairs) {
        log_line(TRITONSERVER_LOG_INFO, file + ": '" + input + "' and '" + output +
                                            "' look like a state; with the parameter stateful: "
                                            "auto the server keeps it");
    }
    return model;
}

// Streams have a thread each, other inferences all threads; what the user sets has precedence.
Properties properties_for(bool streams, const Settings& settings) {
    Properties all = settings.properties;
    const std::string threads = std::to_string(settings.pool.threads);
    if (streams) all.emplace(property::kPerformanceHint, "THROUGHPUT");
    if (settings.pool.threads > 0) {
        all.emplace(property::kInferenceNumThreads, threads);
        if (streams) all.emplace(property::kNumStreams, threads);
    }
    return all;
}

bool is_exported(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    char begin[6] = {};
    stream.read(begin, 5);
    return begin == std::string("rondo");
}

bool keeps_states(CompiledModel model) {
    return !model.create_infer_request().query_state().empty();
}

// Whether it has states is known once it is compiled.
CompiledModel import_exported(const Core& core, const std::string& file, const Settings& settings) {
    const bool is_changed = !settings.stateful.empty() || !settings.streaming.empty() ||
                            settings.has_new_batch_axis || settings.batch == "?";
    if (is_changed) {
        throw UnsupportedError(file +
                               ": an exported model can't be changed any more; the parameters "
                               "stateful, streaming, batch and batch_axis need ONNX or IR");
    }
    const auto compiled_for = [&](bool streams) {
        std::ifstream stream(file, std::ios::binary);
        return core.import_model(stream, "CPU", properties_for(streams, settings));
    };
    const CompiledModel model = compiled_for(false);
    return keeps_states(model) ? compiled_for(true) : model;
}

void set_axis(std::vector<std::optional<std::size_t>>& axes, const std::vector<PortInfo>& ports,
              const BatchRows::Port& port) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
        if (has(ports[i].names, port.name)) axes[i] = port.axis;
    }
}

void find_rows(LoadedModel& loaded, const BatchRows& rows) {
    loaded.input_rows.resize(loaded.compiled.inputs().size());
    loaded.output_rows.resize(loaded.compiled.outputs().size());
    loaded.obstacle = rows.obstacle;
    if (rows.obstacle.empty() && !rows.is_open) {
        loaded.obstacle = "its batch isn't open; the parameter batch: ? opens it";
    }
    for (const BatchRows::Port& port : rows.ports) {
        if (port.kind == "input") set_axis(loaded.input_rows, loaded.compiled.inputs(), port);
        if (port.kind == "output") set_axis(loaded.output_rows, loaded.compiled.outputs(), port);
    }
}

}  // namespace

std::string model_file(const std::string& folder, const std::string& named) {
    namespace fs = std::filesystem;
    std::vector<std::string> candidates{"model.onnx", "model.xml", "model.rondo"};
    if (!named.empty()) candidates = {named};
    std::string there;
    std::vector<std::string> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        there += (there.empty() ? "'" : ", '") + name + "'";
        if (has(candidates, name)) found.push_back(name);
    }
    if (found.size() > 1) {
        throw ModelError(folder + ": there are '" + found[0] + "' and '" + found[1] +
                         "'; set default_model_filename to one of them");
    }
    if (found.empty()) {
        throw ModelError(folder + ": there is no " +
                         (named.empty() ? "model.onnx, model.xml or model.rondo" : named) +
                         (there.empty() ? "; the folder is empty" : "; there are: " + there));
    }
    fs::path file = fs::path(folder) / found[0];
    if (fs::is_directory(file)) file /= found[0];  // with its external data, as for onnxruntime
    return file.string();
}

LoadedModel load_model(const Core& core, const std::string& file, const Settings& settings) {
    LoadedModel loaded;
    if (is_exported(file)) {
        loaded.compiled = import_exported(core, file, settings);
        loaded.keeps_states = keeps_states(loaded.compiled);
        find_rows(loaded, loaded.compiled.runtime_model().batch_rows());
        return loaded;
    }
    const Model model = read_changed(core, file, settings);
    const bool may_stream = keeps_states(model);
    loaded.compiled = core.compile_model(model, "CPU", properties_for(may_stream, settings));
    loaded.keeps_states = keeps_states(loaded.compiled);
    find_rows(loaded, model.batch_rows());
    return loaded;
}

}  // namespace rondo::triton
