// OpenVINO's shapes: of tensors, and those with open extents; for rondo/openvino.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "rondo/error.hpp"
#include "rondo/shape.hpp"

namespace rondo::ov {

/// Extents of a tensor, outermost first.
class Shape : public std::vector<std::size_t> {
public:
    using std::vector<std::size_t>::vector;
    Shape() = default;
    Shape(const std::vector<std::size_t>& extents)  // NOLINT: implicit on purpose
        : std::vector<std::size_t>(extents) {}
    explicit Shape(const std::string& text) : Shape(rondo::PartialShape::parse(text).to_shape()) {}
    std::string to_string() const { return rondo::to_string(*this); }
};

/// Distances along the axes, in bytes.
class Strides : public std::vector<std::size_t> {
public:
    using std::vector<std::size_t>::vector;
};

/// A place in a tensor.
class Coordinate : public std::vector<std::size_t> {
public:
    using std::vector<std::size_t>::vector;
};

/// The number of elements; 1 for a scalar.
inline std::size_t shape_size(const Shape& shape) { return element_count(shape); }

inline std::ostream& operator<<(std::ostream& stream, const Shape& shape) {
    return stream << shape.to_string();
}

/// A closed interval; an open one ends at the largest number.
class Interval {
public:
    using value_type = std::int64_t;
    Interval(value_type min, value_type max) : min_(min), max_(max) {}
    value_type get_min_val() const { return min_; }
    value_type get_max_val() const { return max_; }
    bool has_upper_bound() const { return max_ != rondo::Dimension::kInfinity; }

private:
    value_type min_;
    value_type max_;
};

/// An extent that may be open. -1 means any extent, and for no upper bound.
class Dimension : public rondo::Dimension {
public:
    using value_type = std::int64_t;
    Dimension() = default;
    Dimension(value_type extent) : rondo::Dimension(extent) {}  // NOLINT: implicit on purpose
    Dimension(value_type min, value_type max)
        : rondo::Dimension(min == -1 ? 0 : min, max == -1 ? kInfinity : max) {}
    Dimension(const rondo::Dimension& other)  // NOLINT: implicit on purpose
        : rondo::Dimension(other) {}
    explicit Dimension(const std::string& text) : rondo::Dimension(parse(text)) {}

    static Dimension dynamic() { return {}; }

    bool is_dynamic() const { return !is_static(); }
    /// Throws ov::Exception if the extent is open.
    value_type get_length() const { return length(); }
    value_type get_min_length() const { return (min)(); }
    /// -1 if there is no upper bound.
    value_type get_max_length() const { return (max)() == kInfinity ? -1 : (max)(); }
    Interval get_interval() const { return {(min)(), (max)()}; }
    bool compatible(const Dimension& other) const { return intersect(other).has_value(); }
    bool relaxes(const Dimension& other) const {
        return (min)() <= (other.min)() && (max)() >= (other.max)();
    }
    bool refines(const Dimension& other) const { return other.relaxes(*this); }
    bool same_scheme(const Dimension& other) const {
        return is_dynamic() ? other.is_dynamic() : *this == other;
    }
    std::string to_string() const { return rondo::to_string(*this); }

private:
    static rondo::Dimension parse(const std::string& text) {
        const auto shape = rondo::PartialShape::parse(text);
        if (!shape.has_rank() || shape.rank() != 1) {
            throw ModelError("'" + text + "' is not one extent");
        }
        return shape[0];
    }
};

using Rank = Dimension;

inline std::ostream& operator<<(std::ostream& stream, const Dimension& dimension) {
    return stream << dimension.to_string();
}

/// A shape whose rank or extents may be open.
class PartialShape {
public:
    using value_type = Dimension;
    using iterator = std::vector<Dimension>::iterator;
    using const_iterator = std::vector<Dimension>::const_iterator;

