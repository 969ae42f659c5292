// What a user may set for a session that runs Rondo.
#pragma once

#include <map>
#include <string>

#include "bindings/onnxruntime/src/host.hpp"
#include "rondo/properties.hpp"

namespace rondo::ort {

/// Which nodes the plugin takes.
enum class Partition {
    automatic,  ///< the whole graph if it holds a recurrent layer or cell, else parts around such
                ///< layers
    whole,      ///< the whole graph, whatever it holds, or nothing
    recurrent,  ///< parts around recurrent layers
    none        ///< nothing
};

/// onnxruntime's own options of models that hold compiled parts.
struct ContextOptions {
    bool is_written = false;  ///< the session writes such a model
    bool embeds = false;      ///< with the parts inside it, else in a file beside it
    std::string model_path;   ///< of that model, written or read; empty: beside the model
    std::string prefix;       ///< of the parts' names
};

struct Options {
    Partition partition = Partition::automatic;
    Properties properties;  ///< what models are compiled with
    ContextOptions context;
};

/// Reads a session's entries, of which "ep.rondoexecutionprovider.<key>" are the plugin's options.
/// Throws ModelError for an unknown key, with the nearest one and a list of all, and for a wrong
/// value.
Options read_options(const std::map<std::string, std::string>& entries);

/// The entries of a session's configuration.
std::map<std::string, std::string> config_entries(const Host& host,
                                                  const OrtSessionOptions* options);

}  // namespace rondo::ort
