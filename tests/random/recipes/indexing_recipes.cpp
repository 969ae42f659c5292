// Random operators that read and write elements by their places.
#include <algorithm>
#include <numeric>

#include "tests/random/model_maker.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;

bool has_elements(const ModelMaker& maker, const Value& value) {
    return value.rank() > 0 && maker.has_elements(value);
}

std::optional<Value> pick_row(ModelMaker& maker, bool exact = false) {
    return maker.pick([&](const Value& value) {
        return (!exact || value.exact) && has_elements(maker, value) && value.rank() <= 4 &&
               value.last().is_known();
    });
}

// [1, ..., 1, count].
Shape line_shape(const Value& x, std::size_t count) {
    Shape shape(x.rank(), 1);
    shape.back() = count;
    return shape;
}

Extents known_extents(const Shape& shape) {
    Extents extents;
    for (const std::size_t extent : shape) {
        extents.push_back(known(static_cast<std::int64_t>(extent)));
    }
    return extents;
}

bool gather_elements(ModelMaker& maker) {
    const auto x = pick_row(maker);
    if (!x) return false;
    const Shape shape = line_shape(*x, static_cast<std::size_t>(maker.number(1, 5)));
    Ints places;
    for (std::size_t i = 0; i < shape.back(); ++i) {
        places.push_back(maker.number(-x->last().factor, x->last().factor - 1));
    }
    maker.add("GatherElements", {*x, maker.constant(tensor_of<std::int64_t>(shape, places))},
              known_extents(shape), ElementType::f32,
              [](NodeBuilder& node) { node.with("axis", -1); });
    return true;
}

// Rows from both ends: an open axis has at least one.
bool gather_nd(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) { return has_elements(maker, value); });
    if (!x) return false;
    Extents shape = x->shape;
    shape.front() = known(3);
    maker.add("GatherND", {*x, maker.constant(tensor_of<std::int64_t>({3, 1}, {0, -1, 0}))}, shape);
    return true;
}

bool scatter_elements(ModelMaker& maker) {
    const auto x = pick_row(maker);
    if (!x) return false;
    const std::int64_t extent = x->last().factor;
    Ints places(static_cast<std::size_t>(extent));
    std::iota(places.begin(), places.end(), 0);
    std::shuffle(places.begin(), places.end(), maker.rng());
    places.resize(static_cast<std::size_t>(maker.number(1, extent)));
    if (maker.chance(0.5)) places.front() -= extent;
    const Shape shape = line_shape(*x, places.size());
    constexpr const char* kReductions[] = {"none", "add", "mul"};
    maker.add("ScatterElements",
              {*x, maker.constant(tensor_of<std::int64_t>(shape, places)), maker.weights(shape)},
              x->shape, ElementType::f32, [&](NodeBuilder& node) {
                  node.with("axis", -1).with("reduction", kReductions[maker.number(0, 2)]);
              });
    return true;
}

// The first row of another value at the last row.
bool scatter_nd(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) { return has_elements(maker, value); });
    if (!x) return false;
    const Value other = *maker.pick_like(*x);
    Extents row = x->shape;
    row.front() = known(1);
    const Value update =
        maker.add("Slice", {other, maker.ints({0}), maker.ints({1}), maker.ints({0})}, row);
    constexpr const char* kReductions[] = {"none", "add"};
    maker.add("ScatterND", {*x, maker.constant(tensor_of<std::int64_t>({1, 1}, {-1})), update},
              x->shape, ElementType::f32,
              [&](NodeBuilder& node) { node.with("reduction", kReductions[maker.number(0, 1)]); });
    return true;
}

// Places depend on comparisons: only values that have the same bits everywhere are compared.
void use_places(ModelMaker& maker, const Value& places) {
    const Value numbers = maker.add("Cast", {places}, places.shape, ElementType::f32,
                                    [](NodeBuilder& node) { node.with("to", 1); });
    maker.bounded(maker.add("Mul", {numbers, maker.filled({}, 0.1F)}, places.shape));
}