    /// A scalar's.
    PartialShape() = default;
    PartialShape(std::initializer_list<Dimension> extents) : extents_(extents) {}
    PartialShape(std::vector<Dimension> extents)  // NOLINT: implicit on purpose
        : extents_((std::move)(extents)) {}
    PartialShape(const std::vector<Dimension::value_type>& extents)  // NOLINT: implicit on purpose
        : extents_(extents.begin(), extents.end()) {}
    PartialShape(const Shape& shape) {  // NOLINT: implicit on purpose
        for (const std::size_t extent : shape) {
            extents_.emplace_back(static_cast<Dimension::value_type>(extent));
        }
    }
    /// Reads "[1,?,2..5]"; throws ov::Exception for other texts.
    PartialShape(const std::string& text)  // NOLINT: implicit on purpose
        : PartialShape(from(rondo::PartialShape::parse(text))) {}

    static PartialShape from(const rondo::PartialShape& shape) {
        PartialShape result;
        result.has_rank_ = shape.has_rank();
        if (shape.has_rank()) {
            result.extents_.assign(shape.dimensions().begin(), shape.dimensions().end());
        }
        return result;
    }
    static PartialShape dynamic(const Rank& rank = Rank::dynamic()) {
        PartialShape result;
        result.has_rank_ = rank.is_static();
        if (result.has_rank_) result.resize(static_cast<std::size_t>(rank.get_length()));
        return result;
    }
    /// What Rondo's own functions take.
    rondo::PartialShape native() const {
        if (!has_rank_) return {};
        return std::vector<rondo::Dimension>(extents_.begin(), extents_.end());
    }

    bool is_static() const { return native().is_static(); }
    bool is_dynamic() const { return !is_static(); }
    Rank rank() const {
        return has_rank_ ? Rank(static_cast<Rank::value_type>(extents_.size())) : Rank::dynamic();
    }
    /// Throw ov::Exception unless the shape is static.
    Shape to_shape() const { return native().to_shape(); }
    Shape get_shape() const { return to_shape(); }
    /// 0 means an open rank's or extent's bound that isn't there.
    Shape get_min_shape() const {
        Shape shape;
        for (const Dimension& extent : extents_) {
            shape.push_back(static_cast<std::size_t>((extent.min)()));
        }
        return shape;
    }
    bool compatible(const PartialShape& other) const {
        return native().intersect(other.native()).has_value();
    }
    bool relaxes(const PartialShape& other) const {
        if (!has_rank_) return true;
        if (!other.has_rank_ || size() != other.size()) return false;
        for (std::size_t i = 0; i < size(); ++i) {
            if (!extents_[i].relaxes(other.extents_[i])) return false;
        }
        return true;
    }
    bool refines(const PartialShape& other) const { return other.relaxes(*this); }

    /// Below 0 it counts from the end. Throws ov::Exception past the last axis.
    Dimension& operator[](std::ptrdiff_t axis) { return extents_[place_of(axis)]; }
    const Dimension& operator[](std::ptrdiff_t axis) const { return extents_[place_of(axis)]; }
    /// Throws ov::Exception if the rank is open.
    std::size_t size() const { return static_cast<std::size_t>(rank().get_length()); }
    void resize(std::size_t rank) {
        has_rank_ = true;
        extents_.resize(rank);
    }
    void push_back(const Dimension& extent) {
        has_rank_ = true;
        extents_.push_back(extent);
    }
    iterator begin() { return extents_.begin(); }
    iterator end() { return extents_.end(); }
    const_iterator begin() const { return extents_.begin(); }
    const_iterator end() const { return extents_.end(); }

    std::string to_string() const { return rondo::to_string(native()); }
    friend bool operator==(const PartialShape& a, const PartialShape& b) {
        return a.has_rank_ == b.has_rank_ && a.extents_ == b.extents_;
    }
    friend bool operator!=(const PartialShape& a, const PartialShape& b) { return !(a == b); }
    friend std::ostream& operator<<(std::ostream& stream, const PartialShape& shape) {
        return stream << shape.to_string();
    }

private:
    std::size_t place_of(std::ptrdiff_t axis) const {
        const auto rank = static_cast<std::ptrdiff_t>(extents_.size());
        if (axis < -rank || axis >= rank) {
            throw ModelError("the shape " + to_string() + " has no axis " + std::to_string(axis));
        }
        return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    }

    bool has_rank_ = true;
    std::vector<Dimension> extents_;
};

}  // namespace rondo::ov
