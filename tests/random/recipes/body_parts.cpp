#include "tests/random/recipes/body_parts.hpp"

#include <algorithm>

namespace rondo::test {
namespace {

Value greater(ModelMaker& maker, const Value& x, const Value& least) {
    return maker.add("Greater", {x, least}, x.shape, ElementType::boolean);
}

// Asks an integer that is exact: the number of an iteration, or "k".
std::optional<Value> by_integer(ModelMaker& maker) {
    const auto is_one = [](const Value& value) {
        return value.exact && (value.rank() == 0 || value.shape == Extents{known(1)});
    };
    const auto number = maker.pick(is_one, ElementType::i64);
    if (!number) return {};
    return greater(maker, *number, maker.int_scalar(maker.number(0, 2)));
}

// Asks the first element of an input.
std::optional<Value> by_element(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) {
        return value.exact && value.rank() >= 1 && maker.has_elements(value);
    });
    if (!x) return {};
    Extent count = known(1);
    for (const auto& extent : x->shape) count = count * extent;
    const Value flat = maker.add("Reshape", {*x, maker.ints({-1})}, {count});
    const Value first = maker.add("Gather", {flat, maker.int_scalar(0)}, {});
    return greater(maker, first, maker.filled({}, 0));
}

std::optional<Value> by_shape(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 4);
    if (!x) return {};
    const auto axis = maker.number(0, static_cast<std::int64_t>(x->rank()) - 1);
    return greater(maker, extent_scalar(maker, *x, static_cast<std::size_t>(axis)),
                   maker.int_scalar(maker.number(1, 4)));
}

}  // namespace

Value extent_scalar(ModelMaker& maker, const Value& x, std::size_t axis) {
    const Value shape =
        maker.add("Shape", {x}, {known(static_cast<std::int64_t>(x.rank()))}, ElementType::i64);
    return maker.add("Gather", {shape, maker.int_scalar(static_cast<std::int64_t>(axis))}, {},
                     ElementType::i64);
}

Value condition(ModelMaker& maker) {
    const auto kind = maker.number(0, 7);
    std::optional<Value> found;
    if (kind <= 2) found = by_integer(maker);
    if (kind == 3 || kind == 4) found = by_element(maker);
    if (kind == 5 || kind == 6) found = by_shape(maker);
    if (!found) return maker.flag(maker.chance(0.5));
    if (found->rank() > 0 || maker.chance(0.7)) return *found;
    return maker.add("Unsqueeze", {*found, maker.ints({0})}, {known(1)}, ElementType::boolean);
}

Value value_like(ModelMaker& body, const Value& target) {
    std::vector<Value> own;
    for (const Value& value : body.own_values()) {
        if (value.type == target.type && !value.hidden && value.shape == target.shape) {
            own.push_back(value);
        }
    }
    if (!own.empty() && body.chance(0.7)) {
        return own[static_cast<std::size_t>(
            body.number(0, static_cast<std::int64_t>(own.size()) - 1))];
    }
    const auto any =
        body.pick([&](const Value& value) { return value.shape == target.shape; }, target.type);
    const Value source = any.value_or(target);
    if (target.type != ElementType::f32 || body.chance(0.2)) return source;
    return body.bounded(
        body.add("Add", {source, body.chance(0.5) ? body.weights({}) : target}, target.shape));
}

void RandomBody::add_result(const Value& value) {
    const auto own = maker_.own_values();
    const bool is_made = value.name.front() == 'v' &&
                         std::any_of(own.begin(), own.end(),
                                     [&](const Value& other) { return other.name == value.name; });
    const bool taken = std::find(results_.begin(), results_.end(), value.name) != results_.end();
    const bool direct = is_made && !taken;
    Value result = value;
    if (!direct) result = maker_.add("Identity", {value}, value.shape, value.type);
    result.hidden = value.hidden;
    results_.push_back(result.name);
    maker_.add_result(result);
}

rondo_onnx::GraphProto RandomBody::graph() {
    rondo_onnx::GraphProto graph = maker_.model().graph();
    for (auto& input : *graph.mutable_input()) {
        if (!input.type().has_tensor_type()) continue;
        auto& type = *input.mutable_type()->mutable_tensor_type();
        if (!type.has_shape()) continue;
        for (auto& extent : *type.mutable_shape()->mutable_dim()) extent.clear_dim_param();
    }
    return graph;
}

}  // namespace rondo::test
