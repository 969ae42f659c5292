// The equation of Einsum, "ij,jk->ik": which axes of which tensors belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rondo::ops {

/// What an axis is called: a letter, or one of the axes of "...", which are numbered
/// from the last one on.
using EinsumLabel = int;

/// A tensor of the equation, with one label an axis.
using EinsumLabels = std::vector<EinsumLabel>;

bool has_label(const EinsumLabels& labels, EinsumLabel label);
/// Those of one tensor, then those of the other.
EinsumLabels joined_labels(EinsumLabels labels, const EinsumLabels& more);

/// Two axes of the same label, which become one: the last.
struct EinsumDiagonal {
    std::vector<std::int64_t> order;  ///< of the axes: those two come after the others
    EinsumLabels labels;              ///< of the axes afterwards
};
/// For the first label that occurs again; empty if all differ.
std::optional<EinsumDiagonal> next_diagonal(const EinsumLabels& labels);

struct EinsumEquation {
    std::vector<EinsumLabels> inputs;
    EinsumLabels output;
};

/// `text` for inputs of these ranks; the rank of an input whose term has no "..." need not be
/// known. Without "->" the output has "..." and then, in the order of ASCII, the letters that occur
/// once. Throws ModelError for text that is no equation or doesn't fit the inputs, and
/// UnsupportedError if a rank must be known.
EinsumEquation parse_einsum(const std::string& text,
                            std::span<const std::optional<std::size_t>> ranks);

}  // namespace rondo::ops
