#include "core/ops/movement/pad_range.hpp"

namespace rondo::ops {
namespace {

std::int64_t modulo(std::int64_t a, std::int64_t b) {
    const std::int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

// `place` counts from the first of `count` elements.
std::int64_t folded(PadMode mode, std::int64_t place, std::int64_t count) {
    switch (mode) {
        case PadMode::constant: break;
        case PadMode::edge: return std::clamp<std::int64_t>(place, 0, count - 1);
        case PadMode::wrap: return modulo(place, count);
        case PadMode::symmetric: {
            const std::int64_t at = modulo(place, 2 * count);
            return at < count ? at : 2 * count - 1 - at;
        }
        case PadMode::reflect: {
            if (count == 1) return 0;
            const std::int64_t at = modulo(place, 2 * count - 2);
            return at < count ? at : 2 * count - 2 - at;
        }
    }
    return -1;
}

}  // namespace

std::int64_t padded_source(PadMode mode, const PadRange& range, std::int64_t place) {
    const std::int64_t at = place - range.before;
    if (at >= 0 && at < range.count) return range.first + at;
    const std::int64_t kept = folded(mode, at, range.count);
    return kept < 0 ? kept : range.first + kept;
}

}  // namespace rondo::ops
