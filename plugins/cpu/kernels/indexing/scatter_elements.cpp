#include "plugins/cpu/kernels/indexing/scatter_elements.hpp"

#include <cstring>

namespace rondo::cpu {
namespace {

template <typename T>
void copy(const void* data, const std::int64_t* places, void* out, std::int64_t count) {
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
    const auto* from = static_cast<const char*>(data);
    auto* to = static_cast<char*>(out);
    for (std::int64_t i = 0; i < count; ++i) {
        std::memcpy(to + i * kBytes, from + places[i] * kBytes, sizeof(T));
    }
}

auto copy_of(std::int64_t element) {
    switch (element) {
        case 1: return copy<std::uint8_t>;
        case 2: return copy<std::uint16_t>;
        case 4: return copy<std::uint32_t>;
        default: return copy<std::uint64_t>;
    }
}

}  // namespace

GatherElements::GatherElements(const ElementSizes& sizes, ElementType indices, std::int64_t element)
    : places_(sizes, indices), element_(element), copy_(copy_of(element)) {}

std::int64_t GatherElements::pieces() const {
    const auto& loop = places_.loop();
    return loop.runs() == 1 ? loop.run().count : loop.runs();
}

std::int64_t GatherElements::piece_size() const {
    const auto& loop = places_.loop();
    return loop.runs() == 1 ? 1 : loop.run().count;
}

void GatherElements::run(const GatherElementsArgs& args, std::int64_t begin,
                         std::int64_t end) const {
    const auto copy = [&](const std::int64_t* places, std::int64_t first, std::int64_t count) {
        copy_(args.data, places, static_cast<char*>(args.out) + first * element_, count);
    };
    if (places_.loop().runs() == 1) {
        places_.for_each_chunk(args.indices, {}, begin, end, copy);
    } else {
        places_.for_each_chunk(args.indices, begin, end, copy);
    }
}

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
