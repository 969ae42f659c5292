#include "plugins/cpu/kernels/movement/gather.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/support/visit_type.hpp"

namespace rondo::cpu {
namespace {

template <typename Index>
std::optional<std::int64_t> find_bad(const GatherSizes& sizes, const void* indices) {
    const auto* index = static_cast<const Index*>(indices);
    for (std::int64_t i = 0; i < sizes.batches * sizes.count; ++i) {
        const bool is_low = std::cmp_less(index[i], -sizes.extent);
        if (is_low || std::cmp_greater_equal(index[i], sizes.extent)) return i;
    }
    return std::nullopt;
}

// kBlock: the block's size where it is that of a number, so that a copy is one move; else 0.
template <typename Index, std::size_t kBlock>
void run(const GatherSizes& sizes, const GatherArgs& args, std::int64_t begin, std::int64_t end) {
    const auto bytes = kBlock > 0 ? kBlock : static_cast<std::size_t>(sizes.block);
    const auto step = static_cast<std::int64_t>(bytes);
    auto* out = static_cast<char*>(args.out) + begin * step;
    while (begin < end) {
        const std::int64_t row = begin / sizes.count;
        const std::int64_t first = begin % sizes.count;
        const std::int64_t some = std::min(end - begin, sizes.count - first);
        const auto* data = static_cast<const char*>(args.data) + row * sizes.extent * step;
        const auto* index =
            static_cast<const Index*>(args.indices) + row / sizes.rows * sizes.count + first;
        for (std::int64_t i = 0; i < some; ++i, out += step) {
            auto place = static_cast<std::int64_t>(index[i]);
            if (place < 0) place += sizes.extent;
            std::memcpy(out, data + place * step, bytes);
        }
        begin += some;
    }
}

template <typename Index>
auto choose_run(std::int64_t block) {
    switch (block) {
        case 1: return run<Index, 1>;
        case 2: return run<Index, 2>;
        case 4: return run<Index, 4>;
        case 8: return run<Index, 8>;
        default: return run<Index, 0>;
    }
}

}  // namespace

Gather::Gather(const GatherSizes& sizes, ElementType indices) : sizes_(sizes) {
    visit_integer(indices, [&](auto tag) {
        using Index = tag_type<decltype(tag)>;
        find_bad_ = find_bad<Index>;
        run_ = choose_run<Index>(sizes.block);
    });
}

}  // namespace rondo::cpu
