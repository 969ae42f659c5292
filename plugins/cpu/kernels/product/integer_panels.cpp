#include "plugins/cpu/kernels/product/integer_panels.hpp"

#include <algorithm>
#include <numeric>

#include "plugins/cpu/kernels/product/quantized_rows.hpp"

namespace rondo::cpu {
namespace {

const std::int8_t* column_of(const IntegerColumns& source, std::int64_t column) {
    return static_cast<const std::int8_t*>(source.data) + column * source.stride;
}

void pack_each(const IntegerColumns& source, const PanelTarget& target, int together) {
    auto* out = static_cast<std::int8_t*>(target.data);
    const std::int64_t steps = whole_steps(source.k, together) / together;
    for (std::int64_t step = 0; step < steps; ++step) {
        std::fill_n(out + step * target.stride * together, target.lanes * together, std::int8_t{0});
    }
    for (std::int64_t lane = 0; lane < source.columns; ++lane) {
        const std::int8_t* from = column_of(source, lane);
        for (std::int64_t k = 0; k < source.k; ++k) {
            out[(k / together * target.stride + lane) * together + k % together] = from[k];
        }
    }
}

}  // namespace

void pack_integers(const IntegerColumns& source, const PanelTarget& target, int together,
                   std::int32_t* sums) {
    if (source.k % together == 0 && source.stride % together == 0) {
        const std::int64_t steps = source.k / together;
        pack_panel({source.data, steps, 1, source.columns, source.stride / together}, target,
                   static_cast<std::size_t>(together));
    } else {
        pack_each(source, target, together);
    }
    for (std::int64_t lane = 0; lane < target.lanes; ++lane) {
        sums[lane] = 0;
        if (lane >= source.columns || source.k == 0) continue;
        const std::int8_t* from = column_of(source, lane);
        sums[lane] = std::accumulate(from, from + source.k, 0);
    }
}

}  // namespace rondo::cpu
