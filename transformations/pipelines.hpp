// The ordered lists of passes; nothing else decides order.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "transformations/pass/pass.hpp"

namespace rondo::passes {

/// What rondo::run_portable_passes() runs: the result is the IR that `rondo compile` writes.
std::span<const PassEntry> portable_passes();

/// Their names, in order.
std::vector<std::string> portable_pass_names();

/// What follows them where TransformOptions::reader is "openvino".
std::span<const PassEntry> passes_for_openvino();

}  // namespace rondo::passes
