// What a port of a graph holds along the time axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rondo::passes {

/// Let T be the frames of one call. A port of `frames` holds T + extra + missing of them in the
/// call that is given the whole sequence. A stream that has given the frames [a, b) so far one
/// after another holds, in the call that gave the last b - a of them, the frames from place a on:
/// b - a + extra of these. So equal facts mean equal places, whatever stands there.
struct TimeFact {
    /// In this order: a value of several kinds is of the last of them.
    enum class Kind : std::uint8_t {
        constant,  ///< the same in every call
        extent,    ///< depends on T, not on the frames
        given,     ///< an input without a time axis, and what is computed from such inputs
        state,     ///< a variable, as the call before left it
        last,      ///< what holds behind the last frame: a new state
        frames,    ///< a row a frame, along `axis`
    };

    Kind kind = Kind::constant;
    std::size_t axis = 0;
    std::int64_t extra = 0;    ///< frames at the end for which there is no new frame; 0 or more
    std::int64_t missing = 0;  ///< frames at the end that only the whole sequence has; 0 or more
    /// Timeless values: whether what a call starts from is among them, and whether anything but
    /// moves made them. Such a value isn't what the last of several calls gives.
    bool is_old = false;
    bool is_computed = false;
    std::string cause = {};  ///< the node that made `extra` or `missing`, as errors name it
    /// The rank isn't that of the original model: time has become an axis of its own.
    bool reshaped = false;
    std::size_t home = 0;  ///< where time stood before that

    bool is_frames() const { return kind == Kind::frames; }
    static TimeFact of(Kind kind) { return {.kind = kind}; }
    static TimeFact along(std::size_t axis) { return {.kind = Kind::frames, .axis = axis}; }
};

}  // namespace rondo::passes
