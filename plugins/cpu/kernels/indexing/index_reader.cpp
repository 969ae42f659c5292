#include "plugins/cpu/kernels/indexing/index_reader.hpp"

#include <utility>

#include "core/support/visit_type.hpp"

namespace rondo::cpu {
namespace {

template <typename Index>
std::optional<std::int64_t> first_bad(const void* indices, std::int64_t count,
                                      std::span<const std::int64_t> extents) {
    const auto* index = static_cast<const Index*>(indices);
    const auto step = static_cast<std::int64_t>(extents.size());
    for (std::int64_t i = 0; i < count; i += step) {
        for (std::int64_t k = 0; k < step; ++k) {
            const std::int64_t extent = extents[static_cast<std::size_t>(k)];
            const bool is_low = std::cmp_less(index[i + k], -extent);
            if (is_low || std::cmp_greater_equal(index[i + k], extent)) return i + k;
        }
    }
    return std::nullopt;
}

template <typename Index>
void load_indices(const void* indices, std::int64_t first, std::int64_t count, std::int64_t* to) {
    const auto* index = static_cast<const Index*>(indices) + first;
    for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<std::int64_t>(index[i]);
}

}  // namespace

IndexReader::IndexReader(ElementType type) {
    visit_integer(type, [&](auto tag) {
        using Index = tag_type<decltype(tag)>;
        find_bad_ = first_bad<Index>;
        load_ = load_indices<Index>;
    });
}

}  // namespace rondo::cpu
