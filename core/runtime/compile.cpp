#include "core/runtime/compile.hpp"

#include <optional>
#include <utility>

#include "core/graph/reloadable_tensor.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/runtime/cache/file_identity.hpp"
#include "core/runtime/compiled_model_impl.hpp"
#include "core/runtime/frontend.hpp"
#include "core/runtime/model_cache.hpp"
#include "core/runtime/properties/property_values.hpp"
#include "core/runtime/transforms.hpp"
#include "core/support/errors.hpp"
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

// What one call of compile() works with.
struct Work {
    explicit Work(const ModelLimits& held) : limits(held), deadline(limits.compile_time) {}
    explicit Work(const CompileTarget& target) : Work(limits_of(target.settings)) {}

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

// In an order that a copy of the graph has as well.
std::vector<std::shared_ptr<ops::Constant>> large_constants(const Graph& graph) {
    std::vector<std::shared_ptr<ops::Constant>> found;
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            auto constant = as<ops::Constant>(node);
            if (constant == nullptr || constant->value().byte_size() < kWorthReleasing) continue;
            found.push_back(std::move(constant));
        }
    });
    return found;
}

// A copy of a graph from which the whole graph can be made again: constants that a reader has
// copied from a file are left there, mapped and other ones are shared.
class LeanGraph {
public:
    explicit LeanGraph(const Graph& graph) : graph_(graph.clone()) {
        for (const auto& constant : large_constants(*graph_)) {
            ReloadableTensor value(constant->value());
            if (!value.is_in_file()) continue;
            constant->release();
            released_.push_back(std::move(value));
        }
    }

    // The whole graph, once more. Throws ModelError if a file that it needs was changed in
    // place.
    std::shared_ptr<Graph> load() const {
        auto whole = graph_->clone();
        auto next = released_.begin();
        for (const auto& constant : large_constants(*whole)) {
            check_as_mapped(constant->value());
            if (!constant->is_released()) continue;
            internal_check(next != released_.end(), "a copy of a graph has more constants");
            constant->set_value((next++)->load());
        }
        whole->validate();  // shapes may follow from these values
        return whole;
    }

    // Gives the pages of mapped constants back to the system, until they are read.
    void drop_pages() const {
        for (const auto& constant : large_constants(*graph_)) rondo::drop_pages(constant->value());
    }

private:
    std::shared_ptr<Graph> graph_;
    std::vector<ReloadableTensor> released_;  // of its constants, in order
};

// A graph from a frontend or the cache, for a second time.
class ReadGraph {
public:
    ReadGraph(const Graph& read, const ModelLimits& limits, bool cached)
        : limits_(limits), cached_(cached) {
        if (!large_constants(read).empty()) lean_.emplace(read);
    }

    bool is_cached() const { return cached_; }
    bool may_release() const { return lean_.has_value(); }
    void drop_pages() const {
        if (lean_) lean_->drop_pages();
    }

    // What the device was given.
    std::shared_ptr<Graph> make_again() const {
        auto graph = lean_.value().load();
        if (!cached_) return transformed(std::move(graph), Work(limits_));
        set_limits(*graph, limits_);
        return graph;
    }

private:
    std::optional<LeanGraph> lean_;  // if it has large constants
    ModelLimits limits_;
    bool cached_;
};

// `graph` is what the device gets, and becomes its own. Large constants of it may be released,
// since `read` has them.
CompiledPtr make_compiled(const CompileTarget& target, std::shared_ptr<Graph> graph,
                          std::shared_ptr<const ReadGraph> read) {
    const Stopwatch watch;
    const std::string name = graph->name();
    read->drop_pages();
    auto executable = read->may_release()
                          ? target.plugin->compile_and_release(std::move(graph), target.settings)
                          : target.plugin->compile(std::move(graph), target.settings);
    CompiledModel::Impl::GiveAgain give_again;
    if (executable->has_released()) {
        give_back_memory();
        give_again = [read] { return read->make_again(); };
    }
    if (log_enabled(LogLevel::info)) {
        log(LogLevel::info, "compiled '" + name + "' for " + target.device + " in " + watch.text());
    }
    const std::size_t streams = stream_count(executable->properties());
    Properties own{{property::kModelName, name},
                   {property::kLoadedFromCache, switch_text(read->is_cached())}};
    return std::make_shared<CompiledModel::Impl>(target.plugin, std::move(executable), streams,
                                                 std::move(own), std::move(give_again));
}

CompiledPtr compile_read(const CompileTarget& target, std::shared_ptr<Graph> graph,
                         const Work& work) {
    auto read = std::make_shared<const ReadGraph>(*graph, work.limits, false);
    return make_compiled(target, transformed(std::move(graph), work), std::move(read));
}

CompiledPtr compile_cached(const CompileTarget& target, std::shared_ptr<Graph> graph,
                           const Work& work) {
    auto read = std::make_shared<const ReadGraph>(*graph, work.limits, true);
    set_limits(*graph, work.limits);
    return make_compiled(target, std::move(graph), std::move(read));
}

// Compiles, and adds the result of the portable passes to the cache.
template <typename Store>
CompiledPtr compile_and_store(const CompileTarget& target, std::shared_ptr<Graph> graph,
                              const Work& work, const Store& store) {
    auto read = std::make_shared<const ReadGraph>(*graph, work.limits, false);
    auto ready = transformed(std::move(graph), work);
    store(*ready);
    return make_compiled(target, std::move(ready), std::move(read));
}

}  // namespace

CompiledPtr compile(const CompileTarget& target, const Graph& graph) {
    const DefaultFloatModes modes;
    const Work work(target);
    const auto cache = cache_of(target);
    if (!cache) return compile_read(target, graph.clone(), work);
    const auto files = sampled_files_of(graph);
    if (!are_current(files)) {
        log(LogLevel::info, "cache: not used, since a file has changed since it was read");
        return compile_read(target, graph.clone(), work);
    }
    const std::string key = model_key(target, graph, files);
    if (auto known = cache->load(key, "", work.limits)) {
        return compile_cached(target, std::move(known), work);
    }
    return compile_and_store(target, graph.clone(), work,
                             [&](const Graph& ready) { cache->store(key, ready, "", files); });
}

CompiledPtr compile(const CompileTarget& target, const std::string& path) {
    const DefaultFloatModes modes;
    const Work work(target);
    const auto cache = cache_of(target);
    std::vector<OpenedFile> files;
    ModelSource source = source_of(path, cache ? &files : nullptr);
    configure(source, target.settings);
    if (!cache) return compile_read(target, read_model(source), work);
    const std::string key = model_key(target, files[0].bytes, path);
    if (auto known = cache->load(key, path, work.limits)) {
        return compile_cached(target, std::move(known), work);
    }
    const MappedFile model = files[0].bytes;
    if (model.size <= kSmallFile) files.clear();  // the key has all of its bytes
    source.opened_files = &files;
    return compile_and_store(target, read_model(source), work, [&](const Graph& ready) {
        if (is_as_mapped(model)) cache->store(key, ready, path, files);
    });
}

}  // namespace rondo
