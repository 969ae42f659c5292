// How deep bodies and functions may be nested in a model, and how much of them is read.
#pragma once

#include <cstddef>

namespace rondo::onnx {

/// How many bodies, loops among them, and calls of functions are around a node.
struct Depth {
    int bodies = 0;
    int loops = 0;
    int calls = 0;
};

/// Hostile files nest without end. Loops are read again while their shapes and lists change, and
/// loops in loops multiply that.
class ReadLimits {
public:
    /// The depth inside a body. Throws UnsupportedError where it is too deep, or after too many.
    Depth enter_body(Depth around, bool loops);
    /// Counts nodes that stand in a graph in place of a call. Throws UnsupportedError for too many.
    void count_inlined(int nodes, const Depth& depth);

private:
    std::size_t inlined_nodes_ = 0;
    std::size_t bodies_ = 0;
};

}  // namespace rondo::onnx
