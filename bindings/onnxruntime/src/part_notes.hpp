// What an EPContext node says of its part besides the bytes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bindings/onnxruntime/src/context_file.hpp"

namespace rondo::ort {

struct PartNotes {
    std::vector<std::size_t> inputs;   ///< of each input of the compiled model: the node's input
    std::vector<std::size_t> outputs;  ///< of each output of the compiled model: the node's output
    FileRange bytes;                   ///< where in the file, or in the attribute, the part is
};

/// "inputs 0 1; outputs 0; bytes 0 4711".
std::string text_of(const PartNotes& notes);

/// Throws ModelError if it isn't such a text.
PartNotes read_notes(const std::string& text);

}  // namespace rondo::ort
