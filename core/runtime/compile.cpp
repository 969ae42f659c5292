#include "core/runtime/compile.hpp"

#include <optional>

#include "core/runtime/cache/file_identity.hpp"
#include "core/runtime/cache/graph_files.hpp"
#include "core/runtime/compiled_model_impl.hpp"
#include "core/runtime/frontend.hpp"
#include "core/runtime/graph_limits.hpp"
#include "core/runtime/model_cache.hpp"
#include "core/runtime/properties/limit_properties.hpp"
#include "core/runtime/properties/property_values.hpp"
#include "core/runtime/read_model.hpp"
#include "core/support/limits.hpp"
#include "core/support/log.hpp"
#include "core/support/process.hpp"
#include "core/support/strings.hpp"

namespace rondo {
namespace {

using CompiledPtr = std::shared_ptr<CompiledModel::Impl>;

std::size_t stream_count(const Properties& properties) {
    const auto at = properties.find(property::kNumStreams);
    long long streams = 1;
    if (at == properties.end() || !parse_int(at->second, streams) || streams < 1) return 1;
    return static_cast<std::size_t>(streams);
}

std::optional<ModelCache> cache_of(const CompileTarget& target) {
    const auto folder = target.settings.find(property::kCacheDir);
    if (folder == target.settings.end() || folder->second.empty()) return std::nullopt;
    return ModelCache(folder->second);
}

// `graph` is the result of the portable passes and becomes the device's own.
CompiledPtr make_compiled(const CompileTarget& target, std::shared_ptr<Graph> graph, bool cached) {
    const Stopwatch watch;
    const std::string name = graph->name();
    auto executable = target.plugin->compile(std::move(graph), target.settings);
    if (log_enabled(LogLevel::info)) {
        log(LogLevel::info, "compiled '" + name + "' for " + target.device + " in " + watch.text());
    }
    const std::size_t streams = stream_count(executable->properties());
    Properties own{{property::kModelName, name}, {property::kLoadedFromCache, switch_text(cached)}};
    return std::make_shared<CompiledModel::Impl>(target.plugin, std::move(executable), streams,
                                                 std::move(own));
}

// What one call of compile() works with.
struct Work {
    explicit Work(const CompileTarget& target)
        : limits(limits_of(target.settings)), deadline(limits.compile_time) {}

    ModelLimits limits;
    Deadline deadline;
};

std::shared_ptr<Graph> transformed(std::shared_ptr<Graph> graph, const Work& work) {
    const Stopwatch watch;
    check_limits(*graph, work.limits);
    set_limits(*graph, work.limits);
    run_portable_passes(*graph, {}, work.deadline);
    if (log_enabled(LogLevel::info)) {
        log(LogLevel::info, "ran the portable passes in " + watch.text());
    }
    return graph;
}

}  // namespace

CompiledPtr compile(const CompileTarget& target, const Graph& graph) {
    const DefaultFloatModes modes;
    const Work work(target);
    const auto cache = cache_of(target);
    if (!cache) return make_compiled(target, transformed(graph.clone(), work), false);
    const auto files = sampled_files_of(graph);
    if (!are_current(files)) {
        log(LogLevel::info, "cache: not used, since a file has changed since it was read");
        return make_compiled(target, transformed(graph.clone(), work), false);
    }
    const std::string key = model_key(target, graph, files);
    if (auto known = cache->load(key, "", work.limits)) {
        set_limits(*known, work.limits);
        return make_compiled(target, std::move(known), true);
    }
    auto ready = transformed(graph.clone(), work);
    cache->store(key, *ready, "", files);
    return make_compiled(target, std::move(ready), false);
}

CompiledPtr compile(const CompileTarget& target, const std::string& path) {
    const DefaultFloatModes modes;
    const Work work(target);
    const auto cache = cache_of(target);
    std::vector<OpenedFile> files;
    ModelSource source = source_of(path, cache ? &files : nullptr);
    configure(source, target.settings);
    if (!cache) return make_compiled(target, transformed(read_model(source), work), false);
    const std::string key = model_key(target, files[0].bytes, path);
    if (auto known = cache->load(key, path, work.limits)) {
        set_limits(*known, work.limits);
        return make_compiled(target, std::move(known), true);
    }
    const MappedFile model = files[0].bytes;
    if (model.size <= kSmallFile) files.clear();  // the key has all of its bytes
    source.opened_files = &files;
    auto ready = transformed(read_model(source), work);
    if (is_as_mapped(model)) cache->store(key, *ready, path, files);
    return make_compiled(target, std::move(ready), false);
}

}  // namespace rondo
