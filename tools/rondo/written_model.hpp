// What `rondo compile` and `rondo quantize` write.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rondo/model.hpp"

namespace rondo::tool {

/// "ir" or "onnx": by `target`, or, if that is empty, by the name of the output. Throws
/// ModelError if they don't go together.
std::string written_format(const std::string& output, const std::string& target = "");

/// The files, as the user sees them: "a.xml and a.bin". `has_data`: external data of ONNX.
std::string written_files(const std::string& format, const std::string& output, bool has_data);

/// Where an IR comes from: Rondo's version, the name of the file that was read, and the options as
/// they are typed.
void set_origin(Model& model, const std::string& source, const std::string& options);

/// Names and values of options as they are typed, without those that have none, and the flag of
/// inputs with initializers.
std::string typed_text(const std::vector<std::pair<std::string, std::string>>& options,
                       bool keep_inputs);

}  // namespace rondo::tool
