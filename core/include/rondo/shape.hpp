// Shapes: of tensors (every extent known) and of graph ports (extents may be open or bounded).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/export.hpp"

namespace rondo {

/// Extents of a tensor, outermost first. An empty shape is a scalar's.
using Shape = std::vector<std::size_t>;

/// "[1,2,3]"; "[]" for a scalar.
RONDO_API std::string to_string(const Shape& shape);

/// Number of elements; 1 for a scalar. Throws ModelError if the extents besides 0 multiply to more
/// than 2^47 (hostile sizes), so that no stride or part of a tensor overflows.
RONDO_API std::size_t element_count(const Shape& shape);

/// One extent that may be open: a closed interval [min, max]; max may be kInfinity.
class RONDO_API Dimension {
public:
    static constexpr std::int64_t kInfinity = (std::numeric_limits<std::int64_t>::max)();

    Dimension() = default;  ///< any extent: "?"
    /// A known extent; -1 means any. Throws ModelError for other negative values.
    Dimension(std::int64_t extent);  // NOLINT: implicit on purpose
    /// An extent between min and max, both included.
    Dimension(std::int64_t min, std::int64_t max);

    bool is_static() const { return min_ == max_; }
    std::int64_t(min)() const { return min_; }
    std::int64_t(max)() const { return max_; }
    /// The known extent; throws ModelError when it is open.
    std::int64_t length() const;
    /// True if `extent` is in the interval.
    bool contains(std::int64_t extent) const { return extent >= min_ && extent <= max_; }
    /// The common part of both intervals, or nothing.
    std::optional<Dimension> intersect(const Dimension& other) const;

    friend bool operator==(const Dimension& a, const Dimension& b) {
        return a.min_ == b.min_ && a.max_ == b.max_;
    }
    friend bool operator!=(const Dimension& a, const Dimension& b) { return !(a == b); }

private:
    std::int64_t min_ = 0;
    std::int64_t max_ = kInfinity;
};

/// "5", "?", "2..", "..10" or "2..10", as the IR writes it.
RONDO_API std::string to_string(const Dimension& dimension);

/// A shape whose rank or extents may be open.
class RONDO_API PartialShape {
public:
    /// Rank unknown: "...".
    PartialShape() = default;
    PartialShape(std::vector<Dimension> dimensions);  // NOLINT: implicit on purpose
    PartialShape(std::initializer_list<Dimension> dimensions);
    PartialShape(const Shape& shape);  // NOLINT: implicit on purpose

    /// `rank` open extents.
    static PartialShape of_rank(std::size_t rank);
    /// Reads "1,?,3", "2..10,-1", "..." or "" (scalar), with or without brackets.
    static PartialShape parse(std::string_view text);

    bool has_rank() const { return has_rank_; }
    /// Throws ModelError when the rank is unknown.
    std::size_t rank() const;
    bool is_static() const;
    /// Throws ModelError unless is_static().
    Shape to_shape() const;
    /// Throws ModelError if there is no such axis, or the rank is unknown.
    const Dimension& operator[](std::size_t axis) const;
    Dimension& operator[](std::size_t axis);
    const std::vector<Dimension>& dimensions() const { return dimensions_; }
    /// True if this allows `shape`.
    bool contains(const Shape& shape) const;
    /// The common part of both, or nothing if they contradict each other.
    std::optional<PartialShape> intersect(const PartialShape& other) const;

    friend bool operator==(const PartialShape& a, const PartialShape& b) {
        return a.has_rank_ == b.has_rank_ && a.dimensions_ == b.dimensions_;
    }
    friend bool operator!=(const PartialShape& a, const PartialShape& b) { return !(a == b); }

private:
    bool has_rank_ = false;
    std::vector<Dimension> dimensions_;
};

/// "[1,?,3]", "[...]" for an unknown rank.
RONDO_API std::string to_string(const PartialShape& shape);

}  // namespace rondo
