#include "rondo/shape.hpp"

#include <algorithm>
#include <utility>

#include "core/support/limits.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

[[noreturn]] void bad_dimension(std::string_view text) {
    throw ModelError("can't read '" + std::string(text) +
                     "' as an extent; expected 5, ?, -1, 2.., ..10 or 2..10");
}

std::int64_t parse_extent(std::string_view part, std::string_view whole) {
    long long value = 0;
    if (!parse_int(part, value) || value < 0) bad_dimension(whole);
    return value;
}

Dimension parse_dimension(std::string_view text) {
    text = trim(text);
    if (text == "?" || text == "-1") return {};
    const auto dots = text.find("..");
    if (dots == std::string_view::npos) return {parse_extent(text, text)};
    const auto low = trim(text.substr(0, dots));
    const auto high = trim(text.substr(dots + 2));
    if (low.empty() && high.empty()) bad_dimension(text);
    return {low.empty() ? 0 : parse_extent(low, text),
            high.empty() ? Dimension::kInfinity : parse_extent(high, text)};
}

template <typename Container, typename Print>
std::string bracketed(const Container& parts, Print print) {
    std::string result = "[";
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) result += ",";
        result += print(parts[i]);
    }
    return result + "]";
}

}  // namespace

std::string to_string(const Shape& shape) {
    return bracketed(shape, [](std::size_t extent) { return std::to_string(extent); });
}

std::size_t element_count(const Shape& shape) {
    std::size_t count = 1;
    bool is_empty = false;
    for (const std::size_t extent : shape) {
        is_empty = is_empty || extent == 0;
        if (extent == 0) continue;
        if (extent > kMaxElements / count) {
            throw ModelError("a tensor of shape " + to_string(shape) + " has too many elements");
        }
        count *= extent;
    }
    return is_empty ? 0 : count;
}

Dimension::Dimension(std::int64_t extent) {
    if (extent == -1) return;
    if (extent < 0) {
        throw ModelError("an extent can't be " + std::to_string(extent) + "; -1 means any");
    }
    min_ = max_ = extent;
}

Dimension::Dimension(std::int64_t min, std::int64_t max) : min_(min), max_(max) {
    if (min < 0 || max < min) {
        throw ModelError("an extent can't lie between " + std::to_string(min) + " and " +
                         std::to_string(max));
    }
}

std::int64_t Dimension::length() const {
    if (!is_static()) throw ModelError("the extent " + to_string(*this) + " is not known");
    return min_;
}

std::optional<Dimension> Dimension::intersect(const Dimension& other) const {
    const std::int64_t low = std::max(min_, other.min_);
    const std::int64_t high = std::min(max_, other.max_);
    if (low > high) return std::nullopt;
    return Dimension(low, high);
}

std::string to_string(const Dimension& dimension) {
    if (dimension.is_static()) return std::to_string(dimension.min());
    const bool open = dimension.max() == Dimension::kInfinity;
    if (open && dimension.min() == 0) return "?";
    const std::string low = dimension.min() == 0 ? "" : std::to_string(dimension.min());
    return low + ".." + (open ? "" : std::to_string(dimension.max()));
}

PartialShape::PartialShape(std::vector<Dimension> dimensions)
    : has_rank_(true), dimensions_(std::move(dimensions)) {}

PartialShape::PartialShape(std::initializer_list<Dimension> dimensions)
    : has_rank_(true), dimensions_(dimensions) {}

PartialShape::PartialShape(const Shape& shape) : has_rank_(true) {
    for (const std::size_t extent : shape) {
        if (extent >= static_cast<std::size_t>(Dimension::kInfinity)) {
            throw ModelError("an extent can't be " + std::to_string(extent));
        }
        dimensions_.emplace_back(static_cast<std::int64_t>(extent));
    }
}

PartialShape PartialShape::of_rank(std::size_t rank) { return {std::vector<Dimension>(rank)}; }

PartialShape PartialShape::parse(std::string_view text) {
    text = trim(text);
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']') {
        text = trim(text.substr(1, text.size() - 2));
    }
    if (text == "...") return {};
    std::vector<Dimension> dimensions;
    for (const auto& part : split(text, ',')) dimensions.push_back(parse_dimension(part));
    return {std::move(dimensions)};
}

std::size_t PartialShape::rank() const {
    if (!has_rank_) throw ModelError("the rank of the shape is not known");
    return dimensions_.size();
}

const Dimension& PartialShape::operator[](std::size_t axis) const {
    if (axis >= dimensions_.size()) {
        throw ModelError("the shape " + to_string(*this) + " has no axis " + std::to_string(axis));
    }
    return dimensions_[axis];
}

Dimension& PartialShape::operator[](std::size_t axis) {
    return const_cast<Dimension&>(std::as_const(*this)[axis]);
}

bool PartialShape::is_static() const {
    return has_rank_ && std::all_of(dimensions_.begin(), dimensions_.end(),
                                    [](const Dimension& d) { return d.is_static(); });
}

Shape PartialShape::to_shape() const {
    if (!is_static()) throw ModelError("the shape " + to_string(*this) + " is not fully known");
    Shape shape;
    for (const auto& dimension : dimensions_) {
        shape.push_back(static_cast<std::size_t>(dimension.min()));
    }
    return shape;
}

bool PartialShape::contains(const Shape& shape) const {
    if (!has_rank_) return true;
    return std::equal(shape.begin(), shape.end(), dimensions_.begin(), dimensions_.end(),
                      [](std::size_t extent, const Dimension& dimension) {
                          return dimension.contains(static_cast<std::int64_t>(extent));
                      });
}

std::optional<PartialShape> PartialShape::intersect(const PartialShape& other) const {
    if (!has_rank_) return other;
    if (!other.has_rank_) return *this;
    if (dimensions_.size() != other.dimensions_.size()) return std::nullopt;
    std::vector<Dimension> common;
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        const auto dimension = dimensions_[i].intersect(other.dimensions_[i]);
        if (!dimension) return std::nullopt;
        common.push_back(*dimension);
    }
    return PartialShape(std::move(common));
}

std::string to_string(const PartialShape& shape) {
    if (!shape.has_rank()) return "[...]";
    return bracketed(shape.dimensions(), [](const Dimension& d) { return to_string(d); });
}

}  // namespace rondo
