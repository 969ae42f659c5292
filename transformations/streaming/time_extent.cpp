#include "transformations/streaming/time_extent.hpp"

#include <algorithm>
#include <optional>

#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/make_shape.hpp"

namespace rondo::passes {

bool is_time(const TimeWalk& walk, const ShapeElement& element) {
    if (element.number) return false;
    const TimeFact& fact = walk.fact(element.tensor);
    return fact.is_frames() && fact.axis == element.axis;
}

std::optional<TimeExtent> time_extent(const TimeWalk& walk, const Output& value,
                                      std::size_t index) {
    const Integer integer = IntegerReader(Arithmetic::meant).read(value, index);
    if (!integer) return {};
    TimeExtent result;
    for (const ExtentSum::Term& term : integer->terms()) {
        if (term.symbols.empty()) {
            result.number += term.factor;
            continue;
        }
        const Symbol& symbol = term.symbols.front();
        const bool is_frames = term.factor == 1 && term.symbols.size() == 1 && !result.has_time &&
                               is_time(walk, {{}, symbol.tensor, symbol.axis});
        if (!is_frames) return {};
        const TimeFact& fact = walk.fact(symbol.tensor);
        result.has_time = true;
        result.number += fact.extra + fact.missing;
    }
    return result;
}

std::optional<std::vector<std::size_t>> time_places(const TimeWalk& walk, const Output& vector) {
    const auto elements = shape_elements(vector);
    if (!elements) return {};
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < elements->size(); ++i) {
        if (is_time(walk, (*elements)[i])) places.push_back(i);
    }
    return places;
}

namespace {

using Part = ViewPart;
using Parts = std::vector<ViewPart>;

// The product of extents: a number, and open extents by their axes.
struct Product {
    std::int64_t number = 1;
    std::vector<std::int64_t> axes = {};

    void take(const Part& part) {
        if (part.kind == Part::Kind::number) number *= part.value;
        if (part.kind == Part::Kind::copy) axes.push_back(part.value);
        std::sort(axes.begin(), axes.end());
    }
    friend bool operator==(const Product&, const Product&) = default;
};

Product product_of(const PartialShape& shape, std::size_t begin, std::size_t end) {
    Product product;
    for (std::size_t i = begin; i < end; ++i) {
        const Dimension& extent = shape[i];
        product.take(extent.is_static() ? Part{Part::Kind::number, extent.length()}
                                        : Part{Part::Kind::copy, static_cast<std::int64_t>(i)});
    }
    return product;
}

// The extent that makes `known` parts a whole, if it is one extent.
std::optional<Part> rest_of(const Product& whole, const Product& known) {
    std::vector<std::int64_t> left;
    std::set_difference(whole.axes.begin(), whole.axes.end(), known.axes.begin(), known.axes.end(),
                        std::back_inserter(left));
    if (left.size() + known.axes.size() != whole.axes.size() || known.number == 0) return {};
    if (whole.number % known.number != 0) return {};
    const std::int64_t number = whole.number / known.number;
    if (left.empty()) return Part{Part::Kind::number, number};
    if (left.size() == 1 && number == 1) return Part{Part::Kind::copy, left.front()};
    return {};
}

// Makes the parts [begin, end) hold all of `whole`; false where they can't.
bool settle(Parts& parts, std::size_t begin, std::size_t end, const Product& whole) {
    Product known;
    std::optional<std::size_t> rest;
    for (std::size_t i = begin; i < end; ++i) {
        if (parts[i].kind == Part::Kind::rest) rest = i;
        known.take(parts[i]);
    }
    if (!rest) return known == whole;
    const auto part = rest_of(whole, known);
    if (part) parts[*rest] = *part;
    return part.has_value();
}

// The parts with time at `place`, if the frames stay as they are there.
std::optional<Parts> with_time(const PartialShape& data, std::size_t axis, Parts parts,
                               std::size_t place) {
    parts[place] = {Part::Kind::time};
    const Product before = product_of(data, 0, axis);
    const Product after = product_of(data, axis + 1, data.rank());
    const bool fits =
        settle(parts, 0, place, before) && settle(parts, place + 1, parts.size(), after);
    return fits ? std::optional(std::move(parts)) : std::nullopt;
}

struct Option {
    std::size_t place;
    Parts parts;
};

bool may_be_time(const Part& part, std::optional<std::int64_t> original) {
    if (part.kind == Part::Kind::time || part.kind == Part::Kind::rest) return true;
    return part.kind == Part::Kind::number && original == part.value;
}

// All extents of a view's result that may be time, the likeliest first: at the axis it had before.
std::vector<Option> options_of(const TimeWalk& walk, const Output& data, const Parts& parts) {
    const TimeFact& fact = walk.fact(data);
    const auto is_time = [](const Part& part) { return part.kind == Part::Kind::time; };
    const bool is_named = std::any_of(parts.begin(), parts.end(), is_time);
    std::vector<Option> options;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (is_named ? !is_time(parts[i]) : !may_be_time(parts[i], walk.original_extent(fact))) {
            continue;
        }
        if (auto fitting = with_time(data.shape(), fact.axis, parts, i)) {
            options.push_back({i, std::move(*fitting)});
        }
    }
    const std::size_t home = fact.reshaped ? fact.home : fact.axis;
    std::stable_partition(options.begin(), options.end(),
                          [&](const Option& option) { return option.place == home; });
    return options;
}

