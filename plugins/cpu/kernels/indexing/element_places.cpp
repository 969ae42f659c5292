#include "plugins/cpu/kernels/indexing/element_places.hpp"

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

namespace {

std::int64_t step_behind(const std::vector<std::int64_t>& extents, std::size_t axis) {
    std::int64_t step = 1;
    for (std::size_t i = axis + 1; i < extents.size(); ++i) step *= extents[i];
    return step;
}

NdLoop<2> loop_of(const ElementSizes& sizes) {
    std::vector<NdAxis<2>> axes;
    for (std::size_t i = 0; i < sizes.indices.size(); ++i) {
        const std::int64_t step = i == sizes.axis ? 0 : step_behind(sizes.data, i);
        axes.push_back({sizes.indices[i], {step, step_behind(sizes.indices, i)}});
    }
    return NdLoop<2>(std::move(axes));
}

}  // namespace

ElementPlaces::ElementPlaces(const ElementSizes& sizes, ElementType indices)
    : extent_(sizes.data[sizes.axis]),
      step_(step_behind(sizes.data, sizes.axis)),
      loop_(loop_of(sizes)),
      reader_(indices) {}

bool ElementPlaces::is_split_by_outermost() const {
    return !loop_.outer().empty() && loop_.outer().front().steps[0] != 0;
}

void ElementPlaces::read(const void* indices, const Loop::Offsets& at, std::int64_t first,
                         std::int64_t count, std::int64_t* places) const {
    reader_.load(indices, at[1] + first, count, places);
    const std::int64_t step = loop_.run().steps[0];
    std::int64_t start = at[0] + first * step;
    for (std::int64_t i = 0; i < count; ++i, start += step) {
        const std::int64_t place = places[i] < 0 ? places[i] + extent_ : places[i];
        places[i] = start + place * step_;
    }
}

}  // namespace rondo::cpu
