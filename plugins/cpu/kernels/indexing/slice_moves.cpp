#include "plugins/cpu/kernels/indexing/slice_moves.hpp"

#include "plugins/cpu/kernels/movement/copy_bytes.hpp"

namespace rondo::cpu {

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
