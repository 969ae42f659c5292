// Compiles a model: portable passes or the cache, then the device. A key says what a cached model
// was made from, as text: equal keys mean the same model for the same device.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"
#include "core/runtime/plugin.hpp"
#include "core/support/mapped_file.hpp"
#include "rondo/compiled_model.hpp"

namespace rondo {

/// A device as it is asked to compile: `settings` holds a value for each of its properties.
struct CompileTarget {
    std::string device;
    std::shared_ptr<Plugin> plugin;
    Properties settings;
};

/// The key of a model's file by its bytes and its name, which says which weights are its own (m.bin
/// of m.xml); its folder doesn't matter. A file that isn't small is sampled: the entry must name it
/// as well.
std::string model_key(const CompileTarget& target, const MappedFile& file, const std::string& path);

/// The key of a graph's nodes, names, attributes and constants: by value, or by place where they
/// lie in one of `files`, which the entry must name.
std::string model_key(const CompileTarget& target, const Graph& graph,
                      std::span<const OpenedFile> files = {});

/// Doesn't change `graph`. With CACHE_DIR, a hit saves the portable passes.
std::shared_ptr<CompiledModel::Impl> compile(const CompileTarget& target, const Graph& graph);

/// With CACHE_DIR, a hit saves reading the model too.
std::shared_ptr<CompiledModel::Impl> compile(const CompileTarget& target, const std::string& path);

}  // namespace rondo
