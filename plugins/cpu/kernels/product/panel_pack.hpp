// Gathers columns of a matrix into the panels that products read, whatever their elements' size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plugins/cpu/kernels/product/weight_format.hpp"

namespace rondo::cpu {

/// `columns` columns of K elements each: element (k, j) is number k * k_stride + j * column_stride.
struct PanelSource {
    const void* data = nullptr;
    std::int64_t k = 0;
    std::int64_t k_stride = 0;
    std::int64_t columns = 0;
    std::int64_t column_stride = 0;
};

/// `lanes` elements for each k, `stride` elements from those of the next k.
struct PanelTarget {
    void* data = nullptr;
    std::int64_t lanes = 0;
    std::int64_t stride = 0;
};

/// Columns that the source lacks are written as zeros. `element_bytes`: 2, 4 or 8.
void pack_panel(const PanelSource& source, const PanelTarget& target, std::size_t element_bytes);

/// Columns of a format that rounds rows: integers, whose k_stride is 1, or bf16. [step][plane]
/// [lane][together], the lower plane first, with zeros for what the source lacks; lanes and stride
/// of `target` count steps of `together` (2 or 4) numbers. An integer of 16 bits is 256 * its upper
/// byte + its lower one, both signed. sums: [plane][lane], of the lane's column of integers.
void pack_steps(const PanelSource& source, const PanelTarget& target, const WeightFormat& format,
                int together, std::int32_t* sums);

/// One of both, as the format needs it.
void pack_columns(const PanelSource& source, const PanelTarget& target, const WeightFormat& format,
                  int together, std::int32_t* sums);

}  // namespace rondo::cpu
