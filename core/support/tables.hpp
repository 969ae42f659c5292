// Joins tables at compile time, so that a list of all ops is made of the lists of families.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace rondo {

/// The entries of all tables, one table after another.
template <typename Entry, std::size_t... sizes>
constexpr auto joined(const std::array<Entry, sizes>&... tables) {
    std::array<Entry, (sizes + ...)> all{};
    std::size_t at = 0;
    const auto append = [&](const auto& table) {
        for (const auto& entry : table) all[at++] = entry;
    };
    (append(tables), ...);
    return all;
}

/// An array of `entry(row)` for each row of a C array.
template <typename Row, std::size_t size, typename Function>
constexpr auto entries_of(const Row (&rows)[size], Function entry) {
    std::array<decltype(entry(rows[0])), size> all{};
    for (std::size_t i = 0; i < size; ++i) all[i] = entry(rows[i]);
    return all;
}

/// The table in the order that `less` says.
template <typename Table, typename Less>
constexpr Table sorted(Table table, Less less) {
    std::sort(table.begin(), table.end(), less);
    return table;
}

}  // namespace rondo
