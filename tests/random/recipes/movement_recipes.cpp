// Random nodes that move elements: copies, views, and views of views.
#include <algorithm>
#include <numeric>

#include "tests/random/model_maker.hpp"

namespace rondo::test {
namespace {

bool transpose(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(2, 4);
    if (!x) return false;
    std::vector<std::int64_t> order(x->rank());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), maker.rng());
    Extents shape;
    for (const std::int64_t axis : order) shape.push_back(x->shape[static_cast<std::size_t>(axis)]);
    const bool is_reversed = std::is_sorted(order.rbegin(), order.rend());  // needs no order
    maker.add("Transpose", {*x}, shape, ElementType::f32, [&](NodeBuilder& node) {
        if (!is_reversed) node.with("perm", order);
    });
    return true;
}

// The last two axes become one: 0 and -1 in the pattern.
bool flatten_last(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 2 && value.rank() <= 4 && value.last().is_known() &&
               value.last().factor > 0 && value.shape[value.rank() - 2].is_known();
    });
    if (!x) return false;
    std::vector<std::int64_t> pattern(x->rank() - 1, 0);
    pattern.back() = x->last().factor * x->shape[x->rank() - 2].factor;
    Extents shape(x->shape.begin(), x->shape.end() - 2);
    shape.push_back(known(pattern.back()));
    maker.add("Reshape", {*x, maker.ints(pattern)}, shape);
    return true;
}

// The last axis as heads.
bool heads(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 2 && value.rank() <= 3 && value.last().is_known() &&
               value.last().factor % 2 == 0 && value.last().factor > 0;
    });
    if (!x) return false;
    std::vector<std::int64_t> pattern(x->rank(), 0);
    pattern.back() = 2;
    pattern.push_back(x->last().factor / 2);
    Extents shape(x->shape.begin(), x->shape.end() - 1);
    shape.push_back(known(2));
    shape.push_back(known(pattern.back()));
    maker.add("Reshape", {*x, maker.ints(pattern)}, shape);
    return true;
}

bool slice(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 && value.last().is_known() && value.last().factor >= 2;
    });
    if (!x) return false;
    const std::int64_t extent = x->last().factor;
    const std::int64_t begin = maker.number(0, extent - 1);
    const std::int64_t end = maker.number(begin + 1, extent);
    const bool backwards = maker.chance(0.2);
    Extents shape = x->shape;
    shape.back() = known(end - begin);
    const auto axis = static_cast<std::int64_t>(x->rank()) - 1;
    const std::int64_t from = backwards ? end - 1 : begin;
    const std::int64_t to = backwards ? begin - 1 - extent : end;
    maker.add("Slice",
              {*x, maker.ints({from}), maker.ints({to}), maker.ints({axis}),
               maker.ints({backwards ? -1 : 1})},
              shape);
    return true;
}

bool split_and_concat(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 && value.last().is_known() && value.last().factor >= 2;
    });
    if (!x) return false;
    const std::int64_t extent = x->last().factor;
    const std::int64_t first = maker.number(1, extent - 1);
    Extents head = x->shape;
    Extents tail = x->shape;
    head.back() = known(first);
    tail.back() = known(extent - first);
    const auto axis = static_cast<std::int64_t>(x->rank()) - 1;
    const auto parts =
        maker.add_all("Split", {*x, maker.ints({first, extent - first})}, {head, tail},
                      ElementType::f32, [&](NodeBuilder& node) { node.with("axis", axis); });
    if (maker.chance(0.6)) {
        maker.add("Concat", {parts[1], parts[0]}, x->shape, ElementType::f32,
                  [&](NodeBuilder& node) { node.with("axis", maker.chance(0.5) ? axis : -1); });
    }
    return true;
}

// Two values that agree except in one axis, along which both may be open.
bool concat(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 3);
    if (!x) return false;
    const auto axis =
        static_cast<std::size_t>(maker.number(0, static_cast<std::int64_t>(x->rank()) - 1));
    if (!x->shape[axis].is_known()) return false;
    const Value y = *maker.pick_like(*x);
    Extents shape = x->shape;
    shape[axis] = known(2 * x->shape[axis].factor);
    maker.add("Concat", {*x, y}, shape, ElementType::f32,
              [&](NodeBuilder& node) { node.with("axis", static_cast<std::int64_t>(axis)); });
    return true;
}

bool unsqueeze_squeeze(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 3);
    if (!x) return false;
    const std::int64_t axis = maker.number(0, static_cast<std::int64_t>(x->rank()));
    Extents shape = x->shape;
    shape.insert(shape.begin() + axis, known(1));
    const Value wide = maker.add("Unsqueeze", {*x, maker.ints({axis})}, shape);
    if (maker.chance(0.5)) {
        maker.add("Squeeze", {maker.bounded(wide), maker.ints({axis})}, x->shape);
    }
    return true;
}

// One index of the last axis (negative ones too), or several of them.
bool gather(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 2 && value.last().is_known() && value.last().factor >= 1;
    });
    if (!x) return false;
    const std::int64_t extent = x->last().factor;
    const auto attributes = [&](NodeBuilder& node) {
        node.with("axis", static_cast<std::int64_t>(x->rank()) - 1);
    };
    Extents shape(x->shape.begin(), x->shape.end() - 1);
    if (maker.chance(0.5)) {
        maker.add("Gather", {*x, maker.int_scalar(maker.number(-extent, extent - 1))}, shape,
                  ElementType::f32, attributes);
        return true;
    }
    shape.push_back(known(2));
    maker.add("Gather", {*x, maker.ints({maker.number(0, extent - 1), maker.number(-extent, -1)})},
              shape, ElementType::f32, attributes);
    return true;
}

