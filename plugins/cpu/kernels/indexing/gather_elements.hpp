// Copies single elements that a tensor of indices names.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/indexing/element_places.hpp"

namespace rondo::cpu {

/// `out` overlaps neither of the others.
struct GatherElementsArgs {
    const void* data = nullptr;
    const void* indices = nullptr;
    void* out = nullptr;
};

/// Immutable.
class GatherElements {
public:
    /// `element`: bytes, 1, 2, 4 or 8.
    GatherElements(const ElementSizes& sizes, ElementType indices, std::int64_t element);

    const ElementPlaces& places() const { return places_; }
    /// Pieces of work: runs of indices, or indices where there is one run.
    std::int64_t pieces() const;
    /// Elements of a piece.
    std::int64_t piece_size() const;

    /// Writes the pieces [begin, end) of the output. All indices must be in range.
    void run(const GatherElementsArgs& args, std::int64_t begin, std::int64_t end) const;

private:
    using Copy = void (*)(const void* data, const std::int64_t* places, void* out,
                          std::int64_t count);

    ElementPlaces places_;
    std::int64_t element_;
    Copy copy_;
};

}  // namespace rondo::cpu
