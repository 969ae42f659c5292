#include "plugins/cpu/kernels/indexing/slice_places.hpp"

#include <algorithm>
#include <utility>

namespace rondo::cpu {
namespace {

constexpr std::int64_t kChunk = 16;  // places of a tuple on the stack; tuples are short

}  // namespace

SlicePlaces::SlicePlaces(SliceSizes sizes, ElementType indices)
    : sizes_(std::move(sizes)), reader_(indices) {}

std::int64_t SlicePlaces::read(const void* indices, std::int64_t tuple) const {
    std::int64_t slice = tuple / sizes_.tuples;
    std::int64_t places[kChunk];
    for (std::int64_t first = 0; first < sizes_.places(); first += kChunk) {
        const std::int64_t some = std::min(kChunk, sizes_.places() - first);
        reader_.load(indices, tuple * sizes_.places() + first, some, places);
        for (std::int64_t i = 0; i < some; ++i) {
            const std::int64_t extent = sizes_.extents[static_cast<std::size_t>(first + i)];
            slice = slice * extent + (places[i] < 0 ? places[i] + extent : places[i]);
        }
    }
    return slice;
}

}  // namespace rondo::cpu
