#include "plugins/cpu/kernels/panel_pack.hpp"

#include "core/support/check.hpp"

namespace rondo::cpu {
namespace {

template <typename Bits>
void pack(const PanelSource& source, const PanelTarget& target) {
    auto* out = static_cast<Bits*>(target.data);
    for (std::int64_t k = 0; k < source.k; ++k, out += target.stride) {
        const Bits* in = static_cast<const Bits*>(source.data) + k * source.k_stride;
        for (std::int64_t j = 0; j < source.columns; ++j) out[j] = in[j * source.column_stride];
        for (std::int64_t j = source.columns; j < target.lanes; ++j) out[j] = 0;
    }
}

}  // namespace

void pack_panel(const PanelSource& source, const PanelTarget& target, std::size_t element_bytes) {
    switch (element_bytes) {
        case 2: return pack<std::uint16_t>(source, target);
        case 4: return pack<std::uint32_t>(source, target);
        case 8: return pack<std::uint64_t>(source, target);
        default: internal_error("panels hold elements of 2, 4 or 8 bytes");
    }
}

}  // namespace rondo::cpu
