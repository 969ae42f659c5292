#include "plugins/cpu/kernels/indexing/scatter_elements.hpp"

namespace rondo::cpu {

std::int64_t ScatterElements::pieces() const {
    return places_.is_split_by_outermost() ? places_.loop().outer().front().count : 1;
}

void ScatterElements::run(const ScatterElementsArgs& args, const ScatterLoops& loops,
                          std::int64_t begin, std::int64_t end) const {
    const auto* updates = static_cast<const char*>(args.updates);
    places_.for_each_chunk(args.indices, runs_of(begin), runs_of(end),
                           [&](const std::int64_t* places, std::int64_t first, std::int64_t count) {
                               loops.at(args.out, places, updates + first * element_, count);
                           });
}

void ScatterElements::reset(const ScatterElementsArgs& args, const ScatterLoops& loops,
                            std::int64_t begin, std::int64_t end) const {
    places_.for_each_chunk(args.indices, runs_of(begin), runs_of(end),
                           [&](const std::int64_t* places, std::int64_t, std::int64_t count) {
                               loops.reset(args.out, places, count);
                           });
}

void ScatterElements::run_mean(const ScatterElementsArgs& args, const ScatterMean& mean,
                               void* scratch) const {
    const auto* updates = static_cast<const char*>(args.updates);
    mean.start(scratch);
    places_.for_each_chunk(args.indices, 0, places_.loop().runs(),
                           [&](const std::int64_t* places, std::int64_t first, std::int64_t count) {
                               mean.add(scratch, args.out, places, updates + first * element_,
                                        count);
                           });
    mean.finish(scratch, args.out);
}

}  // namespace rondo::cpu
