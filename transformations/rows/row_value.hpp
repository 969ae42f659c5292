// What is known of a value in a batch of streams: where its rows lie.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "transformations/rows/extent_product.hpp"

namespace rondo::passes {

/// The choices on which a fact depends, by number.
using RowChoices = std::set<std::size_t>;

/// An integer of a vector that is computed from shapes.
struct RowElement {
    std::optional<ExtentProduct> value;  ///< with one stream; nothing where that isn't known
    bool counts_streams = false;         ///< with n streams it is n times as large

    /// The number that it is with any number of streams, if that is known.
    std::optional<std::int64_t> number() const {
        return value && !counts_streams ? value->number() : std::nullopt;
    }
};

/// A value with n streams. With rows: the n values that one stream alone would give, joined along
/// `axis`. Without: the same value for any n, except for `elements` that count streams.
struct RowValue {
    bool has_rows = false;
    std::size_t axis = 0;
    ExtentProduct extent{};  ///< along the axis, of one stream
    /// What a small tensor of whole numbers without rows holds, if known.
    std::optional<std::vector<RowElement>> elements = {};
    RowChoices choices{};

    bool counts_streams() const {
        if (!elements) return false;
        for (const RowElement& element : *elements) {
            if (element.counts_streams) return true;
        }
        return false;
    }
    static RowValue rows(std::size_t axis, ExtentProduct extent) {
        return {true, axis, std::move(extent)};
    }
};

/// Thrown where the rows of streams can't be kept apart.
struct RowObstacle {
    const Node* node = nullptr;
    std::string why;
    RowChoices choices{};
};

// The integers of shapes that are computed in a graph, in a batch of streams.

/// The elements of a constant of at most 64 whole numbers; nothing for another tensor.
std::optional<std::vector<RowElement>> elements_of_constant(const Tensor& value);

/// The elements of the node's only output, which follow from the shapes or the elements of the
/// inputs; nothing where that isn't known. Where an input counts streams, so do they.
std::optional<std::vector<RowElement>> elements_of_output(const Node& node,
                                                          const std::vector<RowValue>& inputs);

}  // namespace rondo::passes
