#include "tests/random/recipes/shape_vector.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;
using Attributes = std::function<void(NodeBuilder&)>;

constexpr int kMostDepth = 3;
constexpr std::int64_t kMostElements = 2000;
constexpr Sizes kLargest{5, 7, 3};

std::int64_t size_of(const Extents& all) { return static_cast<std::int64_t>(all.size()); }

Extents slice_of(const Extents& all, std::int64_t begin, std::int64_t end) {
    return {all.begin() + begin, all.begin() + end};
}

Extents joined(Extents first, const Extents& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

void add_axis(NodeBuilder& node) { node.with("axis", 0); }

// Writes vectors, in forms that call each other to a bounded depth.
class Speller {
public:
    explicit Speller(ModelMaker& maker) : maker_(maker) {}

    Value vector(const Extents& wanted, int depth) {
        if (wanted.empty()) return maker_.ints({});
        using Spelling = Value (Speller::*)(const Extents&, int);
        static constexpr Spelling kSpellings[] = {
            &Speller::taken,    &Speller::reversed,  &Speller::reversed, &Speller::permuted,
            &Speller::permuted, &Speller::rotated,   &Speller::chosen,   &Speller::skipping,
            &Speller::cut,      &Speller::halves,    &Speller::pieces,   &Speller::computed,
            &Speller::computed, &Speller::converted, &Speller::replaced, &Speller::padded};
        constexpr std::int64_t kLast = std::ssize(kSpellings) - 1;
        if (depth == 0) return taken(wanted, 0);
        return (this->*kSpellings[maker_.number(0, kLast)])(wanted, depth - 1);
    }

private:
    Value op(const char* name, const std::vector<Value>& inputs, const Extents& shape,
             const Attributes& attributes = {}, ElementType type = ElementType::i64) {
        const Value value = maker_.add(name, inputs, shape, type, attributes);
        maker_.hide(value);
        return value;
    }
    Value vector_op(const char* name, const std::vector<Value>& inputs, std::int64_t size,
                    const Attributes& attributes = {}) {
        return op(name, inputs, {known(size)}, attributes);
    }
    Value concat(const std::vector<Value>& parts, std::int64_t size) {
        return vector_op("Concat", parts, size, add_axis);
    }
    Value slice(const Value& vector, const Ints& start_stop_step, std::int64_t size) {
        std::vector<Value> inputs{vector, maker_.ints({start_stop_step[0]}),
                                  maker_.ints({start_stop_step[1]})};
        if (start_stop_step[2] != 1 || maker_.chance(0.3)) {
            inputs.insert(inputs.end(), {maker_.ints({0}), maker_.ints({start_stop_step[2]})});
        }
        return vector_op("Slice", inputs, size);
    }
    Value gather(const Value& vector, Ints places) {
        const double negative = maker_.chance(0.2) ? 1 : 0.2;
        for (std::int64_t& place : places) {
            if (maker_.chance(negative)) place -= vector.shape[0].factor;
        }
        return vector_op("Gather", {vector, maker_.ints(places)},
                         static_cast<std::int64_t>(places.size()));
    }

    // From the shape of one value that has all of the extents, of several, or as constants.
    Value taken(const Extents& wanted, int) {
        const auto source = value_with(wanted);
        if (source) return from_shape(*source, wanted);
        if (wanted.size() == 1) return single(wanted.front());
        const std::int64_t size = size_of(wanted), at = maker_.number(1, size - 1);
        return concat({taken(slice_of(wanted, 0, at), 0), taken(slice_of(wanted, at, size), 0)},
                      size);
    }

    std::optional<Value> value_with(const Extents& wanted) {
        std::vector<Value> found;
        for (const Value& value : maker_.values()) {
            const bool has_all = std::all_of(wanted.begin(), wanted.end(), [&](const Extent& one) {
                return std::find(value.shape.begin(), value.shape.end(), one) != value.shape.end();
            });
            const bool may_be = !value.hidden && value.type != ElementType::dynamic;
            if (may_be && has_all) found.push_back(value);
        }
        if (found.empty()) return {};
        const std::int64_t last = static_cast<std::int64_t>(found.size()) - 1;
        return found[static_cast<std::size_t>(maker_.number(0, last))];
    }

    Value shape_of(const Value& x) {
        return vector_op("Shape", {x}, static_cast<std::int64_t>(x.rank()));
    }

    Value from_shape(Value x, const Extents& wanted) {
        if (x.rank() >= 2 && maker_.chance(0.6)) x = turned_to(x, wanted);
        const auto at = std::search(x.shape.begin(), x.shape.end(), wanted.begin(), wanted.end());
        if (x.shape == wanted) return shape_of(x);
        if (at != x.shape.end() && maker_.chance(0.6)) {
            const std::int64_t begin = at - x.shape.begin(), end = begin + size_of(wanted);
            if (maker_.chance(0.7)) return slice(shape_of(x), {begin, end, 1}, end - begin);
            return vector_op("Shape", {x}, end - begin, [&](NodeBuilder& node) {
                node.with("start", begin).with("end", end);
            });
        }
        Ints places;
        for (const Extent& one : wanted) {
            places.push_back(std::find(x.shape.begin(), x.shape.end(), one) - x.shape.begin());
        }
        return gather(shape_of(x), places);
    }

    // Transposed so that the wanted extents come first, or wholly reversed.
    Value turned_to(const Value& x, const Extents& wanted) {
        Ints order;
        const auto is_free = [&](std::int64_t axis) {
            return std::find(order.begin(), order.end(), axis) == order.end();
        };
        const auto rank = static_cast<std::int64_t>(x.rank());
        if (maker_.chance(0.3)) {
            for (std::int64_t axis = rank; axis-- > 0;) order.push_back(axis);
        }
        for (const Extent& one : wanted) {
            for (std::int64_t axis = 0; axis < rank; ++axis) {
                if (!is_free(axis) || !(x.shape[static_cast<std::size_t>(axis)] == one)) continue;
                order.push_back(axis);
                break;
            }
        }
        for (std::int64_t axis = 0; axis < rank; ++axis) {
            if (is_free(axis)) order.push_back(axis);
        }
        Extents shape;
        for (const std::int64_t axis : order) {
            shape.push_back(x.shape[static_cast<std::size_t>(axis)]);
        }
        return op(
            "Transpose", {x}, shape, [&](NodeBuilder& node) { node.with("perm", order); }, x.type);
    }

    // A number, or a product of what values have.
    Value single(const Extent& wanted) {
        if (wanted.is_known()) return maker_.ints({wanted.factor});
        Extents factors;
        if (wanted.factor != 1) factors.push_back(known(wanted.factor));
        factors.insert(factors.end(), static_cast<std::size_t>(wanted.n), kN);
        factors.insert(factors.end(), static_cast<std::size_t>(wanted.t), kT);
        const Value all = taken(factors, 0);
        if (maker_.chance(0.5)) return vector_op("ReduceProd", {all}, 1);
        Value product = gather(all, {0});
        for (std::int64_t i = 1; i < size_of(factors); ++i) {
            product = vector_op("Mul", {product, gather(all, {i})}, 1);
        }
        return product;
    }

    Value reversed(const Extents& wanted, int depth) {
        const Value all = vector(Extents(wanted.rbegin(), wanted.rend()), depth);
        constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
        constexpr std::int64_t kLeast32 = std::numeric_limits<std::int32_t>::min();
        const std::int64_t size = size_of(wanted);
        switch (maker_.number(0, 5)) {
            case 0: return slice(all, {-1, kLeast + maker_.number(0, 1), -1}, size);
            case 1: return slice(all, {-1, kLeast32 + maker_.number(0, 1), -1}, size);
            case 2: return slice(all, {size - 1, -size - 1, -1}, size);
            case 3: return by_lengths(all, size);
            default: break;
        }
        Ints places(wanted.size());
        std::iota(places.rbegin(), places.rend(), 0);
        return gather(all, places);
    }

    Value by_lengths(const Value& all, std::int64_t size) {
        const Extents column{known(size), known(1)};
        const Value data = op("Unsqueeze", {all, maker_.ints({1})}, column);
        const Value turned =
            op("ReverseSequence", {data, maker_.ints({size})}, column,
               [](NodeBuilder& node) { node.with("batch_axis", 1).with("time_axis", 0); });
        return vector_op("Squeeze", {turned, maker_.ints({1})}, size);
    }

    Value permuted(const Extents& wanted, int depth) {
        Ints order(wanted.size());
        std::iota(order.begin(), order.end(), 0);
        for (std::int64_t i = size_of(wanted) - 1; i > 0; --i) {
            std::swap(order[static_cast<std::size_t>(i)],
                      order[static_cast<std::size_t>(maker_.number(0, i))]);
        }
        Extents inner(wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            inner[static_cast<std::size_t>(order[i])] = wanted[i];
        }
        return gather(vector(inner, depth), order);
    }

    Value rotated(const Extents& wanted, int depth) {
        const std::int64_t size = size_of(wanted);
        if (size < 2) return vector(wanted, depth);
        const std::int64_t at = maker_.number(1, size - 1), rest = size - at;
        const Value all =
            vector(joined(slice_of(wanted, at, size), slice_of(wanted, 0, at)), depth);
        if (maker_.chance(0.5)) {
            return concat({slice(all, {rest, size, 1}, at), slice(all, {0, rest, 1}, rest)}, size);
        }
        const auto parts = maker_.add_all("Split", {all, maker_.ints({rest, at})},
                                          {{known(rest)}, {known(at)}}, ElementType::i64, add_axis);
        for (const Value& part : parts) maker_.hide(part);
        return concat({parts[1], parts[0]}, size);
    }

    // Among others, which are left.
    Value chosen(const Extents& wanted, int depth) {
        Extents inner;
        Ints places;
        for (const Extent& one : wanted) {
            if (maker_.chance(0.4)) inner.push_back(random_extent(maker_));
            places.push_back(size_of(inner));
            inner.push_back(one);
        }
        return gather(vector(inner, depth), places);
    }

    // Each second one of a longer vector, forward or backward.
    Value skipping(const Extents& wanted, int depth) {
        Extents inner;
        for (const Extent& one : wanted) {
            if (!inner.empty()) inner.push_back(random_extent(maker_));
            inner.push_back(one);
        }
        const std::int64_t size = size_of(wanted);
        if (maker_.chance(0.5)) return slice(vector(inner, depth), {0, size_of(inner), 2}, size);
        std::reverse(inner.begin(), inner.end());
        return slice(vector(inner, depth), {-1, -size_of(inner) - 1, -2}, size);
    }

    Value cut(const Extents& wanted, int depth) {
        Extents inner = wanted;
        const std::int64_t before = maker_.number(0, 2), behind = maker_.number(0, 2);
        for (std::int64_t i = 0; i < before; ++i) {
            inner.insert(inner.begin(), random_extent(maker_));
        }
        for (std::int64_t i = 0; i < behind; ++i) inner.push_back(random_extent(maker_));
        const std::int64_t size = size_of(inner);
        const bool from_end = maker_.chance(0.5);
        const std::int64_t stop = behind == 0 ? size : from_end ? -behind : size - behind;
        return slice(vector(inner, depth), {from_end ? before - size : before, stop, 1},
                     size_of(wanted));
    }

    Value halves(const Extents& wanted, int depth) {
        const std::int64_t size = size_of(wanted);
        if (size < 2) return vector(wanted, depth);
        const std::int64_t at = maker_.number(1, size - 1);
        return concat(
            {vector(slice_of(wanted, 0, at), depth), vector(slice_of(wanted, at, size), depth)},
            size);
    }

    // Each element as a scalar, as exporters write `x.size(0)`.
    Value pieces(const Extents& wanted, int depth) {
        const Value all = vector(wanted, depth);
        std::vector<Value> parts;
        for (std::int64_t i = 0; i < size_of(wanted); ++i) {
            const Value scalar = op("Gather", {all, maker_.int_scalar(i)}, {});
            parts.push_back(vector_op("Unsqueeze", {scalar, maker_.ints({0})}, 1));
        }
        return concat(parts, size_of(wanted));
    }

    Value computed(const Extents& wanted, int depth) {
        const std::int64_t size = size_of(wanted);
        const auto repeated = [&](std::int64_t number) {
            return maker_.chance(0.5) ? maker_.ints({number})
                                      : maker_.ints(Ints(wanted.size(), number));
        };
        switch (maker_.number(0, 7)) {
            case 0: return by_factors(wanted, depth);
            case 1: {
                const std::int64_t by = maker_.number(1, 3);
                return vector_op("Div", {vector(times(wanted, by), depth), repeated(by)}, size);
            }
            case 2: return vector_op("Add", {repeated(0), vector(wanted, depth)}, size);
            case 3:
                return vector_op("Sub", {vector(times(wanted, 2), depth), vector(wanted, depth)},
                                 size);
            case 4: return limited(wanted, depth);
            case 5: return where_negative(wanted, depth);
            case 6: return vector_op("Abs", {vector(wanted, depth)}, size);
            default: return vector_op("Mul", {vector(wanted, depth), repeated(1)}, size);
        }
    }

    static Extents times(Extents all, std::int64_t factor) {
        for (Extent& one : all) one.factor *= factor;
        return all;
    }

    Value by_factors(const Extents& wanted, int depth) {
        Extents rest = wanted;
        Ints factors;
        for (Extent& one : rest) {
            factors.push_back(maker_.chance(0.5) && one.factor > 0 ? one.factor : 1);
            one.factor /= factors.back();
        }
        return vector_op("Mul", {vector(rest, depth), maker_.ints(factors)}, size_of(wanted));
    }

    // Bounds that no extent reaches.
    Value limited(const Extents& wanted, int depth) {
        const bool filled = std::all_of(wanted.begin(), wanted.end(),
                                        [&](const Extent& one) { return maker_.is_filled(one); });
        const bool above = maker_.chance(0.5);
        const Value bound = maker_.ints({above ? 1 << 20 : filled ? 1 : 0});
        return vector_op(above ? "Min" : "Max", {vector(wanted, depth), bound}, size_of(wanted));
    }

    // As PyTorch's exporter guards the sizes of expand().
    Value where_negative(const Extents& wanted, int depth) {
        const std::int64_t size = size_of(wanted);
        const Value all = vector(wanted, depth), ones = maker_.ints(Ints(wanted.size(), 1));
        const Value asked = op("Equal", {all, maker_.ints(Ints(wanted.size(), -1))}, {known(size)},
                               {}, ElementType::boolean);
        return vector_op("Where", {asked, ones, all}, size);
    }

    Value converted(const Extents& wanted, int depth) {
        struct Type {
            ElementType type;
            int number;
        };
        constexpr Type kTypes[] = {
            {ElementType::i32, 6}, {ElementType::f32, 1}, {ElementType::f64, 11}};
        const Type& type = kTypes[maker_.number(0, 2)];
        const Extents shape{known(size_of(wanted))};
        const Value other = op(
            "Cast", {vector(wanted, depth)}, shape,
            [&](NodeBuilder& node) { node.with("to", type.number); }, type.type);
        return op("Cast", {other}, shape, [](NodeBuilder& node) { node.with("to", 7); });
    }

    Value replaced(const Extents& wanted, int depth) {
        const std::int64_t size = size_of(wanted), at = maker_.number(0, size - 1);
        Extents inner = wanted;
        inner[static_cast<std::size_t>(at)] = random_extent(maker_);
        const Value right = vector({wanted[static_cast<std::size_t>(at)]}, depth);
        const Value all = vector(inner, depth);
        if (maker_.chance(0.5)) {
            return vector_op("ScatterElements", {all, maker_.ints({at}), right}, size, add_axis);
        }
        const Value places = maker_.constant(tensor_of<std::int64_t>({1, 1}, {at}));
        return vector_op("ScatterND", {all, places, right}, size);
    }

    Value padded(const Extents& wanted, int depth) {
        const std::int64_t size = size_of(wanted);
        if (!wanted.front().is_known() || size < 2) return taken(wanted, depth);
        const Value rest = vector(slice_of(wanted, 1, size), depth);
        return vector_op(
            "Pad", {rest, maker_.ints({1, 0}), maker_.int_scalar(wanted.front().factor)}, size);
    }

    ModelMaker& maker_;
};

}  // namespace

Value spelled_vector(ModelMaker& maker, const Extents& wanted) {
    return Speller(maker).vector(wanted, static_cast<int>(maker.number(0, kMostDepth)));
}

Extent random_extent(ModelMaker& maker) {
    if (maker.chance(0.1)) return kN * (maker.chance(0.5) ? kT : known(2));
    if (maker.chance(0.35)) return known(maker.number(1, 4));
    return maker.chance(0.5) ? kN : kT;
}

bool is_small(const Extents& shape) {
    std::int64_t count = 1;
    for (const Extent& extent : shape) count *= extent.at(kLargest);
    return count <= kMostElements;
}

}  // namespace rondo::test
