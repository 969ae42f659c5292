// Copies single elements that a tensor of indices names.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/indexing/element_places.hpp"
#include "plugins/cpu/kernels/indexing/scatter_loops.hpp"

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

// Lets updates meet single elements that a tensor of indices names.

/// `out` holds the data, and overlaps neither of the others.
struct ScatterElementsArgs {
    void* out = nullptr;
    const void* indices = nullptr;
    const void* updates = nullptr;
};

/// Immutable.
class ScatterElements {
public:
    /// `element`: bytes of an element of data and updates.
    ScatterElements(const ElementSizes& sizes, ElementType indices, std::int64_t element)
        : places_(sizes, indices), element_(element) {}

    const ElementPlaces& places() const { return places_; }
    /// Pieces of work, which meet different elements.
    std::int64_t pieces() const;
    std::int64_t piece_size() const { return places_.loop().size() / pieces(); }

    /// The pieces [begin, end) of the updates. All indices must be in range.
    void run(const ScatterElementsArgs& args, const ScatterLoops& loops, std::int64_t begin,
             std::int64_t end) const;
    /// Gives the elements that these pieces meet the value that a reduction begins with.
    void reset(const ScatterElementsArgs& args, const ScatterLoops& loops, std::int64_t begin,
               std::int64_t end) const;
    /// All updates, as parts of means.
    void run_mean(const ScatterElementsArgs& args, const ScatterMean& mean, void* scratch) const;

private:
    std::int64_t runs_of(std::int64_t pieces) const {
        return places_.loop().runs() / this->pieces() * pieces;
    }

    ElementPlaces places_;
    std::int64_t element_;
};

}  // namespace rondo::cpu
