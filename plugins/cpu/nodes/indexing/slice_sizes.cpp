#include "plugins/cpu/nodes/indexing/slice_sizes.hpp"

#include "plugins/cpu/nodes/common/bad_index.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"

namespace rondo::cpu {

SliceSizes slice_sizes_of(const CallSite& site, std::size_t batch) {
    const Shape& data = site.inputs[0].shape;
    const Shape& indices = site.inputs[1].shape;
    SliceSizes sizes;
    sizes.batches = extents_product(indices, 0, batch);
    sizes.tuples = extents_product(indices, batch, indices.size() - 1);
    for (std::size_t i = 0; i < indices.back(); ++i) {
        sizes.extents.push_back(static_cast<std::int64_t>(data[batch + i]));
    }
    return sizes;
}

std::int64_t slice_elements_of(const CallSite& site, std::size_t batch) {
    const Shape& data = site.inputs[0].shape;
    return extents_product(data, batch + site.inputs[1].shape.back(), data.size());
}

void check_tuples(const Node& node, const SlicePlaces& places, ElementType type,
                  const void* indices) {
    const auto bad = places.find_bad(indices);
    if (!bad) return;
    const auto place = static_cast<std::size_t>(*bad % places.sizes().places());
    throw_bad_index(node, type, indices, *bad, places.sizes().extents[place]);
}

}  // namespace rondo::cpu
