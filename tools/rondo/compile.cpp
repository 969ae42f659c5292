// `rondo compile`: reads a model, runs the portable passes and writes IR or ONNX.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "arguments.hpp"
#include "model_contents.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "state_arguments.hpp"
#include "texts.hpp"
#include "written_model.hpp"

namespace rondo::tool {
namespace {

TransformOptions transform_options(const CompileOptions& options) {
    TransformOptions result;
    if (options.print_passes) {
        result.print = [](const std::string& line) { std::cout << line << '\n'; };
    }
    result.dump_after = options.dump_after;
    result.dump = [](const std::string& text) { std::cout << text; };
    result.stop_after = options.stop_after;
    result.validate = options.validate_passes;
    if (options.target == "openvino") result.reader = options.target;
    return result;
}

// Prints everything that changes a model's numbers.
void print_precision(const std::vector<NodeInfo>& nodes) {
    visit_graphs(nodes, [](const std::vector<NodeInfo>& graph, const std::string& place) {
        for (const auto& node : graph) {
            for (const auto& [key, value] : node.facts) {
                if (key != "precision") continue;
                std::cout << "note: '" << place << node.name << "' (" << node.type << "): " << value
                          << '\n';
            }
        }
    });
}

Dimension batch_of(const std::string& option, const std::string& text) {
    try {
        const PartialShape shape = PartialShape::parse(text);
        if (shape.has_rank() && shape.rank() == 1 && shape[0].max() >= 1) return shape[0];
    } catch (const ModelError&) {  // of one extent; the option's own message says more
    }
    throw ModelError(option + " is '" + text + "'; expected a number from 1 on, or ? for any");
}

// When the file of external data was written last, if it is there.
std::filesystem::file_time_type data_time(const std::string& output) {
    std::error_code is_missing;
    return std::filesystem::last_write_time(output + ".data", is_missing);
}

// Says how large constants of `bytes` are in their file, if they have another type or equal ones
// are stored once.
std::string stored_text(const CompileOptions& options, const std::string& format,
                        std::size_t bytes) {
    const bool keeps_types = options.weights == "f32";
    if (format != "ir") return keeps_types ? "" : ", stored as " + options.weights;
    const auto weights = std::filesystem::path(options.output).replace_extension(".bin");
    const std::size_t stored = std::filesystem::file_size(weights);
    if (keeps_types && stored >= bytes) return "";
    return ", stored " + (keeps_types ? "" : "as " + options.weights + " ") + "in " +
           bytes_text(static_cast<double>(stored));
}

// "auto", or "x:1,y:2".
StreamingOptions streaming_options(const std::string& text) {
    StreamingOptions options;
    if (text == "auto") return options;
    std::stringstream list(text);
    for (std::string entry; std::getline(list, entry, ',');) {
        const std::size_t colon = entry.rfind(':');
        const std::string number = colon == std::string::npos ? "" : entry.substr(colon + 1);
        char* end = nullptr;
        const long axis = std::strtol(number.c_str(), &end, 10);
        if (number.empty() || *end != '\0') {
            throw ModelError("--streaming " + text + ": '" + entry +
                             "' is not input:axis; expected auto or a list such as x:1,y:2");
        }
        options.time_axes[entry.substr(0, colon)] = axis;
    }
    return options;
}

// The options that change the model, as they are typed.
std::string changing_options(const CompileOptions& options) {
    const std::string weights = options.weights == "f32" ? "" : options.weights;
    const std::vector<std::pair<std::string, std::string>> all = {
        {"--for", options.target == "openvino" ? options.target : ""},
        {"--batch", options.batch},
        {"--batch-axis", options.batch_axis},
        {"--weights", weights},
        {"--stateful", options.stateful},
        {"--streaming", options.streaming},
        {"--stop-after", options.stop_after}};
    return typed_text(all, options.keep_inputs);
}

}  // namespace

int compile(const CompileOptions& options) {
    const std::string format = written_format(options.output, options.target);
    Core core;
    Properties reading;
    if (options.keep_inputs) reading[property::kKeepInputs] = "YES";
    Model model = core.read_model(options.model, "", reading);
    const auto variables = make_stateful(model, options.stateful);
    if (!options.streaming.empty()) model.make_streaming(streaming_options(options.streaming));
    if (!options.batch.empty()) model.set_batch(batch_of("--batch", options.batch));
    if (!options.batch_axis.empty()) {
        model.add_batch_axis(batch_of("--batch-axis", options.batch_axis));
    }
    core.transform(model, transform_options(options));
    set_origin(model, options.model, changing_options(options));
    const auto old_data = data_time(options.output);
    save_model_as(format, model, options.output,
                  SaveOptions{element_type_from_string(options.weights), options.external_data});
    const bool has_data = data_time(options.output) != old_data;
    std::size_t weights = 0;
    const auto nodes = model.nodes();
    for (const auto& [type, bytes] : constant_bytes(nodes)) weights += bytes;
    print_precision(nodes);
    for (const auto& line : variables) std::cout << line << '\n';
    std::cout << written_files(format, options.output, has_data) << ": "
              << counted(count_nodes(nodes), "node") << ", "
              << bytes_text(static_cast<double>(weights)) << " of constants"
              << stored_text(options, format, weights) << '\n';
    return 0;
}

}  // namespace rondo::tool