// Embeddings: rows of a table by the ids of an input.
bool embedding(ModelMaker& maker) {
    const auto ids =
        maker.pick([](const Value& value) { return value.name == "ids"; }, ElementType::i64);
    if (!ids) return false;
    const std::int64_t width = maker.number(2, 6);
    Extents shape = ids->shape;
    shape.push_back(known(width));
    maker.add("Gather", {maker.weights({10, static_cast<std::size_t>(width)}), *ids}, shape);
    return true;
}

// The first k of an axis, as many as the input "k" or a body says: an extent that depends on data.
bool slice_by_data(ModelMaker& maker) {
    const auto count =
        maker.pick([](const Value& value) { return value.holds_k; }, ElementType::i64);
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 2 && value.last().is_known() && value.last().factor >= 3;
    });
    if (!count || !x) return false;
    Extents shape = x->shape;
    shape.back() = kK;
    maker.add("Slice",
              {*x, maker.ints({0}), *count, maker.ints({static_cast<std::int64_t>(x->rank()) - 1})},
              shape);
    return true;
}

bool expand(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 3);
    if (!x) return false;
    Extents shape = x->shape;
    shape.insert(shape.begin(), known(2));
    std::vector<std::int64_t> pattern(shape.size(), 1);
    pattern.front() = 2;
    maker.add("Expand", {*x, maker.ints(pattern)}, shape);
    return true;
}

// A value whose last axis is known and has `least` elements or more.
std::optional<Value> pick_with_known_end(ModelMaker& maker, std::int64_t least) {
    return maker.pick([&](const Value& value) {
        return value.rank() >= 1 && value.last().is_known() && value.last().factor >= least;
    });
}

// The last axis, in any mode. onnxruntime has only the first mirror: it has 4 elements or more.
bool pad(ModelMaker& maker) {
    const auto x = pick_with_known_end(maker, 4);
    if (!x) return false;
    constexpr const char* kModes[] = {"constant", "edge", "reflect"};
    const char* mode = kModes[maker.number(0, 2)];
    const std::int64_t begin = maker.number(-1, 2);
    const std::int64_t end = maker.number(0, 2);
    std::vector<std::int64_t> pads(2 * x->rank(), 0);
    pads[x->rank() - 1] = begin;
    pads.back() = end;
    Extents shape = x->shape;
    shape.back() = known(x->last().factor + begin + end);
    std::vector<Value> inputs{*x, maker.ints(pads)};
    if (maker.chance(0.5)) inputs.push_back(maker.filled({}, 0.5F));
    maker.add("Pad", inputs, shape, ElementType::f32,
              [&](NodeBuilder& node) { node.with("mode", mode); });
    return true;
}

// Some of the known axes, twice.
bool tile(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 && value.rank() <= 3 && value.last().factor <= 8;
    });
    if (!x) return false;
    Extents shape = x->shape;
    std::vector<std::int64_t> repeats;
    for (Extent& extent : shape) {
        repeats.push_back(extent.is_known() && maker.chance(0.5) ? 2 : 1);
        extent = known(repeats.back()) * extent;
    }
    maker.add("Tile", {*x, maker.ints(repeats)}, shape);
    return true;
}

// All rows of the first axis by one length, which is repeated as often as there are rows.
bool reverse_sequence(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 2 && value.shape[1].is_known() && value.shape[1].factor >= 2;
    });
    if (!x) return false;
    const Value shape =
        maker.add("Shape", {*x}, {known(static_cast<std::int64_t>(x->rank()))}, ElementType::i64);
    const Value rows =
        maker.add("Slice", {shape, maker.ints({0}), maker.ints({1})}, {known(1)}, ElementType::i64);
    const Value length = maker.ints({maker.number(0, x->shape[1].factor)});
    const Value lengths = maker.add("Expand", {length, rows}, {x->shape[0]}, ElementType::i64);
    maker.add("ReverseSequence", {*x, lengths}, x->shape, ElementType::f32,
              [](NodeBuilder& node) { node.with("batch_axis", 0).with("time_axis", 1); });
    return true;
}

// A known last axis in halves, which become channels, and back or not.
bool space_to_depth(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() == 2 && value.last().is_known() && value.last().factor % 4 == 0 &&
               value.last().factor > 0;
    });
    if (!x) return false;
    const auto block = [](NodeBuilder& node) { node.with("blocksize", 2); };
    const std::int64_t width = x->last().factor / 2;
    const Value image = maker.add("Reshape", {*x, maker.ints({0, 1, 2, width})},
                                  {x->shape[0], known(1), known(2), known(width)});
    const Value depth =
        maker.add("SpaceToDepth", {image}, {x->shape[0], known(4), known(1), known(width / 2)},
                  ElementType::f32, block);
    if (maker.chance(0.5)) {
        maker.add("DepthToSpace", {maker.bounded(depth)}, image.shape, ElementType::f32, block);
    }
    return true;
}

// How many elements there are, as a factor of another value.
bool size(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(0, 3);
    if (!x) return false;
    const Value count = maker.add("Size", {*x}, {}, ElementType::i64);
    const Value number = maker.add("Cast", {count}, {}, ElementType::f32,
                                   [](NodeBuilder& node) { node.with("to", 1); });
    const Value scaled = maker.add("Mul", {number, maker.filled({}, 0.0625F)}, {});
    maker.add("Add", {maker.bounded(*x), maker.bounded(scaled)}, x->shape);
    return true;
}

}  // namespace

std::vector<Recipe> movement_recipes() {
    return {transpose,
            flatten_last,
            heads,
            slice,
            split_and_concat,
            concat,
            gather,
            embedding,
            expand,
            slice_by_data,
            unsqueeze_squeeze,
            pad,
            tile,
            size,
            reverse_sequence,
            space_to_depth};
}

}  // namespace rondo::test
