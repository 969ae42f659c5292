// Random lists of tensors, and values that may be missing.
#include <algorithm>

#include "tests/random/recipes/body_parts.hpp"

namespace rondo::test {
namespace {

std::optional<Value> pick_short_line(ModelMaker& maker, std::int64_t least) {
    return maker.pick([&](const Value& value) {
        return value.rank() >= 1 && value.rank() <= 3 && value.last().is_known() &&
               value.last().factor >= least && value.last().factor <= 12;
    });
}

// A part of the last axis.
Extents part_shape(const Value& x, std::int64_t extent) {
    Extents shape = x.shape;
    shape.back() = known(extent);
    return shape;
}

// One part of a list, or all of them joined.
void read_list(ModelMaker& maker, const Value& x, const Value& list, std::int64_t count) {
    const std::int64_t extent = x.last().factor / count;
    if (maker.chance(0.5)) {
        maker.add("SequenceAt", {list, maker.int_scalar(maker.number(-count, count - 1))},
                  part_shape(x, extent));
        return;
    }
    maker.add("ConcatFromSequence", {list}, part_shape(x, extent * count), ElementType::f32,
              [](NodeBuilder& node) { node.with("axis", -1); });
}

// By one extent for all parts where the number of parts follows from a known shape, or by a list.
Value split_evenly(ModelMaker& maker, const Value& x, std::int64_t count) {
    const std::int64_t extent = x.last().factor / count;
    const bool is_input = std::any_of(maker.inputs().begin(), maker.inputs().end(),
                                      [&](const Value& in) { return in.name == x.name; });
    const std::vector<std::int64_t> list(static_cast<std::size_t>(count), extent);
    return maker.add_list("SplitToSequence",
                          {x, is_input ? maker.int_scalar(extent) : maker.ints(list)},
                          [](NodeBuilder& node) { node.with("axis", -1); });
}

std::int64_t parts_of(const Value& x) { return x.last().factor % 3 == 0 ? 3 : 2; }

// Parts of the last axis; one of them leaves the list, or another comes.
bool split_list(ModelMaker& maker) {
    const auto x = pick_short_line(maker, 2);
    if (!x || (x->last().factor % 2 != 0 && x->last().factor % 3 != 0)) return false;
    std::int64_t count = parts_of(*x);
    Value list = split_evenly(maker, *x, count);
    Value rest = *x;
    const std::int64_t extent = x->last().factor / count;
    if (maker.chance(0.4) && count > 2) {
        list =
            maker.add_list("SequenceErase", {list, maker.int_scalar(maker.number(0, count - 1))});
        --count;
    }
    rest.shape.back() = known(extent * count);
    read_list(maker, rest, list, count);
    return true;
}

bool length_of_list(ModelMaker& maker) {
    const auto x = pick_short_line(maker, 1);
    if (!x) return false;
    const Value list = maker.add_list("SequenceConstruct", {*x, *maker.pick_like(*x)});
    const Value length = maker.add("SequenceLength", {list}, {}, ElementType::i64);
    const Value number = maker.add("Cast", {length}, {}, ElementType::f32,
                                   [](NodeBuilder& node) { node.with("to", 1); });
    maker.bounded(maker.add("Mul", {maker.bounded(*x), number}, x->shape));
    return true;
}

// A function of each part.
bool mapped_list(ModelMaker& maker) {
    const auto x = pick_short_line(maker, 2);
    if (!x || x->last().factor % 2 != 0) return false;
    const Value list = split_evenly(maker, *x, 2);
    RandomBody body(maker);
    ModelMaker& own = body.maker();
    Value part{"", ElementType::f32, part_shape(*x, x->last().factor / 2)};
    part = own.add_parameter(part);
    body.add_result(own.bounded(own.add("Mul", {part, own.weights({})}, part.shape)));
    maker.set_last_name(own.last_name());
    const Value mapped = maker.add_list(
        "SequenceMap", {list}, [&](NodeBuilder& node) { node.with("body", body.graph()); });
    read_list(maker, *x, mapped, 2);
    return true;
}

bool optional_value(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 4);
    if (!x) return false;
    const Value holder = maker.add_list("Optional", {*x});
    if (maker.chance(0.5)) {
        maker.add("OptionalGetElement", {holder}, x->shape);
        return true;
    }
    const Value there = maker.add("OptionalHasElement", {holder}, {}, ElementType::boolean);
    maker.add("Where", {there, *x, maker.filled({}, 0)}, x->shape);
    return true;
}

}  // namespace

std::vector<Recipe> list_recipes() {
    return {split_list, length_of_list, mapped_list, optional_value};
}

}  // namespace rondo::test
