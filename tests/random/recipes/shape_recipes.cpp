// Random uses of vectors of extents: fills, Expands, Reshapes, Tiles, states of layers, masks,
// parts of a Concat, ends of slices.
#include <algorithm>
#include <limits>
#include <numeric>

#include "tests/random/recipes/body_parts.hpp"
#include "tests/random/recipes/shape_vector.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;

bool has_known_vectors(const Extents& shape) {
    return std::none_of(shape.begin(), shape.end(), [](const Extent& one) { return one.k > 0; });
}

// A small f32 value whose extents can be written as a vector.
std::optional<Value> pick_small(ModelMaker& maker, std::size_t least, std::size_t most) {
    return maker.pick([&](const Value& value) {
        return value.rank() >= least && value.rank() <= most && is_small(value.shape) &&
               has_known_vectors(value.shape);
    });
}

Extents random_target(ModelMaker& maker, std::int64_t least, std::int64_t most) {
    Extents target;
    do {
        target.clear();
        for (std::int64_t i = maker.number(least, most); i > 0; --i) {
            target.push_back(random_extent(maker));
        }
    } while (!is_small(target));
    return target;
}

Value cast_to_f32(ModelMaker& maker, const Value& x) {
    return maker.add("Cast", {x}, x.shape, ElementType::f32,
                     [](NodeBuilder& node) { node.with("to", 1); });
}

// One number that only a run knows.
Value number_of_run(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 4);
    const Value count = maker.add("Size", {*x}, {}, ElementType::i64);
    maker.hide(count);
    const Value number = cast_to_f32(maker, count);
    maker.hide(number);
    return maker.bounded(maker.add("Mul", {number, maker.filled({}, 0.0625F)}, {}));
}

// A tensor of one number, as exporters write zeros, full and their like.
Value fill(ModelMaker& maker, const Extents& target) {
    const Value shape = spelled_vector(maker, target);
    const auto constant = [&](const Tensor& value) {
        return maker.add("ConstantOfShape", {shape}, target, value.element_type(),
                         [&](NodeBuilder& node) { node.with("value", value); });
    };
    switch (maker.number(0, 6)) {
        case 0: return constant(tensor_of<float>({1}, {0.25F}));
        case 1:
            return maker.add("Expand", {maker.filled({}, maker.chance(0.5) ? 0 : 0.5F), shape},
                             target);
        case 2: return maker.add("Expand", {maker.weights(Shape(target.size(), 1)), shape}, target);
        case 3: return cast_to_f32(maker, constant(tensor_of<std::int64_t>({1}, {2})));
        case 4: return maker.add("Expand", {number_of_run(maker), shape}, target);
        default: return maker.add("ConstantOfShape", {shape}, target);
    }
}

bool filled(ModelMaker& maker) {
    fill(maker, random_target(maker, 1, 4));
    return true;
}

// x with its axes in another order, mostly wholly reversed.
Value turned(ModelMaker& maker, const Value& x) {
    Ints order(x.rank());
    std::iota(order.begin(), order.end(), 0);
    std::reverse(order.begin(), order.end());
    if (maker.chance(0.4)) {
        std::swap(order.front(), order[static_cast<std::size_t>(
                                     maker.number(0, static_cast<std::int64_t>(x.rank()) - 1))]);
    }
    Extents shape;
    for (const std::int64_t axis : order) shape.push_back(x.shape[static_cast<std::size_t>(axis)]);
    return maker.add("Transpose", {x}, shape, x.type,
                     [&](NodeBuilder& node) { node.with("perm", order); });
}

// zeros_like(x.t()) and full_like(), of any type of x.
bool like_turned(ModelMaker& maker) {
    const auto ids = maker.pick([](const Value& v) { return v.rank() == 2; }, ElementType::i64);
    const auto x = pick_small(maker, 2, 4);
    const auto source = ids && maker.chance(0.4) ? ids : x;
    if (!source) return false;
    const Value y = turned(maker, *source);
    const Value shape =
        maker.add("Shape", {y}, {known(static_cast<std::int64_t>(y.rank()))}, ElementType::i64);
    maker.hide(shape);
    if (source->type == ElementType::i64) maker.hide(y);
    if (maker.chance(0.5)) {
        const float value = maker.chance(0.5) ? 0.5F : 0.0F;
        maker.add("ConstantOfShape", {shape}, y.shape, ElementType::f32,
                  [&](NodeBuilder& node) { node.with("value", tensor_of<float>({1}, {value})); });
    } else {
        maker.add("Expand", {maker.weights(Shape(y.rank(), 1)), shape}, y.shape);
    }
    return true;
}

