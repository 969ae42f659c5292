// Walks K operands of one shape at once, each with its own distances between neighbours.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rondo {

/// One axis of a walk: its extent, and how far a step along it goes in each operand. A step of 0
/// repeats elements, a step below 0 goes back. The unit is the caller's: elements or bytes.
template <std::size_t K>
struct NdAxis {
    std::int64_t count = 1;
    std::array<std::int64_t, K> steps{};
};

namespace detail {

// Whether the outer axis goes on where the inner one ends, in all operands.
template <std::size_t K>
bool are_one_run(const NdAxis<K>& outer, const NdAxis<K>& inner) {
    for (std::size_t k = 0; k < K; ++k) {
        // Unsigned, since strides beside an extent of 1 may be anything.
        const auto end =
            static_cast<std::uint64_t>(inner.steps[k]) * static_cast<std::uint64_t>(inner.count);
        if (static_cast<std::uint64_t>(outer.steps[k]) != end) return false;
    }
    return true;
}

}  // namespace detail

/// Drops axes of extent 1 and joins neighbours that are one run in all operands; outermost first,
/// in place. Returns how many axes are left at the front. Extents must be above 0.
template <std::size_t K>
std::size_t merge_axes(std::span<NdAxis<K>> axes) {
    std::size_t kept = 0;
    for (const NdAxis<K> axis : axes) {
        if (axis.count == 1) continue;
        if (kept > 0 && detail::are_one_run(axes[kept - 1], axis)) {
            axes[kept - 1] = {axes[kept - 1].count * axis.count, axis.steps};
        } else {
            axes[kept++] = axis;
        }
    }
    return kept;
}

/// The innermost axis is a run; the axes outside it say where the runs start. Merged once when it
/// is made; walking allocates nothing. Immutable.
template <std::size_t K>
class NdLoop {
public:
    using Axis = NdAxis<K>;
    using Offsets = std::array<std::int64_t, K>;

    /// One element.
    NdLoop() = default;

    /// Axes outermost first.
    explicit NdLoop(std::vector<Axis> axes) : outer_(std::move(axes)) {
        const auto is_empty = [](const Axis& axis) { return axis.count == 0; };
        if (std::any_of(outer_.begin(), outer_.end(), is_empty)) {
            outer_.clear();
            run_.count = runs_ = 0;
            return;
        }
        outer_.resize(merge_axes(std::span<Axis>(outer_)));
        if (outer_.empty()) return;
        run_ = outer_.back();
        outer_.pop_back();
        for (const Axis& axis : outer_) runs_ *= axis.count;
    }

    /// The innermost axis; extent 1 for a single element.
    const Axis& run() const { return run_; }
    /// The axes outside of the run, outermost first.
    std::span<const Axis> outer() const { return outer_; }
    std::int64_t runs() const { return runs_; }
    /// Elements of all runs.
    std::int64_t size() const { return runs_ * run_.count; }

    /// Where run number `index` starts in each operand.
    Offsets start(std::int64_t index) const {
        Offsets at{};
        for (std::size_t i = outer_.size(); i-- > 0;) {
            const std::int64_t place = index % outer_[i].count;
            index /= outer_[i].count;
            for (std::size_t k = 0; k < K; ++k) at[k] += place * outer_[i].steps[k];
        }
        return at;
    }

    /// Calls f(offsets) for the runs in [begin, end), in order.
    template <typename F>
    void for_each_run(std::int64_t begin, std::int64_t end, F&& f) const {
        const Axis last = outer_.empty() ? Axis{} : outer_.back();
        while (begin < end) {
            Offsets at = start(begin);
            const std::int64_t stop = std::min(end, begin + last.count - begin % last.count);
            for (; begin < stop; ++begin) {
                f(std::as_const(at));
                for (std::size_t k = 0; k < K; ++k) at[k] += last.steps[k];
            }
        }
    }
    template <typename F>
    void for_each_run(F&& f) const {
        for_each_run(0, runs_, std::forward<F>(f));
    }

private:
    std::vector<Axis> outer_;
    Axis run_;
    std::int64_t runs_ = 1;
};

}  // namespace rondo
