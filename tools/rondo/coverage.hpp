// Which models of a collection a device runs, and what the others lack.
#pragma once

#include <string>
#include <vector>

#include "property_arguments.hpp"

namespace rondo::tool {

struct CoverageOptions {
    std::vector<std::string> models;  ///< files, and folders that are searched for .onnx and .xml
    std::string device = "CPU";
    PropertyOptions properties;
    bool json = false;
};

/// Prints a line a model: its layers and operations, or why it doesn't run; then how many run.
/// Returns 0 where all run, else 1. Throws ModelError where a path doesn't exist or a folder has no
/// model.
int coverage(const CoverageOptions& options);

}  // namespace rondo::tool
