#include "core/ops/product/compressed_matrix.hpp"

#include "core/support/limits.hpp"

namespace rondo::ops {

std::optional<CompressedGroups> compressed_groups(const Shape& integers, const Shape& matrix,
                                                  bool transposed) {
    CompressedGroups groups{integers, 0};
    if (integers.size() == matrix.size() + 1) {
        const std::size_t inner = transposed ? 2 : 1;
        groups.size = static_cast<std::int64_t>(integers[inner]);
        groups.numbers[inner] = 1;
        const Shape whole = transposed ? Shape{integers[0], integers[1] * integers[2]}
                                       : Shape{integers[0] * integers[1], integers[2]};
        if (whole != matrix) return {};
    } else {
        if (integers != matrix) return {};
        groups.size = static_cast<std::int64_t>(matrix[transposed ? 1 : 0]);
        groups.numbers[transposed ? 1 : 0] = 1;
    }
    return groups.size == 0 ? std::nullopt : std::optional(groups);
}

bool stays_compressed(const Shape& integers, const Shape& scales, const Shape& matrix,
                      bool transposed) {
    if (matrix.size() != 2 || element_count(matrix) * sizeof(float) < kWorthKeepingCompressed) {
        return false;
    }
    const bool has_columns = matrix[transposed ? 0 : 1] > 1;
    const auto groups = compressed_groups(integers, matrix, transposed);
    return has_columns && groups && broadcasts_to(scales, groups->numbers);
}

bool broadcasts_to(const Shape& from, const Shape& to) {
    if (from.size() > to.size()) return false;
    const std::size_t behind = to.size() - from.size();
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
        if (from[axis] != 1 && from[axis] != to[behind + axis]) return false;
    }
    return true;
}

}  // namespace rondo::ops
