// How the table of a family is searched, and held to the order of its enumeration.
#pragma once

#include <cstddef>
#include <iterator>

#include "core/graph/op_type.hpp"
#include "core/support/check.hpp"

namespace rondo::ops {

/// True where row i describes function i, so that a function is the index of its row.
template <typename Rows>
constexpr bool in_order_of_functions(const Rows& rows) {
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        if (static_cast<std::size_t>(rows[i].function) != i) return false;
    }
    return true;
}

/// The row of the op type, which must be in the table.
template <typename Rows>
const auto& row_of(const Rows& rows, const OpType& type) {
    for (const auto& row : rows) {
        if (row.type.name == type.name && row.type.opset == type.opset) return row;
    }
    internal_error("an op is made of a family that doesn't have it");
}

}  // namespace rondo::ops
