// How deep bodies and functions may be nested in a model, and how much of them is read.
#pragma once

#include <cstddef>
#include <string>

#include "core/support/limits.hpp"

namespace rondo::onnx {

/// How many bodies, loops among them, and calls of functions are around a node.
struct Depth {
    std::size_t bodies = 0;
    std::size_t loops = 0;
    std::size_t calls = 0;
};

/// Hostile files nest without end. Loops are read again while their shapes and lists change, and
/// loops in loops multiply that.
class ReadLimits {
public:
    /// The time to read begins now.
    explicit ReadLimits(const ModelLimits& limits = {})
        : limits_(limits), deadline_(limits.compile_time) {}

    /// The depth inside a body. Throws UnsupportedError if it is too deep, or after too many.
    Depth enter_body(Depth around, bool loops);
    /// Counts nodes that take the place of a call. Throws UnsupportedError for too many.
    void count_inlined(std::size_t nodes, const Depth& depth);
    /// Throws UnsupportedError if reading takes too long; `node` comes next.
    void check_time(const std::string& node) const;

private:
    ModelLimits limits_;
    Deadline deadline_;
    std::size_t inlined_nodes_ = 0;
    std::size_t bodies_ = 0;
};

}  // namespace rondo::onnx
