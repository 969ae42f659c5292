#include "plugins/cpu/kernels/movement/pad.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "plugins/cpu/kernels/movement/copy_bytes.hpp"

namespace rondo::cpu {
namespace {

bool stays(const PadAxis& axis) {
    return axis.range.element_at_0() == 0 && axis.range.length == axis.extent &&
           axis.range.end() == axis.extent;
}

// Neighbours that stay become one axis.
std::vector<PadAxis> joined(const std::vector<PadAxis>& axes) {
    std::vector<PadAxis> result;
    for (const PadAxis& axis : axes) {
        if (!result.empty() && stays(axis) && stays(result.back())) {
            const std::int64_t extent = result.back().extent * axis.extent;
            result.back() = {extent, ops::PadRange(ops::PadMode::constant, extent, 0, 0)};
        } else {
            result.push_back(axis);
        }
    }
    return result;
}

// T: a number of so many bytes, for which the compiler makes one move.
template <typename T>
void copy_from(const char* from, std::span<const std::int64_t> places, char* to) {
    for (const std::int64_t place : places) {
        std::memcpy(to, from + place, sizeof(T));
        to += sizeof(T);
    }
}

// Copies the elements at `places`, counted in bytes, to memory one after another.
void copy_elements(const char* from, std::span<const std::int64_t> places, std::int64_t bytes,
                   char* to) {
    switch (bytes) {
        case 1: return copy_from<std::uint8_t>(from, places, to);
        case 2: return copy_from<std::uint16_t>(from, places, to);
        case 4: return copy_from<std::uint32_t>(from, places, to);
        case 8: return copy_from<std::uint64_t>(from, places, to);
        default: break;
    }
    for (const std::int64_t place : places) {
        copy_bytes(to, from + place, bytes);
        to += bytes;
    }
}

}  // namespace

Pad::Pad(ops::PadMode mode, const std::vector<PadAxis>& axes, std::int64_t element)
    : mode_(mode), element_(element) {
    std::int64_t from_step = element;
    std::int64_t to_step = element;
    const std::vector<PadAxis> kept = joined(axes);
    for (auto axis = kept.rbegin(); axis != kept.rend(); ++axis) {
        axes_.insert(axes_.begin(), {axis->range, from_step, to_step, {}});
        from_step *= axis->extent;
        to_step *= axis->range.length;
    }
    // An innermost axis that stays is part of each block that the next one moves.
    if (axes_.size() > 1 && stays(kept.back())) axes_.pop_back();
    if (mode == ops::PadMode::constant) return;
    for (Axis& axis : axes_) {
        if (axis.range.count == 0) continue;  // then the output is empty
        for (std::int64_t place = 0; place < axis.range.length; ++place) {
            if (place == axis.range.begin()) place = axis.range.end();
            if (place >= axis.range.length) break;
            axis.sources.push_back(ops::padded_source(mode, axis.range, place) * axis.from_step);
        }
    }
}

void Pad::run(const PadArgs& args, std::int64_t begin, std::int64_t end) const {
    walk(0, {static_cast<const char*>(args.data), static_cast<char*>(args.out)}, begin, end,
         args.value);
}

void Pad::walk(std::size_t axis, At at, std::int64_t begin, std::int64_t end,
               const void* value) const {
    const Axis& here = axes_[axis];
    const std::int64_t low = std::clamp(here.range.begin(), begin, end);
    const std::int64_t high = std::clamp(here.range.end(), low, end);
    write_border(axis, at, begin, low, value);
    if (low < high) {
        const std::int64_t first = here.range.element_at_0() + low;
        At inner{at.from + first * here.from_step, at.to + low * here.to_step};
        if (axis + 1 == axes_.size()) {
            copy_bytes(inner.to, inner.from, (high - low) * here.to_step);
        } else {
            for (std::int64_t place = low; place < high; ++place) {
                walk(axis + 1, inner, 0, axes_[axis + 1].range.length, value);
                inner.from += here.from_step;
                inner.to += here.to_step;
            }
        }
    }
    write_border(axis, at, high, end, value);
}

void Pad::write_border(std::size_t axis, At at, std::int64_t begin, std::int64_t end,
                       const void* value) const {
    if (begin == end) return;
    const Axis& here = axes_[axis];
    if (mode_ == ops::PadMode::constant) {
        fill_elements(at.to + begin * here.to_step, value, element_,
                      (end - begin) * here.to_step / element_);
        return;
    }
    const std::int64_t inside =
        begin < here.range.begin() ? 0 : here.range.end() - here.range.begin();
    const std::int64_t* source = here.sources.data() + begin - inside;
    at.to += begin * here.to_step;
    if (axis + 1 == axes_.size()) {
        const auto count = static_cast<std::size_t>(end - begin);
        return copy_elements(at.from, {source, count}, here.to_step, at.to);
    }
    for (std::int64_t place = begin; place < end; ++place, ++source, at.to += here.to_step) {
        walk(axis + 1, {at.from + *source, at.to}, 0, axes_[axis + 1].range.length, value);
    }
}

}  // namespace rondo::cpu
