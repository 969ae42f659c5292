// Packs columns of 8-bit weights into the panels that products of integers read.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/product/panel_pack.hpp"

namespace rondo::cpu {

/// `columns` columns of k integers each, which lie side by side; `stride` from column to column.
struct IntegerColumns {
    const void* data = nullptr;
    std::int64_t k = 0;
    std::int64_t columns = 0;
    std::int64_t stride = 0;
};

/// [step][lane][together] with zeros for what the source lacks; lanes and stride of `target` count
/// steps of `together` (2 or 4) integers. sums[lane] = the sum of the lane's column.
void pack_integers(const IntegerColumns& source, const PanelTarget& target, int together,
                   std::int32_t* sums);

}  // namespace rondo::cpu