// Axes of extent 1 repeated, and new ones in front; those that stay are asked as they are, or as 1.
bool expanded(ModelMaker& maker) {
    const auto x = pick_small(maker, 0, 3);
    if (!x) return false;
    Extents asked = x->shape, result = x->shape;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        if (x->shape[i] == known(1)) {
            asked[i] = result[i] = random_extent(maker);
        } else if (maker.chance(0.3)) {
            asked[i] = known(1);
        }
    }
    for (std::int64_t more = maker.number(0, 2); more > 0; --more) {
        asked.insert(asked.begin(), random_extent(maker));
        result.insert(result.begin(), asked.front());
    }
    if (asked.empty() || !is_small(result)) return false;
    maker.add("Expand", {*x, spelled_vector(maker, asked)}, result);
    return true;
}

// The same extents in another order, neighbours joined or not, and some of extent 1.
Extents regrouped(ModelMaker& maker, const Extents& shape) {
    Extents order = shape;
    if (maker.chance(0.5)) {
        std::reverse(order.begin(), order.end());
    } else if (order.size() > 1 && maker.chance(0.5)) {
        std::rotate(order.begin(), order.begin() + 1, order.end());
    }
    Extents target;
    for (const Extent& one : order) {
        if (maker.chance(0.15)) target.push_back(known(1));
        if (!target.empty() && maker.chance(0.25)) {
            target.back() = target.back() * one;
        } else {
            target.push_back(one);
        }
    }
    return target;
}

bool reshaped(ModelMaker& maker) {
    const auto x = pick_small(maker, 1, 4);
    if (!x) return false;
    const Extents target = regrouped(maker, x->shape);
    const bool keeps_zeros = !maker.has_elements(*x);
    const auto last = static_cast<std::int64_t>(target.size()) - 1;
    if (keeps_zeros || maker.chance(0.5)) {
        const bool asks = keeps_zeros || maker.chance(0.3);
        maker.add("Reshape", {*x, spelled_vector(maker, target)}, target, ElementType::f32,
                  [&](NodeBuilder& node) {
                      if (asks) node.with("allowzero", 1);
                  });
        return true;
    }
    const std::int64_t at = maker.number(0, last);  // what is left
    const Extents before(target.begin(), target.begin() + at);
    const Extents behind(target.begin() + at + 1, target.end());
    std::vector<Value> parts;
    if (!before.empty()) parts.push_back(spelled_vector(maker, before));
    parts.push_back(maker.ints({-1}));
    if (!behind.empty()) parts.push_back(spelled_vector(maker, behind));
    const Value pattern = maker.add("Concat", parts, {known(last + 1)}, ElementType::i64,
                                    [](NodeBuilder& node) { node.with("axis", 0); });
    maker.hide(pattern);
    maker.add("Reshape", {*x, pattern}, target);
    return true;
}

bool tiled(ModelMaker& maker) {
    const auto x = pick_small(maker, 1, 3);
    if (!x) return false;
    Extents repeats, result;
    for (const Extent& one : x->shape) {
        repeats.push_back(maker.chance(0.5) ? random_extent(maker) : known(1));
        result.push_back(one * repeats.back());
    }
    if (!is_small(result)) return false;
    maker.add("Tile", {*x, spelled_vector(maker, repeats)}, result);
    return true;
}

// Words of [N, T] as vectors with the time first.
Value embedded(ModelMaker& maker, const Value& ids, std::int64_t width) {
    const Extents order_of_ids{ids.shape[1], ids.shape[0]};
    const Value table = maker.weights({10, static_cast<std::size_t>(width)});
    if (maker.chance(0.5)) {
        const Value first = maker.add("Transpose", {ids}, order_of_ids, ids.type);
        maker.hide(first);
        return maker.add("Gather", {table, first}, {ids.shape[1], ids.shape[0], known(width)});
    }
    const Value words =
        maker.add("Gather", {table, ids}, {ids.shape[0], ids.shape[1], known(width)});
    return maker.add("Transpose", {words}, {ids.shape[1], ids.shape[0], known(width)},
                     ElementType::f32, [](NodeBuilder& node) {
                         node.with("perm", Ints{1, 0, 2});
                     });
}

// A layer whose first state is a fill, on words or on what else is [T, N, I].
bool layer_with_state(ModelMaker& maker) {
    const auto ids =
        maker.pick([](const Value& value) { return value.name == "ids"; }, ElementType::i64);
    auto x = maker.pick([](const Value& value) {
        return value.rank() == 3 && value.last().is_known() && value.last().factor > 0 &&
               value.last().factor <= 8 && has_known_vectors(value.shape) && is_small(value.shape);
    });
    if (ids && (!x || maker.chance(0.5))) x = embedded(maker, *ids, maker.number(1, 4));
    if (!x) return false;
    struct Kind {
        const char* op;
        std::size_t gates;
    };
    constexpr Kind kKinds[] = {{"LSTM", 4}, {"GRU", 3}, {"RNN", 1}};
    const Kind& kind = kKinds[maker.number(0, 2)];
    const std::int64_t hidden = maker.number(1, 5), directions = maker.number(1, 2);
    const auto d = static_cast<std::size_t>(directions), h = static_cast<std::size_t>(hidden);
    const Extents state{known(directions), x->shape[1], known(hidden)};
    std::vector<Value> inputs{
        maker.bounded(*x),
        maker.weights({d, kind.gates * h, static_cast<std::size_t>(x->last().factor)}),
        maker.weights({d, kind.gates * h, h}), Value{}, Value{}};
    inputs.push_back(maker.bounded(fill(maker, state)));
    if (kind.gates == 4) inputs.push_back(maker.bounded(fill(maker, state)));
    const Extents y{x->shape[0], known(directions), x->shape[1], known(hidden)};
    maker.add_all(kind.op, inputs, {y, state}, ElementType::f32, [&](NodeBuilder& node) {
        node.with("hidden_size", hidden);
        if (directions == 2) node.with("direction", "bidirectional");
    });
    return true;
}