// A pattern of numbers, 0 and -1. Returns nothing if a number is 0, or if more than one extent
// would have to be -1.
std::optional<std::vector<std::int64_t>> constant_pattern(const Parts& parts, std::size_t time) {
    std::vector<std::int64_t> pattern;
    bool has_rest = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = parts[i];
        if (part.kind == Part::Kind::number) {
            if (part.value == 0) return {};
            pattern.push_back(part.value);
            continue;
        }
        const std::size_t axis =
            part.kind == Part::Kind::time ? time : static_cast<std::size_t>(part.value);
        if (axis != i && has_rest) return {};
        has_rest = has_rest || axis != i;
        pattern.push_back(axis == i ? 0 : -1);
    }
    return pattern;
}

Output pattern_of(TimeWalk& walk, const Node& node, const Parts& parts, std::size_t time) {
    const std::string name = node.name() + "/pattern";
    if (const auto pattern = constant_pattern(parts, time)) {
        return walk.rewriter().make_ints(name, *pattern);
    }
    std::vector<ShapeElement> elements;
    for (const Part& part : parts) {
        if (part.kind == Part::Kind::number) {
            elements.push_back({part.value});
        } else {
            const std::size_t axis =
                part.kind == Part::Kind::time ? time : static_cast<std::size_t>(part.value);
            elements.push_back(extent_element(node.input(0), axis));
        }
    }
    return make_shape(walk.rewriter(), elements, name);
}

void replace(TimeWalk& walk, const NodePtr& node, const Parts& parts, TimeFact fact) {
    const std::size_t time = walk.fact(node->input(0)).axis;
    const Output pattern = pattern_of(walk, *node, parts, time);
    const bool has_zeros = static_cast<bool>(known_value(pattern));
    const Output made =
        walk.rewriter().make<ops::Reshape>(node->name(), node->input(0), pattern, has_zeros);
    walk.set(made, std::move(fact));
    walk.rewriter().replace(node->output(0), made);
}

// Frames whose axis the original model drops: each call's values stay rows of their own.
bool add_axis(TimeWalk& walk, const NodePtr& node, Parts parts) {
    TimeFact fact = walk.fact(node->input(0));
    const PartialShape& data = node->input(0).shape();
    const bool is_one = walk.original_extent(fact) == std::int64_t{1};
    if (!is_one || product_of(data, 0, fact.axis) != Product()) return false;
    if (!settle(parts, 0, parts.size(), product_of(data, fact.axis + 1, data.rank()))) return false;
    parts.insert(parts.begin(), {Part::Kind::time});
    fact.home = fact.reshaped ? fact.home : fact.axis;
    fact.reshaped = true;
    fact.axis = 0;
    replace(walk, node, parts, fact);
    return true;
}

}  // namespace

void view_frames(TimeWalk& walk, const NodePtr& node, std::vector<ViewPart> parts) {
    auto options = options_of(walk, node->input(0), parts);
    if (options.empty()) {
        if (add_axis(walk, node, parts)) return;
        walk.refuse(*node, "merges time with other axes");
    }
    const Option& option = options[options.size() > 1 ? walk.choose(options.size()) : 0];
    TimeFact fact = walk.fact(node->input(0));
    fact.axis = option.place;
    fact.reshaped = false;
    replace(walk, node, option.parts, fact);
}

}  // namespace rondo::passes
