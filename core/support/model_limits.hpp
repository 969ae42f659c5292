// The limits that users set: how much a model may ask for when it is read, compiled and run.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace rondo {

/// The defaults hold where nothing is set; docs/properties.md says what each one bounds.
struct ModelLimits {
    std::size_t nodes = 500'000;  ///< of a graph and all bodies in it
    std::size_t depth = 24;       ///< of bodies in bodies
    std::size_t loop_depth = 6;   ///< of loops among them
    std::size_t iterations = 1'000'000'000;
    std::size_t constant_bytes = 0;                     ///< 0: by the size of the files
    std::size_t folded_bytes = 0;                       ///< 0: the passes choose
    std::size_t tensor_bytes = 0;                       ///< 0: the machine's memory
    std::size_t plan_bytes = 0;                         ///< likewise
    std::chrono::milliseconds compile_time{3'600'000};  ///< 0: any time
};

/// The end of a message about a limit: "the limit is 100 (property 'MAX_NODES')".
inline std::string limit_text(std::uint64_t limit, const char* property) {
    return "the limit is " + std::to_string(limit) + " (property '" + property + "')";
}

}  // namespace rondo
