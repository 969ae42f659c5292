#include "plugins/cpu/kernels/indexing/gather_elements.hpp"

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

}  // namespace rondo::cpu
