// How large things may be and how long compiling may take: files that ask for more are refused
// before memory is taken.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/support/function_ref.hpp"
#include "rondo/error.hpp"
#include "rondo/properties.hpp"

namespace rondo {

/// Elements of a tensor: their bytes stay far from overflow.
inline constexpr std::size_t kMaxElements = std::size_t{1} << 47;
/// Axes of a tensor, as many as NumPy has; a hostile file may name billions.
inline constexpr std::size_t kMaxAxes = 64;
/// Elements of a list of extents, axes or lengths; likewise.
inline constexpr std::size_t kMaxListed = 1024;
/// Outputs of a node; likewise.
inline constexpr std::int64_t kMaxOutputs = 65536;
/// Hidden units of a recurrent op: gate counts times this stay far from overflow.
inline constexpr std::int64_t kMaxHiddenSize = std::int64_t{1} << 31;
/// Hidden units up to which the IR's reader and writer fill in inputs that a form lacks, or leave
/// them out: a larger op has all inputs in its file.
inline constexpr std::int64_t kMaxFilledHiddenSize = std::int64_t{1} << 20;

/// The defaults hold if nothing is set; docs/properties.md says what each one bounds.
struct ModelLimits {
    std::size_t nodes = 500'000;  ///< of a graph and all bodies in it
    std::size_t depth = 24;       ///< of bodies in bodies
    std::size_t loop_depth = 6;   ///< of loops among them
    std::size_t iterations = 1'000'000'000;
    std::size_t constant_bytes = 0;                     ///< 0: by the size of the files
    std::size_t folded_bytes = 0;                       ///< 0: the passes choose
    std::size_t tensor_bytes = 0;                       ///< 0: the machine's memory
    std::size_t plan_bytes = 0;                         ///< likewise
    std::chrono::milliseconds compile_time{3'600'000};  ///< 0: any time
};

/// The end of a message about a limit: "the limit is 100 (property 'MAX_NODES')".
inline std::string limit_text(std::uint64_t limit, const char* property) {
    return "the limit is " + std::to_string(limit) + " (property '" + property + "')";
}

/// Throws UnsupportedError if `bodies`, `loops` of which are loops', are more than the limits
/// allow in each other.
inline void check_nesting(std::size_t bodies, std::size_t loops, const ModelLimits& limits) {
    const auto check = [](const char* what, std::size_t depth, std::size_t most,
                          const char* property) {
        if (depth <= most) return;
        throw UnsupportedError(std::string(what) + " are nested too deep; " +
                               limit_text(most, property));
    };
    check("bodies", bodies, limits.depth, property::kMaxDepth);
    check("loops", loops, limits.loop_depth, property::kMaxLoopDepth);
}

/// It is checked between two pieces of work, none of which it interrupts.
class Deadline {
public:
    /// There is none.
    Deadline() = default;
    /// So long from now; 0: there is none.
    explicit Deadline(std::chrono::milliseconds time);

    /// Throws UnsupportedError past the deadline; `place` says what would come next.
    void check(FunctionRef<std::string()> place) const;

private:
    using Clock = std::chrono::steady_clock;

    std::chrono::milliseconds time_{0};
    Clock::time_point end_ = Clock::time_point::max();
};

/// Constant matrices of integers stay compressed from so many bytes of f32 on. Smaller ones are
/// faster as f32, and the passes that look for constants find them.
inline constexpr std::size_t kWorthKeepingCompressed = 2 * 1024 * 1024;

}  // namespace rondo
