#include "plugins/cpu/kernels/indexing/slice_moves.hpp"

#include <algorithm>
#include <utility>

#include "plugins/cpu/kernels/movement/copy_bytes.hpp"

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

void gather_slices(const SlicePlaces& places, std::int64_t slice, const GatherSlicesArgs& args,
                   std::int64_t begin, std::int64_t end) {
    const auto* data = static_cast<const char*>(args.data);
    auto* out = static_cast<char*>(args.out);
    for (std::int64_t tuple = begin; tuple < end; ++tuple) {
        const std::int64_t place = places.read(args.indices, tuple);
        copy_bytes(out + tuple * slice, data + place * slice, slice);
    }
}

void scatter_slices(const SlicePlaces& places, const SliceElements& slice,
                    const ScatterLoops& loops, const ScatterSlicesArgs& args, std::int64_t begin,
                    std::int64_t end) {
    auto* out = static_cast<char*>(args.out);
    const auto* updates = static_cast<const char*>(args.updates);
    for (std::int64_t tuple = 0; tuple < places.sizes().count(); ++tuple) {
        const std::int64_t place = places.read(args.indices, tuple);
        loops.run(out + (place * slice.count + begin) * slice.bytes,
                  updates + (tuple * slice.count + begin) * slice.bytes, end - begin);
    }
}

}  // namespace rondo::cpu
