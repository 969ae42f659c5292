// Reads a file's bytes, and makes a graph of them with the frontend that knows the format.
#include "core/runtime/frontend.hpp"

#include "core/runtime/properties/property_values.hpp"
#include "core/support/errors.hpp"
#include "core/support/log.hpp"
#include "core/support/process.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

std::shared_ptr<Graph> read_with(const Frontend& frontend, const ModelSource& source,
                                 const std::string& where) {
    const Stopwatch watch;
    const DefaultFloatModes modes;
    auto graph = frontend.read(source);
    at_place([&] { return where; }, [&] { check_limits(*graph, source.limits); });
    if (log_enabled(LogLevel::info)) {
        log(LogLevel::info, "read " + where + " (" + frontend.name + ", " +
                                std::to_string(graph->ordered_nodes().size()) + " nodes) in " +
                                watch.text());
    }
    return graph;
}

}  // namespace

ModelSource source_of(const std::string& path, std::vector<OpenedFile>* opened) {
    const MappedFile file = open_file(path, opened);
    ModelSource source;
    source.path = path;
    source.data = file.data;
    source.size = file.size;
    source.owner = file.owner;
    return source;
}

void configure(ModelSource& source, const Properties& settings) {
    source.limits = limits_of(settings);
    source.keeps_inputs = switch_of(settings, property::kKeepInputs, false);
}

namespace {

std::string place_of(const ModelSource& source) {
    return source.path.empty() ? "the model" : source.path;
}

const Frontend& frontend_of(const ModelSource& source) {
    const std::string where = place_of(source);
    if (source.size == 0) {
        throw ModelError(where + (source.path.empty() ? ": it is empty" : ": the file is empty"));
    }
    std::vector<std::string> formats;
    for (const auto& frontend : builtin_frontends()) {
        if (frontend.can_read(source)) return frontend;
        formats.emplace_back(frontend.name);
    }
    const std::string what = !source.path.empty() ? "the file is"
                             : source.size == 1
                                 ? "the byte is"
                                 : "the " + std::to_string(source.size) + " bytes are";
    throw ModelError(where + ": " + what + " not a model in a known format (" +
                     join(formats, ", ") + ")");
}

std::vector<NodeSupport> all_supported(const Graph& graph) {
    std::vector<NodeSupport> rows;
    for (const auto& node : graph.ordered_nodes()) {
        rows.push_back({node->name(), std::string(node->op_type().name), true, {}});
    }
    return rows;
}

}  // namespace

std::shared_ptr<Graph> read_model(const ModelSource& source) {
    return read_with(frontend_of(source), source, place_of(source));
}

std::vector<NodeSupport> query_model(const ModelSource& source) {
    const Frontend& frontend = frontend_of(source);
    if (frontend.query == nullptr) return all_supported(*read_model(source));
    const DefaultFloatModes modes;
    return frontend.query(source);
}

}  // namespace rondo
