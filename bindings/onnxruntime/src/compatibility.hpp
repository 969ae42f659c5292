// On which builds of the plugin a model that holds compiled parts runs.
#pragma once

#include <string>

#include "bindings/onnxruntime/abi/onnxruntime.hpp"

namespace rondo::ort {

/// What such a model says of its parts: "rondo=0.1.0". A part is a graph, whose kernels are
/// generated where it runs: nothing in it depends on the machine.
std::string compatibility_text();

/// What that text means here. Parts of this version are read, and so are those of another patch
/// release, though this one may do better with the original; those of other releases need not be.
OrtCompiledModelCompatibility compatibility_of(const char* text);

}  // namespace rondo::ort
