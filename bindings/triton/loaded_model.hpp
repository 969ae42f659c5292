// A model of the repository, read, made stateful or streaming as its parameters say, and compiled.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bindings/triton/settings.hpp"
#include "rondo/core.hpp"

namespace rondo::triton {

struct LoadedModel {
    CompiledModel compiled;
    bool keeps_states = false;  ///< it has variables: requests are steps of streams
    /// The axis of the batch of each port, in the model's order; empty: all rows share it, or the
    /// rows aren't independent.
    std::vector<std::optional<std::size_t>> input_rows;
    std::vector<std::optional<std::size_t>> output_rows;
    /// Why requests can't share an inference; empty if they can.
    std::string obstacle;
};

/// The model's file in the folder of a version: `named`, if the configuration names it, else
/// model.onnx, model.xml or model.rondo. Throws ModelError that lists what is there.
std::string model_file(const std::string& folder, const std::string& named);

/// Reads a file of any format that Rondo has, or what CompiledModel::export_model() wrote.
/// Throws what reading, changing and compiling throw.
LoadedModel load_model(const Core& core, const std::string& file, const Settings& settings);

}  // namespace rondo::triton