// What a mask of booleans leaves of x.
bool masked(ModelMaker& maker) {
    const auto x = pick_small(maker, 1, 4);
    if (!x) return false;
    const bool truth = maker.chance(0.5);
    Tensor value = tensor_of<bool>({1}, {truth});
    Value mask =
        maker.add("ConstantOfShape", {spelled_vector(maker, x->shape)}, x->shape,
                  ElementType::boolean, [&](NodeBuilder& node) { node.with("value", value); });
    maker.hide(mask);
    if (x->rank() >= 2 && maker.chance(0.5)) {
        mask = maker.add("Trilu", {mask}, x->shape, ElementType::boolean);
        maker.hide(mask);
    }
    const Value other =
        maker.chance(0.5) ? maker.filled({}, 0.5F) : maker.bounded(fill(maker, x->shape));
    maker.add("Where", {mask, *x, other}, x->shape);
    return true;
}

// x after a fill, or before it, along one of its axes.
bool concatenated(ModelMaker& maker) {
    const auto x = pick_small(maker, 1, 4);
    if (!x) return false;
    const auto axis =
        static_cast<std::size_t>(maker.number(0, static_cast<std::int64_t>(x->rank()) - 1));
    Extents part = x->shape, result = x->shape;
    if (x->shape[axis].is_known()) {
        part[axis] = known(maker.number(1, 3));
        result[axis] = known(part[axis].factor + x->shape[axis].factor);
    } else {
        result[axis].factor *= 2;
    }
    const Value more = fill(maker, part);
    std::vector<Value> parts{*x, more};
    if (maker.chance(0.5)) std::swap(parts[0], parts[1]);
    maker.add("Concat", parts, result, ElementType::f32,
              [&](NodeBuilder& node) { node.with("axis", static_cast<std::int64_t>(axis)); });
    return true;
}

// All of some axes, or all in the other direction, up to ends that are computed.
bool cut_by_extents(ModelMaker& maker) {
    const auto x = pick_small(maker, 1, 4);
    if (!x) return false;
    const Extents ends(x->shape.begin(),
                       x->shape.begin() + maker.number(1, static_cast<std::int64_t>(x->rank())));
    const Value stop = spelled_vector(maker, ends);
    if (maker.chance(0.6)) {
        maker.add("Slice", {*x, maker.ints(Ints(ends.size(), 0)), stop}, x->shape);
        return true;
    }
    const Value last = maker.add("Neg", {stop}, stop.shape, ElementType::i64);
    maker.hide(last);
    const Value before = maker.add("Sub", {last, maker.ints({1})}, stop.shape, ElementType::i64);
    maker.hide(before);
    Ints axes(ends.size()), steps(ends.size(), -1);
    std::iota(axes.begin(), axes.end(), 0);
    maker.add("Slice", {*x, maker.ints(steps), before, maker.ints(axes), maker.ints(steps)},
              x->shape);
    return true;
}

// The extents themselves as numbers.
bool numbers(ModelMaker& maker) {
    const Value vector = spelled_vector(maker, random_target(maker, 1, 5));
    const Value number = cast_to_f32(maker, vector);
    maker.hide(number);
    maker.bounded(maker.add("Mul", {number, maker.filled({}, 0.03125F)}, number.shape));
    return true;
}

// A fill that is written in another way in each branch.
bool filled_in_branches(ModelMaker& maker) {
    const Extents target = random_target(maker, 1, 3);
    const Value asked = condition(maker);
    RandomBody yes(maker);
    yes.add_result(fill(yes.maker(), target));
    maker.set_last_name(yes.maker().last_name());
    RandomBody no(maker);
    no.add_result(fill(no.maker(), target));
    maker.set_last_name(no.maker().last_name());
    maker.add("If", {asked}, target, ElementType::f32, [&](NodeBuilder& node) {
        node.with("then_branch", yes.graph()).with("else_branch", no.graph());
    });
    return true;
}

}  // namespace

std::vector<Recipe> shape_recipes() {
    return {filled,   like_turned,  like_turned,    expanded,         expanded,
            reshaped, reshaped,     tiled,          layer_with_state, layer_with_state,
            masked,   concatenated, cut_by_extents, numbers,          filled_in_branches};
}

}  // namespace rondo::test