bool top_k(ModelMaker& maker) {
    const auto x = pick_row(maker, true);
    if (!x) return false;
    const std::int64_t k = maker.number(1, x->last().factor);
    Extents shape = x->shape;
    shape.back() = known(k);
    auto chosen = maker.add_all("TopK", {*x, maker.ints({k})}, {shape, shape}, ElementType::f32,
                                [&](NodeBuilder& node) {
                                    node.with("largest", maker.number(0, 1));
                                    node.with("axis", -1);
                                });
    chosen[1].type = ElementType::i64;
    maker.describe(chosen[1]);
    use_places(maker, chosen[1]);
    return true;
}

bool arg_max(ModelMaker& maker) {
    const auto x =
        maker.pick([&](const Value& value) { return value.exact && has_elements(maker, value); });
    if (!x) return false;
    const std::int64_t axis = maker.number(0, static_cast<std::int64_t>(x->rank()) - 1);
    const bool keeps = maker.chance(0.5);
    Extents shape = x->shape;
    if (keeps) {
        shape[static_cast<std::size_t>(axis)] = known(1);
    } else {
        shape.erase(shape.begin() + axis);
    }
    use_places(maker, maker.add(maker.chance(0.5) ? "ArgMax" : "ArgMin", {*x}, shape,
                                ElementType::i64, [&](NodeBuilder& node) {
                                    node.with("axis", axis).with("keepdims", keeps ? 1 : 0);
                                    node.with("select_last_index", maker.number(0, 1));
                                }));
    return true;
}

bool one_hot(ModelMaker& maker) {
    const auto ids =
        maker.pick([](const Value& value) { return value.name == "ids"; }, ElementType::i64);
    if (!ids) return false;
    Extents shape = ids->shape;
    const bool is_last = maker.chance(0.5);
    shape.insert(is_last ? shape.end() : shape.begin(), known(10));
    maker.add("OneHot",
              {*ids, maker.int_scalar(10), maker.constant(tensor_of<float>({2}, {-0.5F, 0.75F}))},
              shape, ElementType::f32,
              [&](NodeBuilder& node) { node.with("axis", is_last ? -1 : 0); });
    return true;
}

bool compress(ModelMaker& maker) {
    const auto x = pick_row(maker);
    if (!x) return false;
    std::vector<bool> keeps{true};
    while (static_cast<std::int64_t>(keeps.size()) < x->last().factor && maker.chance(0.8)) {
        keeps.push_back(maker.chance(0.5));
    }
    Tensor condition(ElementType::boolean, {keeps.size()});
    std::copy(keeps.begin(), keeps.end(), condition.data<bool>());
    Extents shape = x->shape;
    shape.back() = known(std::count(keeps.begin(), keeps.end(), true));
    maker.add("Compress", {*x, maker.constant(condition)}, shape, ElementType::f32,
              [](NodeBuilder& node) { node.with("axis", -1); });
    return true;
}

// The mean place of the positive elements, and a 0 so that there is one.
bool non_zero(ModelMaker& maker) {
    const auto x =
        maker.pick([&](const Value& value) { return value.exact && has_elements(maker, value); });
    const auto other = maker.pick_of_rank(1, 3);
    if (!x || !other) return false;
    const Value positive =
        maker.add("Greater", {*x, maker.filled({}, 0)}, x->shape, ElementType::boolean);
    Value places =
        maker.add("NonZero", {positive}, {known(static_cast<std::int64_t>(x->rank())), known(1)},
                  ElementType::i64);
    places.hidden = true;  // the number of columns is found in each run
    maker.describe(places);
    Value numbers = maker.add("Cast", {places}, places.shape, ElementType::f32,
                              [](NodeBuilder& node) { node.with("to", 1); });
    numbers.hidden = true;
    maker.describe(numbers);
    const Value sum = maker.add("ReduceSum", {numbers, maker.ints({1})},
                                {known(static_cast<std::int64_t>(x->rank())), known(1)});
    const Value all = maker.add("ReduceSum", {maker.bounded(sum)}, {}, ElementType::f32,
                                [](NodeBuilder& node) { node.with("keepdims", 0); });
    maker.add("Add", {maker.bounded(*other), all}, other->shape);
    return true;
}

}  // namespace

std::vector<Recipe> indexing_recipes() {
    return {gather_elements, gather_nd, scatter_elements, scatter_nd, top_k,
            arg_max,         one_hot,   compress,         non_zero};
}

}  // namespace rondo::test
