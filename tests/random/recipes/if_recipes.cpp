// Random choices: branches with nodes of every family, nested, that read values around them;
// branches whose shapes differ.
#include <algorithm>

#include "tests/random/recipes/body_parts.hpp"

namespace rondo::test {
namespace {

using Fill = std::function<void(RandomBody&)>;

// Both branches may use the same names: neither sees the other one's.
std::vector<Value> choose(ModelMaker& maker, const Value& condition, const Fill& yes,
                          const Fill& no, const std::vector<Value>& outputs) {
    const int first = maker.last_name();
    RandomBody then_branch(maker);
    yes(then_branch);
    if (maker.chance(0.5)) maker.set_last_name(then_branch.maker().last_name());
    RandomBody else_branch(maker);
    no(else_branch);
    maker.set_last_name(
        std::max({first, then_branch.maker().last_name(), else_branch.maker().last_name()}));
    std::vector<Extents> shapes;
    for (const Value& output : outputs) shapes.push_back(output.shape);
    auto made =
        maker.add_all("If", {condition}, shapes, outputs.front().type, [&](NodeBuilder& node) {
            node.with("then_branch", then_branch.graph());
            node.with("else_branch", else_branch.graph());
        });
    for (std::size_t i = 0; i < made.size(); ++i) {
        made[i].exact = outputs[i].exact;
        made[i].holds_k = outputs[i].holds_k;
        maker.describe(made[i]);
    }
    return made;
}

bool branches(ModelMaker& maker) {
    std::vector<Value> outputs;
    for (std::int64_t i = maker.number(1, 3); i > 0; --i) {
        const auto x = maker.pick_of_rank(0, 4);
        if (!x) return false;
        outputs.push_back({"", ElementType::f32, x->shape});
        outputs.back().name = x->name;
    }
    const Fill fill = [&](RandomBody& body) {
        add_nodes(body.maker(), maker.number(0, 3), true);
        for (const Value& output : outputs) {
            body.add_result(value_like(body.maker(), output));
        }
    };
    choose(maker, condition(maker), fill, fill, outputs);
    return true;
}

Value first_of_last(ModelMaker& maker, const Value& x, const Value& count, const Extent& extent) {
    Extents shape = x.shape;
    shape.back() = extent;
    return maker.add(
        "Slice", {x, maker.ints({0}), count, maker.ints({static_cast<std::int64_t>(x.rank()) - 1})},
        shape);
}

// The first k of an axis, whose branches have different shapes: one where k is 1, else k.
bool branches_of_two_shapes(ModelMaker& maker) {
    const auto k = maker.pick([](const Value& value) { return value.holds_k; }, ElementType::i64);
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 && value.last().is_known() && value.last().factor >= 3;
    });
    if (!k || !x) return false;
    const Value is_more =
        maker.add("Greater", {*k, maker.int_scalar(1)}, {known(1)}, ElementType::boolean);
    Value output{x->name, ElementType::f32, x->shape};
    output.shape.back() = kK;
    choose(
        maker, is_more,
        [&](RandomBody& body) {
            body.add_result(body.maker().bounded(first_of_last(body.maker(), *x, *k, kK)));
        },
        [&](RandomBody& body) {
            ModelMaker& own = body.maker();
            body.add_result(own.bounded(first_of_last(own, *x, own.ints({1}), known(1))));
        },
        {output});
    return true;
}

// "k" itself, as one of three constants.
bool choose_number(ModelMaker& maker) {
    const auto k = maker.pick([](const Value& value) { return value.holds_k; }, ElementType::i64);
    if (!k) return false;
    const auto is_more = [&](ModelMaker& own, std::int64_t than) {
        return own.add("Greater", {*k, own.int_scalar(than)}, {known(1)}, ElementType::boolean);
    };
    const Value output{"", ElementType::i64, {known(1)}, true, true};
    const auto constant = [](std::int64_t value) {
        return [value](RandomBody& body) { body.add_result(body.maker().ints({value})); };
    };
    const Fill more = [&](RandomBody& body) {
        ModelMaker& own = body.maker();
        body.add_result(choose(own, is_more(own, 2), constant(3), constant(2), {output}).front());
    };
    choose(maker, is_more(maker, 1), more, constant(1), {output});
    return true;
}

}  // namespace

std::vector<Recipe> if_recipes() {
    return {branches, branches, branches_of_two_shapes, choose_number};
}

}  // namespace rondo::test
