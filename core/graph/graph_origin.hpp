// A model that can be read again for other shapes of its inputs.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "rondo/shape.hpp"

namespace rondo {

class Graph;

/// What a reader keeps of a file whose graph depends on the extents that it gives its inputs:
/// arithmetic on shapes that was computed, a branch that was chosen.
class GraphOrigin {
public:
    explicit GraphOrigin(std::vector<PartialShape> shapes) : shapes_(std::move(shapes)) {}
    GraphOrigin(const GraphOrigin&) = delete;
    GraphOrigin& operator=(const GraphOrigin&) = delete;
    virtual ~GraphOrigin() = default;

    /// The shapes of the graph's parameters when it was read.
    const std::vector<PartialShape>& shapes() const { return shapes_; }

    /// The graph of the same file with inputs of these shapes, one for each parameter. It has an
    /// origin of its own, and shares the weights. Throws what reading throws.
    virtual std::shared_ptr<Graph> read(const std::vector<PartialShape>& shapes) const = 0;

private:
    std::vector<PartialShape> shapes_;
};

}  // namespace rondo
